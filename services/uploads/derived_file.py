"""The file of a split correction: a PDF assembled from the planned pages."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.errors import NotFoundError
from core.messages import Message
from core.models import SplitStatus, Submission, Upload, UploadSplit
from pipeline.files.content_type import PDF
from pipeline.files.intake import Intake
from pipeline.mupdf.assembled import Leaf, assemble
from pipeline.mupdf.file import check_pdf
from services.audit import event
from services.context import Context
from services.messages.event import EventReason
from services.uploads.split_plan import PlannedEntry, entries_from_json


@dataclass(frozen=True)
class PlannedFile:
    """The ids and numbers of pages of the planned entries of a derived file."""

    submission_ids: list[uuid.UUID]
    page_counts: list[int]


def derive_file(context: Context, upload: Upload) -> Intake:
    """Assemble the planned pages and store the file; the originals are not changed.

    Raises DocumentError, StorageError. Safe to repeat.
    """
    with context.database.session() as session:
        split = session.get_one(UploadSplit, upload.split_id)
        keys = _pdf_keys(session, split.upload_ids)
    pdf = _assembled(context, keys, [entry for _, entry in entries_from_json(split.plan)])
    context.store.put(upload.storage_key, pdf, "application/pdf")
    # Its pages are those of the plan: none is parted, whatever is printed on it.
    return Intake(pdf, check_pdf(pdf, context.settings.file_bounds), PDF, converted=False)


def planned_file(session: Session, upload: Upload) -> PlannedFile:
    """Return what a person planned for a derived file."""
    planned = entries_from_json(session.get_one(UploadSplit, upload.split_id).plan)
    return PlannedFile([found for found, _ in planned], [len(entry.pages) for _, entry in planned])


def _pdf_keys(session: Session, upload_ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, str]:
    rows = session.execute(select(Upload.id, Upload.pdf_key).where(Upload.id.in_(upload_ids)))
    keys = {row.id: row.pdf_key for row in rows if row.pdf_key is not None}
    if len(keys) < len(set(upload_ids)):
        raise NotFoundError("a file of the plan is gone")
    return keys


def _assembled(context: Context, keys: dict[uuid.UUID, str], entries: Sequence[PlannedEntry]) -> bytes:
    pages = [page for entry in entries for page in entry.pages]
    used = list(dict.fromkeys(page.upload_id for page in pages))
    leaves = [Leaf(used.index(page.upload_id), page.page_no, page.rotation) for page in pages]
    return assemble([context.store.get(keys[upload_id]) for upload_id in used], leaves)


def settle_split(session: Session, upload: Upload, submissions: Sequence[Submission]) -> None:
    """Mark the correction as done, and add an event with its author to each new entry."""
    split = session.get_one(UploadSplit, upload.split_id, with_for_update=True)
    split.status = SplitStatus.DONE.value
    for submission in submissions:
        session.add(event(submission, "read_again", split.actor_id, message=Message.of(EventReason.MADE_BY_SPLIT)))
