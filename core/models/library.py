"""The library that reports are researched in (migration 016)."""

from __future__ import annotations

import uuid
from datetime import datetime

from sqlalchemy import Computed, ForeignKey, Integer, text
from sqlalchemy.dialects.postgresql import ARRAY, TSVECTOR
from sqlalchemy.orm import Mapped, mapped_column

from core.messages import LabelledEnum
from core.models.base import Base, BigInt, CreatedAt, Keyed, MayFail, Queued, TextList


class LibraryKind(LabelledEnum):
    """Kinds of documents, each for one researcher."""

    WEB = "web", "Web page"
    ACADEMIC = "academic", "Academic paper"
    BOOK = "book", "Book"
    ESSAY = "essay", "Essay"


class LibraryStatus(LabelledEnum):
    QUEUED = "queued", "Waiting"
    READING = "reading", "Being read"
    READY = "ready", "Ready"
    FAILED = "failed", "Failed"
    REMOVED = "removed", "Removed"


class EmbeddingStatus(LabelledEnum):
    """How far the vectors of a document's passages are."""

    NONE = "none", "Found by keyword"
    QUEUED = "queued", "Waiting for search by meaning"
    RUNNING = "running", "Being prepared for search by meaning"
    READY = "ready", "Found by meaning"
    FAILED = "failed", "Search by meaning failed"


class LibraryDocument(MayFail, Queued, Keyed, Base):
    """One document; the original is kept byte for byte under `storage_key`."""

    __tablename__ = "library_documents"

    added_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    kind: Mapped[str]
    collection: Mapped[str] = mapped_column(server_default=text("''"))
    title: Mapped[str] = mapped_column(server_default=text("''"))
    authors: Mapped[TextList]
    publisher: Mapped[str | None]
    year: Mapped[int | None]
    url: Mapped[str | None]
    doi: Mapped[str | None]
    isbn: Mapped[str | None]
    language: Mapped[str] = mapped_column(server_default=text("'en'"))
    original_filename: Mapped[str]
    content_type: Mapped[str | None]
    byte_size: Mapped[BigInt]
    sha256: Mapped[str]
    storage_key: Mapped[str] = mapped_column(unique=True)
    is_sample: Mapped[bool] = mapped_column(server_default=text("false"))
    #: For an essay: the entry it came from.
    submission_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"))
    status: Mapped[str] = mapped_column(server_default=text("'queued'"))
    page_count: Mapped[int | None]
    pages_done: Mapped[int] = mapped_column(server_default=text("0"))
    char_count: Mapped[int | None]
    embedding: Mapped[str] = mapped_column(server_default=text("'none'"))
    passages_embedded: Mapped[int] = mapped_column(server_default=text("0"))
    passages_total: Mapped[int] = mapped_column(server_default=text("0"))
    #: The content id of the embedder that the vectors are of.
    embedder: Mapped[str | None]
    embedding_attempts: Mapped[int] = mapped_column(server_default=text("0"))
    embedding_enqueued_at: Mapped[datetime | None]
    updated_at: Mapped[CreatedAt]


class LibraryPassage(Base):
    """A section of a document's text; all passages in order make up the whole text."""

    __tablename__ = "library_passages"

    document_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("library_documents.id", ondelete="CASCADE"), primary_key=True
    )
    position: Mapped[int] = mapped_column(primary_key=True)
    page_no: Mapped[int | None]
    start_char: Mapped[int]
    end_char: Mapped[int]
    heading: Mapped[str | None]
    text: Mapped[str]
    language: Mapped[str]
    search: Mapped[str] = mapped_column(TSVECTOR, Computed("to_tsvector(text)", persisted=True))
    #: Finds copies of a text (services/library/copies.py); None where it is not computed yet.
    run_keys: Mapped[list[int] | None] = mapped_column(ARRAY(Integer))


class EssayWord(Base):
    """A word of an essay that could be a name; the essay enters the library once each is decided on."""

    __tablename__ = "essay_words"

    submission_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("submissions.id", ondelete="CASCADE"), primary_key=True
    )
    #: In lower case, without accents.
    word: Mapped[str] = mapped_column(primary_key=True)
    #: None while nobody has decided.
    taken_out: Mapped[bool | None]
    decided_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    decided_at: Mapped[datetime | None]
    created_at: Mapped[CreatedAt]
