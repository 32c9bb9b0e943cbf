"""All that a report's research writes, in one object that the nodes are handed."""

from __future__ import annotations

from functools import cached_property

from research.storage.calls import Calls
from research.storage.held import Held
from research.storage.progress import Progress
from research.storage.rounds import Rounds
from research.storage.sources import Sources
from research.storage.versions import Versions


class ReportStore:
    """The desk of one report for as long as its lease is held. Every write may raise LeaseLostError."""

    def __init__(self, held: Held) -> None:
        self.held = held

    @cached_property
    def progress(self) -> Progress:
        """The report's own row: plan, phase, what was spent, whether it should stop."""
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
        """What was written."""
        return Versions(self.held)
