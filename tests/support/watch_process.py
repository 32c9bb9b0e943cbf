"""What the process of a watcher in a test runs: the command itself, as an operator types it."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from commands.tending import watch


def run_watch(environment: dict[str, str], arguments: Sequence[str], output: str) -> None:
    """Watch with these settings until told to stop; what it says goes into the file `output`."""
    os.environ.update(environment)
    sys.stdout = Path(output).open("a", buffering=1, encoding="utf-8")  # noqa: SIM115
    watch.main(list(arguments))
