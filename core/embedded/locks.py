"""Locks of the kernel (`flock`), which end with their last holder however that ends.

A descriptor that is handed to a child keeps the lock for as long as the child or any fork of it lives. That
is how a server proves that it still holds its data folder, and how owners are counted: no process id can be
mistaken for another, and a process killed by -9 is let go of by the kernel.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.embedded.files import open_own
from core.errors import EmbeddedServiceError

#: Initialising a data folder on a slow disk is the longest that anybody holds the lock.
LOCK_SECONDS = 180.0


def try_exclusive(descriptor: int) -> bool:
    """Take the lock for this descriptor alone; False when somebody has it."""
    return _try(descriptor, fcntl.LOCK_EX)


def try_shared(descriptor: int) -> bool:
    """Take a share of the lock; False when somebody has it alone."""
    return _try(descriptor, fcntl.LOCK_SH)


def open_lock(path: Path) -> int:
    """The descriptor of a lock file, made when missing; closing it gives up what it holds."""
    return open_own(path, os.O_RDWR)


def is_held(path: Path) -> bool:
    """Whether any living process holds the lock, alone or a share of it."""
    descriptor = open_lock(path)
    try:
        return not try_exclusive(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def locked(path: Path, seconds: float | None = None) -> Iterator[None]:
    """Hold the lock for the time of the block.

    Raises EmbeddedServiceError when it cannot be had within `seconds` (LOCK_SECONDS unless given).
    """
    limit = time.monotonic() + (LOCK_SECONDS if seconds is None else seconds)
    descriptor = open_lock(path)
    try:
        while not try_exclusive(descriptor):
            if time.monotonic() > limit:
                raise EmbeddedServiceError(
                    f"Another process has held {path} for too long. End the program that hangs and start again."
                )
            time.sleep(0.02)
        yield
    finally:
        os.close(descriptor)


def _try(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
