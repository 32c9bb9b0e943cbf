"""The original file of a library document, and its pages as pictures."""

from __future__ import annotations

import uuid

from core.errors import NotFoundError
from core.models import LibraryDocument, LibraryStatus
from pipeline.files.content_type import PDF
from services.context import Context
from services.pages.drawn_page import drawn_page

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
    """Return a page of a PDF as a WebP image, rendered once and cached.

    Raises NotFoundError, and what `drawn_page` raises.
    """
    row = _standing(context, document_id)
    if row.content_type != PDF or not 1 <= page_no <= (row.page_count or 0):
        raise NotFoundError("no such page")
    return drawn_page(context, f"cache/library/{document_id}/{page_no}.webp", row.storage_key, page_no, _DPI)


def _standing(context: Context, document_id: uuid.UUID) -> LibraryDocument:
    with context.database.session() as session:
        row = session.get(LibraryDocument, document_id)
    if row is None or row.status == LibraryStatus.REMOVED:
        raise NotFoundError("no such document in the library")
    return row
