"""An owner in a process of its own: `python -m tests.support.embedded_owner <server> <var folder>`.

Starts the server, prints its URL and the server's process id, and lets go when a line arrives or stdin ends.
"""

from __future__ import annotations

import sys
from pathlib import Path

from core.config import load_settings
from core.tracing.log import configure_logging
from tests.support.embedded import KINDS

if __name__ == "__main__":
    configure_logging(load_settings(_env_file=None))
    kind = KINDS[sys.argv[1]]
    with kind.start(Path(sys.argv[2])) as handle:
        print(kind.url(handle), kind.main_process(Path(sys.argv[2])).pid, flush=True)  # noqa: T201
        sys.stdin.readline()
