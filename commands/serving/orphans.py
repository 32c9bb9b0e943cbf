"""What a dead worker leaves running: its scheduler, and a work-horse that nobody watches any more."""

from __future__ import annotations

import os
from contextlib import suppress

import psutil

from services.context import Context
from services.recovery.release_dead import release_dead


def end_orphans(context: Context, worker: int) -> int:
    """End all processes of a dead worker's session and release their leases; return how many there were."""
    left = end_left_processes(worker)
    for pid in left:
        release_dead(context, pid)
    return len(left)


def end_left_processes(worker: int) -> list[int]:
    """End all processes of a dead worker's session; return their numbers.

    The worker must have had a session of its own. While any process of that session lives, the kernel gives its
    number to no other.
    """
    left = [process for process in psutil.process_iter() if _leader(process.pid) == worker]
    for process in left:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(left, timeout=5)
    return [process.pid for process in left]


def _leader(pid: int) -> int | None:
    """Return the process that began the session of this one."""
    try:
        return os.getsid(pid)
    except OSError:
        return None
