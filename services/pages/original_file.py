"""The file as it came in, byte for byte."""

from __future__ import annotations

import uuid

from core.errors import NotFoundError
from core.models import Upload
from services.context import Context


def original_file(context: Context, upload_id: uuid.UUID) -> tuple[bytes, str, str]:
    """(bytes, content type, name) of an upload's original; the type is by content where it is known."""
    with context.database.session() as session:
        upload = session.get(Upload, upload_id)
    if upload is None:
        raise NotFoundError("no such upload")
    content_type = upload.content_type or "application/octet-stream"
    return context.store.get(upload.storage_key), content_type, upload.original_filename
