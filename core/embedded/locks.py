"""Kernel locks (`flock`), which are released when their last holder ends, even by a crash.

A descriptor that is handed to a child keeps the lock for as long as the child or any fork of it lives. That
is how a server proves that it still uses its data folder, and how owners are counted: reused process ids do no
harm, and the kernel releases the lock of a process killed by SIGKILL.
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

#: The longest that a process holds the lock: initialising a data folder on a slow disk.
LOCK_SECONDS = 180.0


def try_exclusive(descriptor: int) -> bool:
    """Take the exclusive lock for this descriptor; False when another process has the lock."""
    return _try(descriptor, fcntl.LOCK_EX)


def try_shared(descriptor: int) -> bool:
    """Take a shared lock; False when another process has it exclusively."""
    return _try(descriptor, fcntl.LOCK_SH)


def open_lock(path: Path) -> int:
    """Open a lock file, created when missing, and return its descriptor; closing that releases the lock."""
    return open_own(path, os.O_RDWR)


def is_held(path: Path) -> bool:
    """Whether any living process holds the lock, exclusive or shared."""
    descriptor = open_lock(path)
    try:
        return not try_exclusive(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def locked(path: Path, seconds: float | None = None) -> Iterator[None]:
    """Hold the exclusive lock during the block.
    Raises EmbeddedServiceError when it is not free within `seconds` (default LOCK_SECONDS).
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
