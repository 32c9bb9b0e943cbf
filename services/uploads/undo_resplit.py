"""Undo a split correction: restore the old entries and supersede the new ones."""

from __future__ import annotations

import uuid

from sqlalchemy import func, or_, select, update
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.errors import ConflictError, NotFoundError
from core.messages import Message
from core.models import (
    DuplicatePair,
    PairDecision,
    Profile,
    SplitStatus,
    Submission,
    Upload,
    UploadSplit,
    UploadStatus,
)
from core.models.base import error_columns
from core.models.leases import UPLOAD_LEASES
from services.accounts.person_name import name_of
from services.context import Context
from services.messages.conflict import Conflict
from services.messages.event import EventReason
from services.messages.refused import SplitRefused
from services.recovery.kinds import RUNS
from services.recovery.work import enqueue
from services.uploads.entries_seen import lock_entries, require_untouched
from services.uploads.live_entries import placed_pages, standing_splits
from services.uploads.split_plan import LiveEntry
from services.uploads.supersede import bring_back, supersede


def undo_resplit(context: Context, actor_id: uuid.UUID, split_id: uuid.UUID) -> list[uuid.UUID]:
    """Undo a correction, whether or not its background work is done; return the ids of the restored entries.

    Raises NotFoundError, and ConflictError if it was undone before, a person has changed a new entry, an old entry
    has changed, or a page of an old entry is part of another entry since.
    """
    with context.database.session() as session:
        split = _win(session, actor_id, split_id)
        old = [uuid.UUID(stood["submission_id"]) for stood in split.superseded]
        new = _made(session, split)
        entries = lock_entries(session, [*old, *new])
        require_untouched(session, new)
        _require_unused(session, split, [entries[found] for found in old])
        reason = Message.of(EventReason.SPLIT_TAKEN_BACK)
        supersede(session, actor_id, [entries[found] for found in new], reason)
        runs = [
            run_id
            for found, stood in zip(old, split.superseded, strict=True)
            for run_id in bring_back(session, actor_id, entries[found], stood, reason)
        ]
        _reopen_pairs(session, old)
    enqueue(context, RUNS, *runs, replace=True)
    return old


def _reopen_pairs(session: Session, ids: list[uuid.UUID]) -> None:
    """Let pairs wait again whose two entries had been joined."""
    session.execute(
        update(DuplicatePair)
        .where(
            DuplicatePair.decision == PairDecision.JOIN.value,
            DuplicatePair.first_id.in_(ids),
            DuplicatePair.second_id.in_(ids),
        )
        .values(decision=None, decided_by=None, decided_at=None, version=DuplicatePair.version + 1)
    )


def _win(session: Session, actor_id: uuid.UUID, split_id: uuid.UUID) -> UploadSplit:
    """Supersede the derived file, then mark the correction as undone: the order in which its worker locks them."""
    split = session.get(UploadSplit, split_id)
    if split is None:
        raise NotFoundError("no such correction")
    # Corrections of the same files and their undoing wait for each other on this lock.
    _require_whole(session, split)
    session.execute(
        update(Upload)
        .where(Upload.id == split.made_upload_id)
        .values(
            status=UploadStatus.SUPERSEDED.value,
            **error_columns(None),
            updated_at=utcnow(),
            **UPLOAD_LEASES.ended,
        )
    )
    won = session.scalar(
        update(UploadSplit)
        .where(UploadSplit.id == split_id, UploadSplit.status != SplitStatus.UNDONE.value)
        .values(status=SplitStatus.UNDONE.value, undone_at=func.now(), undone_by=actor_id)
        .returning(UploadSplit.id)
    )
    if won is None:
        who = session.scalar(
            select(name_of(Profile))
            .join(UploadSplit, UploadSplit.undone_by == Profile.id)
            .where(UploadSplit.id == split_id)
        )
        raise ConflictError(Conflict.TAKEN_BACK, who=who)
    return split


def _require_whole(session: Session, split: UploadSplit) -> None:
    """Lock the files of the correction. Raises ConflictError if one is gone, or a page of one was erased."""
    files = session.scalars(
        select(Upload)
        .where(or_(Upload.id.in_(split.upload_ids), Upload.id == split.made_upload_id))
        .order_by(Upload.id)
        .with_for_update()
    ).all()
    whole = [upload.id for upload in files if upload.erased_at is None]
    if len(whole) < len(files) or not set(split.upload_ids) <= set(whole):
        raise ConflictError(SplitRefused.PAGES_ERASED)


def _made(session: Session, split: UploadSplit) -> list[uuid.UUID]:
    if split.made_upload_id is None:
        return []
    return list(session.scalars(select(Submission.id).where(Submission.upload_id == split.made_upload_id)))


def _require_unused(session: Session, split: UploadSplit, old: list[Submission]) -> None:
    """Raise ConflictError if a page of the old entries is part of another correction's entry since."""
    others = [other for other in standing_splits(session, split.upload_ids) if other.id != split.id]
    placed = placed_pages(others)
    for entry in old:
        live = LiveEntry(entry.id, entry.upload_id, entry.page_start, entry.page_end)
        for page in live.as_planned.pages:
            if page.key in placed:
                raise ConflictError(SplitRefused.PAGE_MOVED, page=page.page_no)
