"""Limits of a child process; memory given back to the system, and memory that stays until the end."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import platform
import resource
import signal
from collections.abc import Iterator
from typing import NamedTuple

#: Open files of a child: its socket, a few that libraries open.
_OPEN_FILES = 64
#: Most threads of a child with its own user id: decoders start one for each processor.
_THREADS = 256
#: CPU time of a child's whole life, in multiples of a call's seconds. The child cannot raise it.
_LIFE = 60
#: The descriptor from which the size of this process is read; empty until it is opened.
_own_size: list[int] = []


class ConfinedLimits(NamedTuple):
    """What one file may take. Seconds limit CPU time and elapsed time alike."""

    memory_bytes: int = 2 << 30
    seconds: float = 120.0
    output_bytes: int = 512 << 20


def impose(limits: ConfinedLimits, own_id: bool = False) -> None:
    """Limit this process for good: address space, open files, total time; it may write no file.

    Threads are limited only if it has its own user id: the limit counts those of the whole account, and libheif
    decodes in a thread. What the platform cannot limit stays unlimited (on macOS, the address space).
    """
    for kind, most in (
        *([(resource.RLIMIT_NPROC, _THREADS)] if own_id else []),
        (resource.RLIMIT_CPU, int(_processor_seconds() + _LIFE * limits.seconds) + 2),
        (resource.RLIMIT_AS, limits.memory_bytes),
        (resource.RLIMIT_NOFILE, _OPEN_FILES),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(kind, (most, most))


@contextlib.contextmanager
def allowed(seconds: float) -> Iterator[None]:
    """Have the system end this process if the block takes longer, even inside a library's code.

    The signals (SIGALRM by the clock, SIGXCPU by the processor) are not handled, so nothing can delay them.
    """
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    most = int(_processor_seconds() + seconds) + 1
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    # Below the hard limit, which ends a process without saying why.
    resource.setrlimit(
        resource.RLIMIT_CPU, (most if hard == resource.RLIM_INFINITY else min(most, hard - 1), hard)
    )
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


@contextlib.contextmanager
def more_memory(most: int | None) -> Iterator[None]:
    """Make allocations fail if the block takes `most` bytes more than this process has now; None: no new limit."""
    before, hard = resource.getrlimit(resource.RLIMIT_AS)
    if most is not None and (taken := address_space()):
        resource.setrlimit(resource.RLIMIT_AS, (min(taken + most, hard), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (before, hard))


def _processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def open_own_size() -> None:
    """Open the file with the size of this process (proc(5)), before opening files is forbidden."""
    with contextlib.suppress(OSError):
        _own_size.append(os.open("/proc/self/statm", os.O_RDONLY))


def address_space() -> int:
    """Return the bytes of this process's address space; 0 where the platform does not tell."""
    return int(os.pread(_own_size[0], 64, 0).split()[0]) * resource.getpagesize() if _own_size else 0


# The C library's memory allocator.


#: mallopt(3), M_MMAP_THRESHOLD.
_MMAP_THRESHOLD = -3
_LARGE = 1 << 20


def return_large_blocks() -> None:
    """Have blocks of a megabyte and more returned to the system as soon as they are freed.

    By default the GNU C library raises this threshold up to 32 MB, and freed page pictures then leave holes in
    the heap that are never reused. Does nothing with other C libraries.
    """
    if platform.libc_ver()[0] == "glibc":
        ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, _LARGE)


def return_freed_memory() -> None:
    """Return what is free within the heap to the system. Does nothing with other C libraries than GNU's."""
    if platform.libc_ver()[0] == "glibc":
        ctypes.CDLL(None).malloc_trim(0)


@contextlib.contextmanager
def kept_for_good() -> Iterator[None]:
    """Let garbage collections leave out what the block makes and what is there already: it stays until the end.

    To look through a loaded program takes .3 s each time. Processes forked later share what is never touched.
    """
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        gc.enable()
