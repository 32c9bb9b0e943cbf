"""The original file of an upload, unchanged."""

from __future__ import annotations

import uuid

from core.errors import NotFoundError
from core.models import Upload
from services.context import Context


def original_file(context: Context, upload_id: uuid.UUID) -> tuple[bytes, str, str]:
    """Return (bytes, content type, file name) of an upload's original. The type is detected from the content."""
    with context.database.session() as session:
        upload = session.get(Upload, upload_id)
    if upload is None:
        raise NotFoundError("no such upload")
    content_type = upload.content_type or "application/octet-stream"
    return context.store.get(upload.storage_key), content_type, upload.original_filename
