"""Divide a long file into ranges of pages, each read by a job, and keep count of what was read."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.models import PageRange
from pipeline.records.outlines import PageOutline, RangeOutlines, joined

#: Files with more pages are read by several jobs.
READ_AT_ONCE = 8
#: Pages of one such job. The fewer, the sooner the first entry is found; each job opens the whole file.
_RANGE = 4


def is_long(page_count: int | None) -> bool:
    """Whether the pages of a file are read by several jobs."""
    return page_count is not None and page_count > READ_AT_ONCE


def divide(upload_id: uuid.UUID, page_count: int) -> list[PageRange]:
    """Return the ranges of a file in order; they cover each page once."""
    return [
        PageRange(
            id=uuid.uuid4(), upload_id=upload_id, first_page=first, last_page=min(first + _RANGE - 1, page_count)
        )
        for first in range(1, page_count + 1, _RANGE)
    ]


def outlines_so_far(session: Session, upload_id: uuid.UUID) -> tuple[list[PageOutline], bool]:
    """Return the outlines from the first page to the first that was not read yet, and whether these are all."""
    found = session.scalars(
        select(PageRange.outlines).where(PageRange.upload_id == upload_id).order_by(PageRange.first_page)
    ).all()
    read = _until_unread(found)
    return joined(read), len(read) == len(found)


def _until_unread(found: Sequence[dict[str, object] | None]) -> list[RangeOutlines]:
    read: list[RangeOutlines] = []
    for outlines in found:
        if outlines is None:
            break
        read.append(RangeOutlines.model_validate(outlines))
    return read
