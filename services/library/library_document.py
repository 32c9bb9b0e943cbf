"""One document of the library with a range of its passages."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func, select

from core.errors import NotFoundError
from core.models import LibraryDocument, LibraryPassage, LibraryStatus
from pipeline.files.content_type import PDF
from services.context import Context

#: Passages shown at a time; about twenty printed pages.
WINDOW = 40


@dataclass(frozen=True)
class PassageView:
    """A passage for display."""

    position: int
    page_no: int | None
    #: Set for the first passage shown, unless its text begins with the heading.
    heading: str | None
    text: str


@dataclass(frozen=True)
class DocumentView:
    """A document, and those of its passages that are shown."""

    document: LibraryDocument
    passages: list[PassageView]
    first: int
    total: int

    @property
    def previous(self) -> int | None:
        """Position at which the previous range begins, None at the start."""
        return max(self.first - WINDOW, 0) if self.first else None

    @property
    def next(self) -> int | None:
        """Position at which the next range begins, None at the end."""
        return self.first + WINDOW if self.first + WINDOW < self.total else None

    @property
    def has_pictures(self) -> bool:
        """Whether its pages can be shown as pictures."""
        return self.document.content_type == PDF


def library_document(context: Context, document_id: uuid.UUID, around: int = 0) -> DocumentView:
    """Return the document with the passages around a position. Raises NotFoundError, also if it was removed."""
    with context.database.session() as session:
        document = session.get(LibraryDocument, document_id)
        if document is None or document.status == LibraryStatus.REMOVED:
            raise NotFoundError("no such document in the library")
        of_it = LibraryPassage.document_id == document_id
        total = session.scalar(select(func.count()).where(of_it)) or 0
        first = min(max(around, 0), max(total - 1, 0)) // WINDOW * WINDOW
        rows = session.scalars(
            select(LibraryPassage)
            .where(of_it, LibraryPassage.position >= first, LibraryPassage.position < first + WINDOW)
            .order_by(LibraryPassage.position)
        ).all()
    return DocumentView(document, _views(rows), first, total)


def _views(rows: Sequence[LibraryPassage]) -> list[PassageView]:
    return [
        PassageView(row.position, row.page_no, None if index else _heading_of(row), row.text.strip())
        for index, row in enumerate(rows)
    ]


def _heading_of(row: LibraryPassage) -> str | None:
    """Return the heading above a passage, unless the passage begins with it."""
    last = (row.heading or "").rpartition(" › ")[2]
    return None if not last or row.text.startswith(last) else row.heading
