"""Where the files of exports are kept, and for how long."""

from __future__ import annotations

import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from core.errors import StorageError
from services.context import Context

FOLDER = "exports"
#: How long a file is kept after it was asked for.
KEPT = timedelta(days=7)


def key_of(export_id: uuid.UUID) -> str:
    """Return the key of an export's file."""
    return f"{FOLDER}/{export_id}"


def scratch_of(context: Context) -> Path:
    """Return where files are written before they are stored; what a killed worker leaves there is removed."""
    return context.settings.var_dir / "unfinished-exports"


@contextmanager
def scratch(context: Context) -> Iterator[Path]:
    """A folder of an export's own, for as long as the block runs. Raises StorageError where the disk is full."""
    try:
        above = scratch_of(context)
        above.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=above) as folder:
            yield Path(folder)
    except OSError as exc:
        raise StorageError(f"cannot write: {exc.strerror}") from exc
