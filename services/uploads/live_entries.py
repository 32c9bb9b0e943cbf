"""Query the entries, corrections and pages of files that are in force."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.models import SplitStatus, Submission, SubmissionStatus, UploadSplit
from services.uploads.split_plan import LiveEntry, PageKey, entries_from_json


def live_entries(session: Session, upload_ids: Collection[uuid.UUID]) -> list[LiveEntry]:
    """Return the entries of these files that are not superseded, in the order of files and pages."""
    rows = session.execute(
        select(Submission.id, Submission.upload_id, Submission.page_start, Submission.page_end)
        .where(Submission.upload_id.in_(upload_ids), Submission.status != SubmissionStatus.SUPERSEDED.value)
        .order_by(Submission.upload_id, Submission.page_start)
    )
    return [LiveEntry(row.id, row.upload_id, row.page_start, row.page_end) for row in rows]


def standing_splits(session: Session, upload_ids: Collection[uuid.UUID]) -> Sequence[UploadSplit]:
    """Return the corrections of these files that are not undone, oldest first."""
    return session.scalars(
        select(UploadSplit)
        .where(
            UploadSplit.upload_ids.overlap(list(upload_ids)),
            UploadSplit.status != SplitStatus.UNDONE.value,
        )
        .order_by(UploadSplit.created_at, UploadSplit.id)
    ).all()


def placed_pages(splits: Sequence[UploadSplit]) -> set[PageKey]:
    """Return the pages in the planned entries of these corrections."""
    return {page.key for split in splits for _, entry in entries_from_json(split.plan) for page in entry.pages}
