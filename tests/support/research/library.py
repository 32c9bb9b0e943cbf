"""Documents of a library for tests: put on their shelf and read at once."""

from __future__ import annotations

import uuid

from sqlalchemy import select

from core.errors import AppError
from core.models import LibraryDocument, LibraryKind, LibraryPassage
from services.context import Context
from services.library.documents import GivenMetadata, add_document
from services.library.reading import read_library_document
from services.recovery.research_kinds import DOCUMENTS
from services.recovery.work import fail_work
from services.uploads.submit import IncomingFile


def add_and_read(
    context: Context, data: bytes | str, filename: str = "paper.md", kind: str = "web", **shelf: object
) -> uuid.UUID:
    """Add a document and read it as a worker would, failures recorded."""
    raw = data.encode() if isinstance(data, str) else data
    place = GivenMetadata(LibraryKind(kind), **shelf)  # type: ignore[arg-type]
    added = add_document(context, None, IncomingFile(filename, raw), place, queue=False)
    try:
        read_library_document(context, added.document_id)
    except AppError as error:
        fail_work(context, DOCUMENTS, added.document_id, error)
    return added.document_id


def document_of(context: Context, document_id: uuid.UUID) -> LibraryDocument:
    """Its row."""
    return context.database.get_one(LibraryDocument, document_id)


def passages_of(context: Context, document_id: uuid.UUID) -> list[LibraryPassage]:
    """Its passages in order."""
    return list(
        context.database.scalars(
            select(LibraryPassage)
            .where(LibraryPassage.document_id == document_id)
            .order_by(LibraryPassage.position)
        )
    )


def text_of(context: Context, document_id: uuid.UUID) -> str:
    """The whole text."""
    return "".join(passage.text for passage in passages_of(context, document_id))
