"""How much a person may hand in within a day."""

from __future__ import annotations

import uuid
from datetime import timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from core.config import Settings
from core.errors import UploadQuotaError
from core.models import Upload

_DAY = timedelta(days=1)


def require_quota(session: Session, settings: Settings, person_id: uuid.UUID, files: int, size: int) -> None:
    """Raise UploadQuotaError if so many files, of so many bytes, are too many for this person's last 24 hours.

    Files that were made of others by a corrected split are not counted. Requests that arrive at the same moment
    may each find room: together they can exceed the quota by what one request may hold.
    """
    used_files, used_bytes = session.execute(
        select(func.count(), func.coalesce(func.sum(Upload.byte_size), 0)).where(
            Upload.uploaded_by == person_id, Upload.created_at > func.now() - _DAY, Upload.split_id.is_(None)
        )
    ).one()
    if used_files + files > settings.max_files_per_day or used_bytes + size > settings.max_bytes_per_day:
        raise UploadQuotaError(f"{used_files} files, {used_bytes} bytes within a day")
