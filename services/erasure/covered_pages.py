"""The pages of an entry in every file that has them: a corrected split has copied pages into another file."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Iterator

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from core.models import Submission, UploadSplit
from services.uploads.split_plan import PageKey, entries_from_json


def covered_pages(session: Session, submissions: Iterable[Submission]) -> set[PageKey]:
    """Return the pages of these entries, with the pages that they were copied from and to."""
    pages = {key for submission in submissions for key in pages_of(submission)}
    while True:
        links = _links(session, {page.upload_id for page in pages})
        more = {other for pair in links if not pages.isdisjoint(pair) for other in pair} - pages
        if not more:
            return pages
        pages |= more


def pages_of(submission: Submission) -> Iterator[PageKey]:
    """Yield the pages of an entry in its own file."""
    for number in range(submission.page_start, submission.page_end + 1):
        yield PageKey(submission.upload_id, number)


def splits_around(session: Session, upload_ids: Collection[uuid.UUID]) -> list[UploadSplit]:
    """Return all corrections from or to these files, undone ones included."""
    touching = or_(UploadSplit.upload_ids.overlap(list(upload_ids)), UploadSplit.made_upload_id.in_(upload_ids))
    return list(session.scalars(select(UploadSplit).where(touching)))


def _links(session: Session, upload_ids: Collection[uuid.UUID]) -> list[tuple[PageKey, PageKey]]:
    """Return (page, its copy) for each page that was copied from or to these files."""
    found = []
    for split in splits_around(session, upload_ids):
        if split.made_upload_id is not None:
            planned = [page.key for _, entry in entries_from_json(split.plan) for page in entry.pages]
            copies = [PageKey(split.made_upload_id, number) for number in range(1, len(planned) + 1)]
            found += list(zip(planned, copies, strict=True))
    return found
