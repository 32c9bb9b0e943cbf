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
            peak.mb = max(peak.mb, _of_tree() / 1024**2)
            if ended.wait(_EVERY):
                return

    sampler = threading.Thread(target=sample, daemon=True)
    sampler.start()
    try:
        yield peak
    finally:
        ended.set()
        sampler.join()


def _of_tree() -> int:
    this = psutil.Process()
    return sum(map(_bytes, [this, *this.children(recursive=True)]))


def _bytes(process: psutil.Process) -> int:
    try:
        return int(process.memory_full_info().pss)
    except psutil.Error:
        return 0
