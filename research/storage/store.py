"""The storage of one report's research, passed to the graph's nodes."""

from __future__ import annotations

from functools import cached_property

from research.storage.calls import Calls
from research.storage.held import Held
from research.storage.progress import Progress
from research.storage.rounds import Rounds
from research.storage.sources import Sources
from research.storage.versions import Versions


class ReportStore:
    """Storage of one report while its lease is held. Every write may raise LeaseLostError."""

    def __init__(self, held: Held) -> None:
        self.held = held

    @cached_property
    def progress(self) -> Progress:
        """The report's row: plan, phase, cost, request to stop."""
        return Progress(self.held)

    @cached_property
    def rounds(self) -> Rounds:
        """Rounds, tasks, memos and gaps."""
        return Rounds(self.held)

    @cached_property
    def sources(self) -> Sources:
        """Sources with their text."""
        return Sources(self.held)

    @cached_property
    def calls(self) -> Calls:
        """The ledger of model calls."""
        return Calls(self.held)

    @cached_property
    def versions(self) -> Versions:
        """Versions of the document, with their claims."""
        return Versions(self.held)
