"""What faults are inflicted on, and what a kind of fault is."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Generic, Protocol, TypeVar

from lab.faults.installation import Installation
from lab.faults.material import Drawn
from lab.faults.network import SwitchedModel, SwitchedStorage
from lab.faults.sending import Sender


class NotHereError(Exception):
    """This kind of fault cannot be tried on this machine; says why."""


class Running(Protocol):
    """What runs the product: one machine, or several."""

    @property
    def url(self) -> str:
        """The address to which files are sent."""
        ...

    @property
    def dsn(self) -> str:
        """The database, for looking at it."""
        ...

    @property
    def queue_url(self) -> str:
        """The queue, for looking at it."""
        ...

    def start(self) -> None:
        """Start what does not run, until all of it answers. Raises TimeoutError."""
        ...

    def command(self, name: str) -> subprocess.Popen[bytes]:
        """Start a command of `flask` that ends by itself; the caller waits for it."""
        ...


@dataclass
class Stage:
    """What is at work, and the people and services around it."""

    installation: Running
    sender: Sender
    rng: Random
    #: The files of the turn: what is being sent while the fault lasts.
    files: list[Drawn] = field(default_factory=list)
    storage: SwitchedStorage | None = None
    model: SwitchedModel | None = None

    @property
    def disturbed(self) -> int:
        """How many requests were answered slowly, wrongly or not at all."""
        return sum(server.disturbed for server in (self.storage, self.model) if server is not None)


@dataclass
class Scene(Stage):
    """One installation on this machine."""

    installation: Installation
    #: A file system of its own that `VAR_DIR` lies on, and that can be filled; None where none could be mounted.
    small_disk: Path | None = None


S = TypeVar("S", bound=Stage)


@dataclass(frozen=True)
class Kind(Generic[S]):
    """One kind of fault: a context manager that inflicts it, yields what it did, and takes it back at the end."""

    name: str
    about: str
    inflict: Callable[[S], AbstractContextManager[str]]
    #: Seconds for which it lasts.
    seconds: float = 0.0
    #: Whether Storage and the model are at the end of a network connection.
    over_network: bool = False


def until(holds: Callable[[], bool], seconds: float) -> bool:
    """Wait for something that need not come; return whether it did."""
    limit = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > limit:
            return False
        time.sleep(0.05)
    return True
