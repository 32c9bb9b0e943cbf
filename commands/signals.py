"""Every way of being told to end becomes one exception, so that `finally` runs."""

from __future__ import annotations

import signal
from types import FrameType

_ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def end_on_signals() -> None:
    """Let these signals end this process as Ctrl-C does, also where a shell started it with Ctrl-C ignored."""
    for number in _ENDS:
        signal.signal(number, _end)


def ignore_signals() -> None:
    """Finish tidying up, however often somebody presses Ctrl-C."""
    for number in _ENDS:
        signal.signal(number, signal.SIG_IGN)


def _end(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
