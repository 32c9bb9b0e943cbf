"""A real worker that is killed with its work-horse at one boundary of the graph: `python -m … BOUNDARY`."""

from __future__ import annotations

import os
import signal
import sys

import services.run_submission
from jobs.worker import main


def kill_at(wanted: str) -> None:
    """Have the boundary hook end the worker and the work-horse as kill -9 does."""

    def boundary(name: str) -> None:
        if name == wanted:
            os.kill(os.getppid(), signal.SIGKILL)
            os.kill(os.getpid(), signal.SIGKILL)

    services.run_submission._pass = boundary


if __name__ == "__main__":
    kill_at(sys.argv[1])
    main()
