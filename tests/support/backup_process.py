"""What a process that makes a backup in a test runs, until it is killed in the middle of it."""

from __future__ import annotations

import os
import threading
from pathlib import Path

from core.config import get_settings
from services.backup.backup import make_backup
from services.context import open_context

#: A file beside the backup that says that its first file was written.
BEGUN = "begun"


def run_backup(settings: dict[str, str], folder: str, passphrase: str) -> None:
    """Write the backup as far as its first file, and wait."""
    os.environ.update(settings)

    def stop(_done: int, _count: int) -> None:
        Path(folder).with_name(BEGUN).touch()
        threading.Event().wait()

    make_backup(open_context(get_settings()), Path(folder), passphrase, stop)
