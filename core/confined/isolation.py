"""Take from a process what a parser does not need: the network, and root's rights."""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

#: From linux/sched.h.
_NEW_USERS, _NEW_NETWORK = 0x10000000, 0x40000000
#: Ids that no account has: the range that systemd gives to services without one (systemd.io, "UIDs and GIDs").
_FIRST, _LAST = 61184, 65519


def leave_network() -> bool:
    """Move this process, of one thread, to a network namespace of its own; return whether the system allows it."""
    if not sys.platform.startswith("linux"):
        return False
    unshare = ctypes.CDLL(None, use_errno=True).unshare
    return bool(unshare(_NEW_NETWORK if os.geteuid() == 0 else _NEW_USERS | _NEW_NETWORK) == 0)


def can_leave_root() -> bool:
    """Whether a process that gives up root can still read the program and Python's libraries; tried in a child."""
    if (child := os.fork()) == 0:
        try:
            leave_root()
            reads = all(os.access(place, os.R_OK | os.X_OK) for place in sys.path if Path(place).is_dir())
            os._exit(0 if reads else 1)
        except BaseException:  # noqa: BLE001 - a fork must not run on in its parent's place
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def leave_root() -> None:
    """Give up root for an id that no account and, nearly always, no other process has. Raises OSError."""
    free = _FIRST + os.getpid() % (_LAST - _FIRST)
    os.setgroups([])
    os.setresgid(free, free, free)
    os.setresuid(free, free, free)
