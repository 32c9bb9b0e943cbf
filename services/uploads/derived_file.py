"""The file of a corrected split: its planned pages, put together from where they stand."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.errors import NotFoundError
from core.models import SplitStatus, Submission, Upload, UploadSplit
from pipeline.files.assembled import Leaf, assemble
from pipeline.files.intake import Intake, to_pdf
from services.audit import event
from services.context import Context
from services.uploads.split_plan import PlannedEntry, entries_from_json

#: Why an entry is there, in its audit trail.
MADE = "Made by correcting the split of a file."


@dataclass(frozen=True)
class DerivedFile:
    """A derived file as it is read, and the entries that it is to have."""

    intake: Intake
    submission_ids: list[uuid.UUID]
    page_counts: list[int]


def derive_file(context: Context, upload: Upload) -> DerivedFile:
    """Put the planned pages together and store them; the originals are read only.

    Raises DocumentError, StorageError. Safe to repeat.
    """
    with context.database.session() as session:
        split = session.get_one(UploadSplit, upload.split_id)
        keys = _pdf_keys(session, split.upload_ids)
    planned = entries_from_json(split.plan)
    entries = [entry for _, entry in planned]
    pdf = _assembled(context, keys, entries)
    context.store.put(upload.storage_key, pdf, "application/pdf")
    intake = to_pdf(pdf, upload.original_filename, context.settings)
    return DerivedFile(intake, [found for found, _ in planned], [len(entry.pages) for entry in entries])


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
    """The entries are there: close the outbox and tell in each who made it."""
    split = session.get_one(UploadSplit, upload.split_id, with_for_update=True)
    split.status = SplitStatus.DONE.value
    for submission in submissions:
        session.add(
            event(submission, "read_again", split.actor_id, reason="Made by correcting the split of a file.")
        )
