"""Documents of the library that may copy a child."""

from __future__ import annotations

import uuid

from core.models import LibraryKind
from services.context import Context
from services.library.documents import GivenMetadata, add_document
from services.library.reading import read_library_document
from services.uploads.submit import IncomingFile


def added(context: Context, officer: uuid.UUID, name: str, data: bytes) -> uuid.UUID:
    """A document of the library, read."""
    given = GivenMetadata(LibraryKind.BOOK)
    document_id = add_document(context, officer, IncomingFile(name, data), given, queue=False).document_id
    read_library_document(context, document_id)
    return document_id
