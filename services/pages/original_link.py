"""The address at which the file store gives an original away for a short time."""

from __future__ import annotations

import uuid

from core.errors import NotFoundError
from core.models import Upload
from services.context import Context


def original_link(context: Context, upload_id: uuid.UUID) -> str | None:
    """Return the address; None where we send the original ourselves. Raises NotFoundError, StorageError."""
    seconds = context.settings.supabase_signed_seconds
    if seconds == 0:
        return None
    with context.database.session() as session:
        upload = session.get(Upload, upload_id)
    if upload is None:
        raise NotFoundError("no such upload")
    return context.store.link(upload.storage_key, seconds, upload.original_filename)
