"""Do something every few seconds in the background, for as long as a block runs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def beating(seconds: float, beat: Callable[[], bool]) -> Iterator[None]:
    """Call `beat` every so many seconds until the block ends or it returns False."""
    stop = threading.Event()
    thread = threading.Thread(target=_beat, args=(seconds, beat, stop), name="lease-heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _beat(seconds: float, beat: Callable[[], bool], stop: threading.Event) -> None:
    while not stop.wait(seconds):
        if not beat():
            return
