"""PostgreSQL storage of one report's research, passed to the graph's nodes."""

from research.storage.calls import Calls
from research.storage.held import Held
from research.storage.progress import Progress
from research.storage.rounds import Rounds
from research.storage.sources import Sources


class ReportStore:
    """Storage of one report while its lease is held. Every write may raise LeaseLostError."""

    def __init__(self, held: Held) -> None:
        self.held = held
        self.progress = Progress(held)
        self.rounds = Rounds(held)
        self.sources = Sources(held)
        self.calls = Calls(held)
