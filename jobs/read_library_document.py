"""Job: read a document of the library."""

from __future__ import annotations

import uuid

import structlog

from core.errors import AppError
from core.models import LibraryDocument
from jobs.edge import at_edge
from jobs.process_context import reading_context
from services.library.read_document import fail_document, read_document


def read_library_document_job(document_id: str) -> None:
    """Read the document into passages; safe to repeat."""
    context = reading_context()
    key = uuid.UUID(document_id)
    with structlog.contextvars.bound_contextvars(library_document_id=document_id):
        with context.database.session() as session:
            # Gone where it was erased since; the work finds nothing to do then.
            found = session.get(LibraryDocument, key)
            attempts = 0 if found is None else found.attempts

        def work() -> None:
            read_document(context, key)

        def fail(error: AppError) -> None:
            fail_document(context, key, error)

        at_edge(work, attempts, fail)
