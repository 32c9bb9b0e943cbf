"""A recogniser that has run must not be inherited by a fork: its locks and thread pools may be left half-way.

Loading models in the parent is safe and saves each child that time (docs/adr/0003-recognition-and-forks.md).
"""

from __future__ import annotations

import os

from core.errors import RecogniserForkedError

#: The process that ran a recognition, inherited by its forks.
_ran_in: int | None = None


def about_to_recognise() -> None:
    """Note that this process recognises. Raises RecogniserForkedError where a parent of it already has."""
    global _ran_in
    if _ran_in not in (None, os.getpid()):
        raise RecogniserForkedError(f"process {_ran_in} had recognised before it forked {os.getpid()}")
    _ran_in = os.getpid()
