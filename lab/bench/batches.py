"""A batch that is uploaded to real workers in an installation of its own."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import func, select

from core.models import Submission
from services.context import Context

#: Far longer than anything takes: a measurement that hangs ends.
_LIMIT_SECONDS = 3600
_LOOK_SECONDS = 0.05


def settings_of(folder: str, workers: int, **more: str) -> dict[str, str]:
    """Return the settings of an office with embedded servers in a folder, which they may enter as another user."""
    Path(folder).chmod(0o755)
    return {
        "VAR_DIR": folder,
        "SECRET_KEY": "bench",
        "WORKERS": str(workers),
        "DEMO_ACCOUNTS": "false",
        "DATABASE_URL": "",
        "REDIS_URL": "",
        **more,
    }


def wait_until(holds: Callable[[], bool]) -> None:
    """Wait until something holds. Raises TimeoutError after an hour."""
    limit = time.monotonic() + _LIMIT_SECONDS
    while not holds():
        if time.monotonic() > limit:
            raise TimeoutError
        time.sleep(_LOOK_SECONDS)


def count_of(context: Context, batch: uuid.UUID, statuses: tuple[str, ...] = ()) -> int:
    """Return the number of a batch's entries, or of those with these statuses."""
    wanted = [Submission.status.in_(statuses)] if statuses else []
    return context.database.scalar(select(func.count()).where(Submission.batch_id == batch, *wanted)) or 0
