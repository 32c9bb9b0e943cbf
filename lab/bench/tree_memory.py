"""The memory of this process and of all that it has started, sampled while a block runs."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import psutil

#: Seconds between two samples.
_EVERY = 0.2


class Peak:
    """The largest sum that was seen."""

    mb = 0.0


@contextmanager
def peak_of_tree() -> Iterator[Peak]:
    """Yield the peak so far, in MB: proportional set sizes (proc(5), smaps), which count shared memory once.

    A peak shorter than the time between two samples may be missed.
    """
    peak, ended = Peak(), threading.Event()

    def sample() -> None:
        while True:
            peak.mb = max(peak.mb, memory_of_tree())
            if ended.wait(_EVERY):
                return

    sampler = threading.Thread(target=sample, daemon=True)
    sampler.start()
    try:
        yield peak
    finally:
        ended.set()
        sampler.join()


def memory_of_tree(pid: int | None = None) -> float:
    """Return what a process, by default this one, takes now with all that it has started; see `peak_of_tree`."""
    head = psutil.Process(pid)
    return sum(map(_bytes, [head, *head.children(recursive=True)])) / 1024**2


def _bytes(process: psutil.Process) -> int:
    try:
        return int(process.memory_full_info().pss)
    except psutil.Error:
        return 0
