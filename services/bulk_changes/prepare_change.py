"""Prepare the preview of a change of many entries: what it would do to each of them."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from core.messages import Message
from core.models import (
    BulkChange,
    BulkChangeItem,
    BulkEffect,
    BulkItemStatus,
    BulkStatus,
    Profile,
    Submission,
    SubmissionField,
)
from core.models.leases import ESCALATION_HOLDS, SUGGESTION_HOLDS
from pipeline.records.from_rows import record_of
from pipeline.validate import can_approve_record
from pipeline.validation.policy import Policy
from services.accounts.person_name import name_of
from services.bulk_changes.stage import Stage
from services.entries.edit_record import EDITABLE
from services.messages.conflict import Conflict, Item
from services.seasons import season_policy

#: Entries that are looked at in one transaction.
AT_A_TIME = 200


def prepare_change(stage: Stage) -> None:
    """Look at each chosen entry and note what would become of it; safe to repeat."""
    context = stage.context
    while True:
        with context.database.session() as session:
            change = stage.lease.hold(session)
            items = session.scalars(
                select(BulkChangeItem)
                .where(
                    BulkChangeItem.bulk_id == change.id,
                    BulkChangeItem.status == BulkItemStatus.CHOSEN.value,
                )
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
    held = _held(session, ids, change.requested_by)
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
    """Return the columns of an item."""
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
        why = Message.of(Conflict.OPEN_ELSEWHERE, who=who, item=Item.ENTRY)
        return {**found, "status": BulkItemStatus.BLOCKED.value, "reason": why}
    record = record_of(submission, fields)
    _, missing_before = can_approve_record(record, policy)
    _, missing = can_approve_record(record.model_copy(update={change.field_name: change.new_value}), policy)
    effect = BulkEffect.NONE
    if set(missing) - set(missing_before):
        effect = BulkEffect.LACKS
    elif missing_before and not missing:
        effect = BulkEffect.COMPLETES
    return {**found, "status": BulkItemStatus.READY.value, "effect": effect.value, "missing": missing}


def _held(session: Session, ids: Collection[uuid.UUID], actor_id: uuid.UUID) -> dict[uuid.UUID, str]:
    """Return who has which entry open, other than this person."""
    found: dict[uuid.UUID, str] = {}
    for holds in (SUGGESTION_HOLDS, ESCALATION_HOLDS):
        rows = session.execute(
            select(holds.row.submission_id, name_of(Profile).label("who"))
            .join(Profile, Profile.id == holds.owner)
            .where(
                holds.row.submission_id.in_(ids),
                holds.row.status == "pending",
                holds.owner != actor_id,
                holds.unexpired(),
            )
        )
        found.update({row.submission_id: row.who for row in rows})
    return found
