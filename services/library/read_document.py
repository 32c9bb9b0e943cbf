"""Read a document of the library into passages that can be searched and quoted."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import delete, insert, update

from core.clock import utcnow
from core.config import FileBounds
from core.confined.child import within
from core.embeddings import open_embedder
from core.errors import AppError
from core.lease import Lease
from core.models import LibraryDocument, LibraryPassage, LibraryStatus
from core.models.base import error_columns
from core.models.leases import DOCUMENT_LEASES
from research.text import detect_language
from services.context import Context
from services.library.blocks import DocumentText
from services.library.embed_document import embedding_columns
from services.library.errors import NoTextInDocumentError, TooMuchTextError
from services.library.media_type import MediaType, media_type
from services.library.passages import PassageText, passages_of
from services.library.read_pdf import Progress, read_pdf
from services.library.read_text_files import read_html, read_markdown, read_plain, read_word
from services.recovery.kinds import DOCUMENTS, MEANINGS
from services.recovery.work import enqueue, keeping, take

_READERS: dict[MediaType, Callable[[bytes, FileBounds], DocumentText]] = {
    MediaType.WORD: read_word,
    MediaType.MARKDOWN: read_markdown,
    MediaType.HTML: read_html,
    MediaType.PLAIN: read_plain,
}
#: Limit of characters in a document; about 3,000 printed pages.
_MAX_CHARACTERS = 8_000_000
#: Characters of the text from which its language is detected.
_SAMPLE = 20_000
#: Seconds between two updates of the progress.
_NOTE_EVERY = 1.0


def read_document(context: Context, document_id: uuid.UUID) -> bool:
    """Read one document; return False if there was nothing to do.

    Safe to repeat: a document that is ready, failed, removed or leased to another worker is left unchanged.
    Raises DocumentError if it cannot be read; the caller records it. No database session is open while pages are
    read.
    """
    lease = take(context, DOCUMENTS, document_id)
    if lease is None:
        return False
    with keeping(context, lease), within(context.settings.parse_file_seconds):
        done = _read(context, lease)
    if done and open_embedder(context.settings).dimensions:
        enqueue(context, MEANINGS, document_id)
    return done


def _read(context: Context, lease: Lease[LibraryDocument]) -> bool:
    with context.database.session() as session:
        document = lease.hold(session)
    data = context.store.get(document.storage_key)
    kind = media_type(data, document.original_filename)
    if kind is MediaType.PDF:
        found = read_pdf(data, context.settings, context.store, _progress(context, lease))
    else:
        found = read_text(kind, data, context.settings.file_bounds)
    return _finish(context, lease, document, kind, found, divided(found))


def read_text(kind: MediaType, data: bytes, bounds: FileBounds) -> DocumentText:
    """Return the text and metadata of a document of any kind but PDF. Raises DocumentError."""
    return _READERS[kind](data, bounds)


def divided(found: DocumentText) -> list[PassageText]:
    """Return a document's passages. Raises TooMuchTextError, NoTextInDocumentError."""
    if (characters := sum(len(block.text) for block in found.blocks)) > _MAX_CHARACTERS:
        raise TooMuchTextError(f"{characters} characters")
    passages = passages_of(found.blocks)
    if not any(passage.text.strip() for passage in passages):
        raise NoTextInDocumentError("no words")
    return passages


def _progress(context: Context, lease: Lease[LibraryDocument]) -> Progress:
    """Return a callback that records the pages done, at most once in `_NOTE_EVERY` seconds."""
    noted = 0.0

    def note(done: int, count: int) -> None:
        nonlocal noted
        now = time.monotonic()
        if done and done < count and now - noted < _NOTE_EVERY:
            return
        noted = now
        with context.database.session() as session:
            session.execute(
                update(LibraryDocument)
                .where(lease.is_mine(), LibraryDocument.status == LibraryStatus.READING.value)
                .values(pages_done=done, page_count=count, updated_at=utcnow())
            )

    return note


def _finish(
    context: Context,
    lease: Lease[LibraryDocument],
    document: LibraryDocument,
    kind: MediaType,
    found: DocumentText,
    passages: Sequence[PassageText],
) -> bool:
    """Replace the document's passages, unless it was removed meanwhile; return whether they were replaced."""
    facts = found.facts
    language = facts.language or detect_language("".join(one.text for one in passages[:40])[:_SAMPLE])
    with context.database.session() as session:
        standing = session.scalar(
            update(LibraryDocument)
            .where(lease.is_mine(), LibraryDocument.status == LibraryStatus.READING.value)
            .values(
                status=LibraryStatus.READY.value,
                title=facts.title or document.original_filename,
                authors=facts.authors,
                publisher=document.publisher or facts.publisher,
                year=facts.year,
                url=facts.url,
                doi=facts.doi,
                isbn=facts.isbn,
                language=language,
                is_sample=document.is_sample or facts.is_sample,
                content_type=kind.value,
                page_count=found.page_count,
                pages_done=found.page_count or 0,
                char_count=passages[-1].end_char,
                **error_columns(None),
                **embedding_columns(context),
                updated_at=utcnow(),
            )
            .returning(LibraryDocument.id)
        )
        if standing is None:
            return False
        session.execute(delete(LibraryPassage).where(LibraryPassage.document_id == document.id))
        session.execute(insert(LibraryPassage), rows_of(document.id, passages, language))
    return True


def rows_of(document_id: uuid.UUID, passages: Sequence[PassageText], language: str) -> list[dict[str, Any]]:
    """Return the passages as rows of `library_passages`."""
    return [
        {
            "document_id": document_id,
            "position": passage.position,
            "page_no": passage.page_no,
            "start_char": passage.start_char,
            "end_char": passage.end_char,
            "heading": passage.heading,
            "text": passage.text,
            "language": language,
        }
        for passage in passages
    ]


def fail_document(context: Context, document_id: uuid.UUID, error: AppError) -> None:
    """Mark a document as failed, with the code of the error; its original file is kept."""
    with context.database.session() as session:
        session.execute(
            update(LibraryDocument)
            .where(LibraryDocument.id == document_id, DOCUMENTS.due, DOCUMENT_LEASES.expired())
            .values(
                status=LibraryStatus.FAILED.value,
                **error_columns(error.told),
                updated_at=utcnow(),
            )
        )
