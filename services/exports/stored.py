"""Where the files of exports are kept, and for how long."""

from __future__ import annotations

import uuid
from datetime import timedelta
from pathlib import Path

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
