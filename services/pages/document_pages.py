"""The pages of an entry and the places on them that values were read from."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import Any, Protocol

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.models import Page, Submission, Upload, UploadStatus
from pipeline.files.notes import FileNote


@dataclass(frozen=True)
class Place:
    """A rectangle on a page, 0-1 of the displayed page."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True)
class PageView:
    """One page of the entry for display; its size is in points."""

    number: int
    width: float
    height: float
    role: str
    #: Clockwise degrees by which it was turned to be read, and is shown.
    turned: int = 0


def pages_of(session: Session, submission: Submission) -> list[PageView]:
    """Return the pages of one entry, in order."""
    rows = session.scalars(
        select(Page)
        .where(
            Page.upload_id == submission.upload_id,
            Page.page_no.between(submission.page_start, submission.page_end),
        )
        .order_by(Page.page_no)
    )
    return [page_view(row) for row in rows]


def page_view(row: Page) -> PageView:
    """Return a page for display."""
    return PageView(row.page_no, row.width, row.height, row.role, row.turned)


class Placed(Protocol):
    """Protocol of a row with the place of its value; all columns are null without one."""

    page: Any
    x0: Any
    y0: Any
    x1: Any
    y1: Any


def place_of(row: Placed) -> Place | None:
    """Return the place of a row's value, None without one."""
    if row.page is None or None in (row.x0, row.y0, row.x1, row.y1):
        return None
    return Place(row.page, row.x0, row.y0, row.x1, row.y1)


@dataclass(frozen=True)
class Document:
    """Data of the page viewer."""

    upload_id: uuid.UUID
    filename: str
    pages: list[PageView]
    #: Whether a person typed the entry in, because no page of it can be read.
    typed_in: bool = False
    #: What the file holds beside its pages.
    notes: list[FileNote] = field(default_factory=list)

    def page(self, number: int) -> PageView | None:
        return next((page for page in self.pages if page.number == number), None)


def document_of(session: Session, submission: Submission, upload: Upload) -> Document:
    """Return the file of an entry with the entry's pages."""
    return Document(
        upload.id,
        upload.original_filename,
        pages_of(session, submission),
        typed_in=upload.status == UploadStatus.TYPED,
        notes=[FileNote.model_validate(note) for note in upload.notes],
    )
