"""Process a failed file again."""

from __future__ import annotations

import uuid

from sqlalchemy import update

from core.clock import utcnow
from core.errors import NotFailedError
from core.models import Upload, UploadStatus
from core.models.base import error_columns
from services.context import Context
from services.messages.refused import Refused
from services.recovery.kinds import UPLOADS
from services.recovery.work import enqueue


def retry_upload(context: Context, actor_id: uuid.UUID, upload_id: uuid.UUID) -> None:
    """Queue a failed file again. Raises NotFailedError if it is not failed."""
    with context.database.session() as session:
        won = session.scalar(
            update(Upload)
            .where(Upload.id == upload_id, Upload.status == UploadStatus.FAILED.value)
            .values(
                status=UploadStatus.STORED.value,
                **error_columns(None),
                attempts=0,
                parse_seconds=0.0,
                enqueued_at=None,
                updated_at=utcnow(),
            )
            .returning(Upload.id)
        )
    if won is None:
        raise NotFailedError(Refused.FILE_NOT_FAILED)
    enqueue(context, UPLOADS, upload_id, replace=True)
