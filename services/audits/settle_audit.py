"""Settle an audit with who is right about each field, and take that back."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from sqlalchemy import func, update

from core.errors import ConflictError, InvalidInputError
from core.models import Audit, AuditFinding, AuditStatus
from core.models.leases import AUDIT_HOLDS
from services.audits.same import same
from services.audits.win_audit import fields_of_audit, win_audit
from services.context import Context
from services.entries.edit_record import edit_record
from services.entries.lost_race import lost_race
from services.messages.conflict import Conflict, Item
from services.messages.refused import Refused
from services.review.undo_decision import undo_decision


@dataclass(frozen=True)
class Settled:
    """What came of an audit."""

    #: Fields in which the machine is wrong.
    wrong: list[str]
    #: Why the entry could not be corrected; None where it was, or was not to be.
    refused: ConflictError | None


def settle_audit(
    context: Context,
    actor_id: uuid.UUID,
    audit_id: uuid.UUID,
    version: int,
    findings: Mapping[str, AuditFinding],
    correct: Collection[str] = (),
    entry_version: int = 0,
) -> Settled:
    """Settle an audit whose values this person has typed, with a finding for each field that differs.

    Fields in `correct` are written into the entry as typed, where the typed value is the right one. An entry that
    has changed since `entry_version` stays as it is, and the audit is settled nevertheless. Raises
    InvalidInputError where a finding is wanting, ConflictError or HeldError, saying who was first, and
    NotFoundError.
    """
    with context.database.session() as session:
        audit = win_audit(
            session, actor_id, audit_id, version, status=AuditStatus.SETTLED.value, settled_at=func.now()
        )
        if audit.auditor_id != actor_id:
            raise ConflictError(Conflict.CHANGED, item=Item.AUDIT)
        fields = fields_of_audit(session, audit_id)
        for field in fields:
            if same(field.name, field.value, field.typed):
                field.finding = AuditFinding.SAME.value
            elif field.name in findings and findings[field.name] is not AuditFinding.SAME:
                field.finding = findings[field.name].value
            else:
                raise InvalidInputError(Refused.FORM_INCOMPLETE)
        AUDIT_HOLDS.end(audit)
        submission_id = audit.submission_id
        wrong = {field.name: field.typed for field in fields if field.finding == AuditFinding.AUDITOR}
    refused = None
    if values := {name: typed for name, typed in wrong.items() if name in correct}:
        try:
            edited = edit_record(context, actor_id, submission_id, entry_version, values)
        except ConflictError as error:
            refused = error
        else:
            _keep_decision(context, audit_id, edited.decision_id)
    return Settled(sorted(wrong), refused)


def undo_audit(context: Context, actor_id: uuid.UUID, audit_id: uuid.UUID) -> None:
    """Set an audit that this person has settled to pending again, and take its correction of the entry back.

    What was typed stays. Raises ConflictError, saying who did what, where somebody else settled it, it is pending,
    or the entry has changed since its correction; NotFoundError.
    """
    with context.database.session() as session:
        audit = session.get(Audit, audit_id)
        decision_id = None if audit is None else audit.decision_id
    if decision_id is not None:
        undo_decision(context, actor_id, decision_id)
    with context.database.session() as session:
        undone = session.scalar(
            update(Audit)
            .where(
                Audit.id == audit_id,
                Audit.status == AuditStatus.SETTLED.value,
                Audit.auditor_id == actor_id,
            )
            .values(status=AuditStatus.PENDING.value, version=Audit.version + 1, settled_at=None, decision_id=None)
            .returning(Audit.id)
        )
        if undone is None:
            raise lost_race(session, Audit, audit_id, actor_id)
        for field in fields_of_audit(session, audit_id):
            field.finding = None


def _keep_decision(context: Context, audit_id: uuid.UUID, decision_id: uuid.UUID) -> None:
    with context.database.session() as session:
        session.execute(update(Audit).where(Audit.id == audit_id).values(decision_id=decision_id))
