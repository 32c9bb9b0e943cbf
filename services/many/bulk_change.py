"""A change to many entries: prepared, applied one by one, undone."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from core.errors import ConflictError, InvalidInputError, NotFoundError
from core.lease import Lease
from core.messages import Message
from core.models import (
    BulkChange,
    BulkChangeItem,
    BulkEffect,
    BulkItemStatus,
    BulkStatus,
    ReviewDecision,
    Submission,
    SubmissionField,
)
from pipeline.supabase_db import record_of
from pipeline.validate import can_approve_record
from pipeline.validation.policy import Policy
from services.context import Context
from services.entries.change import EDITABLE, BulkOf, edit_record
from services.items.holds import open_elsewhere
from services.many.operation import effect_on_completeness
from services.messages.entries import Conflict, ItemLabel
from services.recovery.kinds import BULK_CHANGES
from services.recovery.work import run_step
from services.review.undo import undo_decision
from services.schools import rename_school, restore_school
from services.seasons import season_policy

#: Entries that are looked at in one transaction.
AT_A_TIME = 200
#: Seconds between two updates of the progress.
_NOTE_EVERY = 1.0


def prepare_change(context: Context, lease: Lease[BulkChange]) -> None:
    """Look at each chosen entry and note what would become of it; safe to repeat."""
    stage = Stage(context, lease, BulkStatus.PREPARING)
    while True:
        with context.database.session() as session:
            change = lease.hold(session)
            items = session.scalars(
                select(BulkChangeItem)
                .where(BulkChangeItem.bulk_id == change.id, BulkChangeItem.status == BulkItemStatus.CHOSEN.value)
                .order_by(BulkChangeItem.id)
                .limit(AT_A_TIME)
            ).all()
            if not items:
                break
            policy = season_policy(session, change.season_id, context.settings)
            _look_at(session, change, policy, items)
        if not stage.goes_on(len(items)):
            return
    stage.finish(BulkStatus.READY)


def _look_at(session: Session, change: BulkChange, policy: Policy, items: Sequence[BulkChangeItem]) -> None:
    ids = [item.submission_id for item in items]
    submissions = {row.id: row for row in session.scalars(select(Submission).where(Submission.id.in_(ids)))}
    fields: dict[uuid.UUID, dict[SubmissionField, Sequence[Any]]] = {key: {} for key in ids}
    for row in session.scalars(select(SubmissionField).where(SubmissionField.submission_id.in_(ids))):
        fields[row.submission_id][row] = ()
    held = open_elsewhere(session, ids, change.requested_by)
    values = [
        {"id": item.id, **_found(change, policy, submissions[key], fields[key], held)}
        for key, item in zip(ids, items, strict=True)
    ]
    session.execute(update(BulkChangeItem), values)


def _found(
    change: BulkChange,
    policy: Policy,
    submission: Submission,
    fields: Mapping[SubmissionField, Sequence[Any]],
    held: Mapping[uuid.UUID, str],
) -> dict[str, Any]:
    before = next((field.value for field in fields if field.name == change.field_name), None)
    found = {
        "version": submission.version,
        "before_value": before,
        "after_value": change.new_value,
        "effect": BulkEffect.NONE.value,
        "missing": list[str](),
        "reason": None,
    }
    if submission.status not in EDITABLE:
        why = Message.of(Conflict.ENTRY_NOT_WAITING, entry_status=submission.status)
        return {**found, "status": BulkItemStatus.BLOCKED.value, "reason": why}
    if before == change.new_value:
        return {**found, "status": BulkItemStatus.SAME.value}
    if (who := held.get(submission.id)) is not None:
        why = Message.of(Conflict.OPEN_ELSEWHERE, who=who, item=ItemLabel.ENTRY)
        return {**found, "status": BulkItemStatus.BLOCKED.value, "reason": why}
    record = record_of(submission, fields)
    _, missing_before = can_approve_record(record, policy)
    _, missing = can_approve_record(record.model_copy(update={change.field_name: change.new_value}), policy)
    effect = effect_on_completeness(missing_before, missing)
    return {**found, "status": BulkItemStatus.READY.value, "effect": effect.value, "missing": missing}


def apply_change(context: Context, lease: Lease[BulkChange]) -> None:
    """Change each entry of the preview that has not changed since; safe to repeat, and stopped between two."""
    stage, bulk_id = Stage(context, lease, BulkStatus.APPLYING), lease.key
    with context.database.session() as session:
        change = lease.hold(session)
        if change.school_id is not None and not change.school_renamed:
            assert change.new_value is not None, "a rename has a new value"
            change.school_renamed = rename_school(session, change.school_id, change.new_value, change.requested_by)
            session.flush()
        bulk = BulkOf(bulk_id, season_policy(session, change.season_id, context.settings))
        items = session.scalars(
            select(BulkChangeItem)
            .where(BulkChangeItem.bulk_id == bulk_id, BulkChangeItem.status == BulkItemStatus.READY.value)
            .order_by(BulkChangeItem.id)
        ).all()
        # Of a worker that was stopped between the change of an entry and the note of it.
        done = set(
            session.scalars(
                select(ReviewDecision.submission_id).where(
                    ReviewDecision.bulk_id == bulk_id, ReviewDecision.undone_at.is_(None)
                )
            )
        )
    for item in items:
        known = item.submission_id in done
        became = (BulkItemStatus.CHANGED, None) if known else _changed(context, change, item, bulk)
        if not stage.note(item.id, *became):
            return
    stage.finish(BulkStatus.DONE)


def _changed(
    context: Context, change: BulkChange, item: BulkChangeItem, bulk: BulkOf
) -> tuple[BulkItemStatus, Message | None]:
    assert item.version is not None, "the preview has been prepared"
    try:
        edit_record(
            context,
            change.requested_by,
            item.submission_id,
            item.version,
            {change.field_name: change.new_value},
            change.reason,
            bulk=bulk,
        )
    except (ConflictError, InvalidInputError, NotFoundError) as error:
        return BulkItemStatus.LOST, error.told
    return BulkItemStatus.CHANGED, None


def undo_change(context: Context, lease: Lease[BulkChange]) -> None:
    """Give each changed entry its value back; those that changed since are kept and say why. Safe to repeat."""
    stage, bulk_id = Stage(context, lease, BulkStatus.UNDOING), lease.key
    with context.database.session() as session:
        change = lease.hold(session)
        assert change.undone_by is not None, "somebody undoes it"
        actor_id = change.undone_by
        if change.school_id is not None and change.school_renamed:
            assert change.old_value is not None and change.new_value is not None, "it was a rename"
            restore_school(session, change.school_id, change.old_value, change.new_value, actor_id)
            change.school_renamed = False
        rows = session.execute(
            select(BulkChangeItem.id, ReviewDecision)
            .join(
                ReviewDecision,
                (ReviewDecision.bulk_id == BulkChangeItem.bulk_id)
                & (ReviewDecision.submission_id == BulkChangeItem.submission_id),
            )
            .where(BulkChangeItem.bulk_id == bulk_id, BulkChangeItem.status == BulkItemStatus.CHANGED.value)
            .order_by(BulkChangeItem.id)
        ).all()
    for item_id, decision in rows:
        if not stage.note(item_id, *_undone(context, actor_id, decision)):
            return
    stage.finish(BulkStatus.UNDONE)


def _undone(
    context: Context, actor_id: uuid.UUID, decision: ReviewDecision
) -> tuple[BulkItemStatus, Message | None]:
    if decision.undone_at is not None and decision.undone_by == actor_id:
        # By a worker that was stopped before it could note it, or by the same person before.
        return BulkItemStatus.UNDONE, None
    try:
        undo_decision(context, actor_id, decision.id)
    except (ConflictError, NotFoundError) as error:
        return BulkItemStatus.KEPT, error.told
    return BulkItemStatus.UNDONE, None


@dataclass
class Stage:
    """One stage of the work on a leased change. Its progress is noted now and then."""

    context: Context
    lease: Lease[BulkChange]
    #: The status that the row has during the stage.
    status: BulkStatus
    #: Entries done.
    done: int = 0
    _noted: float = field(default_factory=time.monotonic)

    def goes_on(self, done: int = 1) -> bool:
        """Count entries as done; False if somebody has stopped the work. Raises LeaseLostError."""
        self.done += done
        if time.monotonic() - self._noted < _NOTE_EVERY:
            return True
        self._noted = time.monotonic()
        return self._update(items_done=self.done)

    def note(self, item_id: uuid.UUID, status: BulkItemStatus, why: Message | None) -> bool:
        """Note what became of one entry; False if somebody has stopped the work. Raises LeaseLostError."""
        self.context.database.execute(
            update(BulkChangeItem).where(BulkChangeItem.id == item_id).values(status=status.value, reason=why)
        )
        return self.goes_on()

    def finish(self, status: BulkStatus) -> bool:
        """Set the status that follows; False if somebody has stopped the work meanwhile. Raises LeaseLostError."""
        ended = {"status": status.value, "items_done": self.done, "finished_at": func.now(), "attempts": 0}
        return self._update(**ended)

    def _update(self, **values: object) -> bool:
        with self.context.database.session() as session:
            status = self.lease.hold(session).status
            if status != self.status:
                return False
            session.execute(update(BulkChange).where(BulkChange.id == self.lease.key).values(**values))
            return True


_STAGES: Mapping[str, Callable[[Context, Lease[BulkChange]], None]] = {
    BulkStatus.PREPARING: prepare_change,
    BulkStatus.APPLYING: apply_change,
    BulkStatus.UNDOING: undo_change,
}


def run_change(context: Context, bulk_id: uuid.UUID) -> bool:
    """Prepare, apply or undo it; return False if there was nothing to do. Raises LeaseLostError."""
    return run_step(context, BULK_CHANGES, bulk_id, _STAGES)
