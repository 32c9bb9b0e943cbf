"""Remove what was drawn or read of a page while its entry was erased."""

from __future__ import annotations

import uuid

from sqlalchemy import select

from core.models import Upload
from services.context import Context


def forget_if_erased(context: Context, digest: str, upload_id: uuid.UUID, key: str) -> None:
    """Delete the file at `key`, just written, unless the upload's original still has this SHA-256.

    Erasing changes or deletes the row before this looks, or deletes the file after it was written.
    """
    with context.database.statement() as session:
        now = session.scalar(select(Upload.sha256).where(Upload.id == upload_id))
    if now != digest:
        context.store.delete(key)
