"""A process that reads one file after the other, as a worker of the product does, and says how each ended."""

from __future__ import annotations

import tempfile
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from core.config import load_settings
from core.confined.children import use_limits
from core.confined.limits import ConfinedLimits
from core.file_store import LocalFileStore
from lab.fuzz.catalogue import PAGES, bombs
from lab.fuzz.mutated import mutated
from lab.fuzz.reading import read_as_worker
from lab.fuzz.seeds import Seed

#: What is sent when a file is drawn and its reading begins.
BEGUN = "begun"


class Job(NamedTuple):
    """A file to read: a bomb by its name, or the mutated file of a seed and a number."""

    bomb: str = ""
    seed: int = 0
    number: int = 0

    @property
    def name(self) -> str:
        """What the ledger calls it."""
        return self.bomb or f"mutation {self.seed}:{self.number}"

    def draw(self) -> tuple[Seed, int]:
        """Return the file, and how many of its pages are read."""
        if not self.bomb:
            return mutated(self.seed, self.number), PAGES
        bomb = next(bomb for bomb in bombs() if bomb.name == self.bomb)
        return Seed(bomb.name + bomb.suffix, bomb.draw()), bomb.pages


def serve(line: Connection, memory_mb: int, bomb_seconds: float) -> None:
    """Read what jobs name until there are none: send BEGUN when a file is drawn, and its `Outcome`."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        settings = load_settings(_env_file=None, var_dir=Path(folder), ocr_provider="none")
        store = LocalFileStore(Path(folder) / "files")
        while (job := line.recv()) is not None:
            file, pages = job.draw()
            seconds = bomb_seconds if job.bomb else settings.parse_seconds
            use_limits(ConfinedLimits(memory_mb << 20, seconds))
            bounded = settings.model_copy(update={"parse_file_seconds": seconds})
            line.send(BEGUN)
            line.send(read_as_worker(file, bounded, store, pages))
