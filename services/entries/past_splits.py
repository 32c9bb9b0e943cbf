"""Split corrections that are in force, with the entries that each replaced and made."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from core.messages import Message
from core.models import Profile, SplitStatus, Submission, Upload, UploadSplit, UploadStatus
from services.accounts.person_name import name_of


@dataclass(frozen=True)
class EntryName:
    """An entry as it is named in a link."""

    id: uuid.UUID
    student_name: str | None
    status: str


@dataclass(frozen=True)
class PastSplit:
    """One split correction."""

    id: uuid.UUID
    actor: str
    at: datetime
    superseded: list[EntryName]
    made: list[EntryName]
    #: Whether its background work is still to be done.
    waits: bool
    #: The error of its background work, if it failed.
    error: Message | None


def past_splits(session: Session, upload_ids: Sequence[uuid.UUID]) -> list[PastSplit]:
    """Return the corrections of these files, and those that made them, newest first, without undone ones."""
    rows = session.execute(
        select(UploadSplit, name_of(Profile).label("actor"), Upload.status, Upload.error_code, Upload.error_params)
        .join(Profile, Profile.id == UploadSplit.actor_id)
        .outerjoin(Upload, Upload.id == UploadSplit.made_upload_id)
        .where(
            or_(
                UploadSplit.upload_ids.overlap(list(upload_ids)),
                UploadSplit.made_upload_id.in_(upload_ids),
            ),
            UploadSplit.status != SplitStatus.UNDONE.value,
        )
        .order_by(UploadSplit.created_at.desc(), UploadSplit.id)
    ).all()
    names = _names(session, [row.UploadSplit for row in rows])
    return [
        PastSplit(
            id=row.UploadSplit.id,
            actor=row.actor,
            at=row.UploadSplit.created_at,
            superseded=[names[found] for found in superseded_ids(row.UploadSplit) if found in names],
            made=[names[found] for found in planned_ids(row.UploadSplit) if found in names],
            waits=row.UploadSplit.status == SplitStatus.PENDING and row.status != UploadStatus.FAILED,
            error=Message(row.error_code, row.error_params) if row.error_code else None,
        )
        for row in rows
    ]


def superseded_ids(split: UploadSplit) -> list[uuid.UUID]:
    """Return the ids of the entries that a correction superseded."""
    return [uuid.UUID(stood["submission_id"]) for stood in split.superseded]


def planned_ids(split: UploadSplit) -> list[uuid.UUID]:
    """Return the ids of the entries that a correction makes or has made."""
    return [uuid.UUID(entry["submission_id"]) for entry in split.plan]


def replacement_of(session: Session, submission_id: uuid.UUID) -> PastSplit | None:
    """Return the correction in force that superseded an entry; its `made` entries replace that entry."""
    split = session.scalar(
        select(UploadSplit)
        .where(
            UploadSplit.superseded.contains([{"submission_id": str(submission_id)}]),
            UploadSplit.status != SplitStatus.UNDONE.value,
        )
        .order_by(UploadSplit.created_at.desc())
        .limit(1)
    )
    if split is None:
        return None
    return next(found for found in past_splits(session, split.upload_ids) if found.id == split.id)


def _names(session: Session, splits: Sequence[UploadSplit]) -> dict[uuid.UUID, EntryName]:
    ids = {found for split in splits for found in (*superseded_ids(split), *planned_ids(split))}
    rows = session.execute(
        select(Submission.id, Submission.student_name, Submission.status).where(Submission.id.in_(ids))
    )
    return {row.id: EntryName(row.id, row.student_name, row.status) for row in rows}
