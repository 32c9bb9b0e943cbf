"""Guard against forks after a recognition: inherited locks and thread pools may be in an inconsistent state.

Loading models before the fork is safe and saves each child that time (docs/adr/0003-recognition-and-forks.md).
"""

from __future__ import annotations

import os

from core.errors import RecogniserForkedError

#: The process that ran a recognition, inherited by its forks.
_ran_in: int | None = None


def about_to_recognise() -> None:
    """Record that this process recognises. Raises RecogniserForkedError if a parent process already has."""
    global _ran_in
    if _ran_in not in (None, os.getpid()):
        raise RecogniserForkedError(f"process {_ran_in} had recognised before it forked {os.getpid()}")
    _ran_in = os.getpid()
