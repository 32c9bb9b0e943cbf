"""Turn termination signals into KeyboardInterrupt, so that `finally` blocks run."""

from __future__ import annotations

import signal
from types import FrameType

_ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def end_on_signals() -> None:
    """Raise KeyboardInterrupt on SIGINT, SIGTERM and SIGHUP, also if the shell had SIGINT ignored."""
    for number in _ENDS:
        signal.signal(number, _end)


def ignore_signals() -> None:
    """Ignore these signals from now on, so that repeated Ctrl-C does not interrupt the clean-up."""
    for number in _ENDS:
        signal.signal(number, signal.SIG_IGN)


def _end(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
