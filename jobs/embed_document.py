"""Job: compute the vectors of a document of the library."""

from __future__ import annotations

import uuid

import structlog

from core.errors import AppError
from core.models import LibraryDocument
from jobs.edge import at_edge
from jobs.process_context import process_context
from services.library.embed_document import embed_document, fail_embedding


def embed_document_job(document_id: str) -> None:
    """Compute the vectors; safe to repeat."""
    context = process_context()
    key = uuid.UUID(document_id)
    with structlog.contextvars.bound_contextvars(library_document_id=document_id):
        with context.database.session() as session:
            # Gone where it was erased since; the work finds nothing to do then.
            found = session.get(LibraryDocument, key)
            attempts = 0 if found is None else found.embedding_attempts

        def work() -> None:
            embed_document(context, key)

        def fail(error: AppError) -> None:
            fail_embedding(context, key, error)

        at_edge(work, attempts, fail)
