"""The original file of a library document, and its pages as pictures."""

from __future__ import annotations

import io
import uuid

from core.errors import NotFoundError
from core.models import LibraryDocument, LibraryStatus
from pipeline.files.content_type import PDF
from pipeline.recognition.page_contents import render_page
from services.context import Context

_DPI = 110


def library_original(context: Context, document_id: uuid.UUID) -> tuple[bytes, str, str]:
    """Return (bytes, content type, file name). Raises NotFoundError."""
    row = _standing(context, document_id)
    return (
        context.store.get(row.storage_key),
        row.content_type or "application/octet-stream",
        row.original_filename,
    )


def library_page_image(context: Context, document_id: uuid.UUID, page_no: int) -> bytes:
    """Return a page of a PDF as a WebP image, rendered once and cached. Raises NotFoundError."""
    row = _standing(context, document_id)
    if row.content_type != PDF or not 1 <= page_no <= (row.page_count or 0):
        raise NotFoundError("no such page")
    key = f"cache/library/{document_id}/{page_no}.webp"
    if context.store.exists(key):
        return context.store.get(key)
    buffer = io.BytesIO()
    render_page(context.store.get(row.storage_key), page_no, _DPI).save(buffer, "WEBP", quality=80, method=4)
    context.store.put(key, buffer.getvalue(), "image/webp")
    return buffer.getvalue()


def _standing(context: Context, document_id: uuid.UUID) -> LibraryDocument:
    with context.database.session() as session:
        row = session.get(LibraryDocument, document_id)
    if row is None or row.status == LibraryStatus.REMOVED:
        raise NotFoundError("no such document in the library")
    return row
