"""Audits: entries read once more by a person, to measure how often the supervisor is right."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from core.errors import ConflictError, InvalidInputError, NotFoundError
from core.models import (
    Audit,
    AuditField,
    AuditFinding,
    AuditStatus,
    Profile,
    Submission,
    SubmissionField,
    SubmissionStatus,
    Upload,
)
from core.models.leases import AUDIT_HOLDS
from core.plain_data import built
from pipeline.extraction.values.text import tidied
from pipeline.profiles import FieldKind, field_kind
from services.accounts.person import name_of
from services.context import Context
from services.entries.change import cleaned_value, edit_record
from services.entries.detail import form_order
from services.items.holds import lost_race, win_pending
from services.messages.entries import Conflict, ItemLabel, Refused
from services.pages import Document, page_views_of
from services.review.undo import undo_decision
from services.seasons import current_season


def values_agree(name: str, value: str | None, typed: str | None) -> bool:
    """Return whether two values of a field differ at most in spaces, capitals and the signs of a number."""
    if value is None or typed is None:
        return value is typed
    return _folded(name, value) == _folded(name, typed)


def _folded(name: str, value: str) -> str:
    if field_kind(name) is FieldKind.PHONE:
        return "".join(filter(str.isdigit, value))
    return tidied(value).casefold()


_SETTLED = (SubmissionStatus.COMPLETED, SubmissionStatus.RESOLVED)


@dataclass(frozen=True)
class AuditedField:
    name: str
    required: bool
    #: The machine's value and the typed one; also None while the audit is blind.
    value: str | None
    typed: str | None
    same: bool
    #: A key of `AuditFinding`.
    finding: str | None
    #: Whether the entry still has the machine's value, so that it can be corrected from here.
    correctable: bool


@dataclass(frozen=True)
class AuditDetail:
    id: uuid.UUID
    submission_id: uuid.UUID
    version: int
    #: Version of the entry, which a correction names.
    entry_version: int
    status: str
    #: Whether the person who looks has typed no values yet.
    blind: bool
    auditor: str | None
    auditor_id: uuid.UUID | None
    settled_at: datetime | None
    document: Document
    fields: list[AuditedField]


def audit_detail(context: Context, actor_id: uuid.UUID, audit_id: uuid.UUID) -> AuditDetail:
    """Return one audit. Raises NotFoundError.

    A pending audit is blind, so that the result holds no values, except for the person who has typed them.
    """
    with context.database.reading() as session:
        row = session.execute(
            select(Audit, Submission, Upload.original_filename, name_of(Profile).label("auditor"))
            .join(Submission, Submission.id == Audit.submission_id)
            .join(Upload, Upload.id == Submission.upload_id)
            .outerjoin(Profile, Profile.id == Audit.auditor_id)
            .where(Audit.id == audit_id)
        ).one_or_none()
        if row is None:
            raise NotFoundError("no such audit")
        audit, submission, filename, auditor = row
        blind = audit.status == AuditStatus.PENDING and audit.auditor_id != actor_id
        return built(
            AuditDetail,
            audit,
            submission_id=submission.id,
            entry_version=submission.version,
            blind=blind,
            auditor=auditor,
            document=Document(submission.upload_id, filename, page_views_of(session, submission)),
            fields=_fields(session, audit, submission, blind),
        )


def _fields(session: Session, audit: Audit, submission: Submission, blind: bool) -> list[AuditedField]:
    rows = session.scalars(select(AuditField).where(AuditField.audit_id == audit.id)).all()
    query = select(SubmissionField.name, SubmissionField.value)
    standing = dict(session.execute(query.where(SubmissionField.submission_id == submission.id)).all())
    settled = submission.status in _SETTLED
    found = [
        AuditedField(
            row.name,
            row.required,
            None if blind else row.value,
            None if blind else row.typed,
            not blind and values_agree(row.name, row.value, row.typed),
            row.finding,
            settled and standing.get(row.name) == row.value,
        )
        for row in rows
    ]
    return sorted(found, key=lambda field: form_order(field.name))


_SHOWN = 20
#: Counting stops here.
COUNT_LIMIT = 1000


@dataclass(frozen=True)
class AuditRow:
    id: uuid.UUID
    submission_id: uuid.UUID
    auditor_id: uuid.UUID | None
    auditor: str | None
    settled_at: datetime | None
    fields: int
    #: Number of fields in which the machine is wrong, and of those that cannot be decided.
    wrong: int
    unclear: int


@dataclass(frozen=True)
class AuditQueue:
    #: At most `COUNT_LIMIT`.
    waiting: int
    #: Waiting ones that other people have open.
    held: int
    settled: int
    rows: list[AuditRow]


def audit_queue(context: Context, person_id: uuid.UUID) -> AuditQueue:
    """Return the current season's audits."""
    with context.database.session() as session:
        season_id = current_season(session).id
        pending = (
            select(AUDIT_HOLDS.free_for(person_id).label("is_free"))
            .where(Audit.season_id == season_id, Audit.status == AuditStatus.PENDING.value)
            .limit(COUNT_LIMIT)
            .subquery()
        )
        waiting, free = session.execute(
            select(func.count(), func.count().filter(pending.c.is_free)).select_from(pending)
        ).one()
        settled = session.scalar(
            select(func.count()).where(Audit.season_id == season_id, Audit.status == AuditStatus.SETTLED.value)
        )
        last = (
            select(Audit.id)
            .where(Audit.season_id == season_id, Audit.status == AuditStatus.SETTLED.value)
            .order_by(Audit.settled_at.desc())
            .limit(_SHOWN)
        )
        rows = session.execute(
            select(
                Audit.id,
                Audit.submission_id,
                Audit.auditor_id,
                name_of(Profile),
                Audit.settled_at,
                func.count(AuditField.name),
                func.count().filter(AuditField.finding == AuditFinding.AUDITOR.value),
                func.count().filter(AuditField.finding == AuditFinding.UNCLEAR.value),
            )
            .join(AuditField, AuditField.audit_id == Audit.id)
            .outerjoin(Profile, Profile.id == Audit.auditor_id)
            .where(Audit.id.in_(last))
            .group_by(Audit.id, Profile.id)
            .order_by(Audit.settled_at.desc())
        )
        return AuditQueue(waiting, waiting - free, settled or 0, [AuditRow(*row) for row in rows])


def next_audit(context: Context, person_id: uuid.UUID) -> tuple[uuid.UUID, uuid.UUID] | None:
    """Return the ids of the audit that waits longest and that no other person holds, and of its entry; or None."""
    with context.database.session() as session:
        row = session.execute(
            select(Audit.id, Audit.submission_id)
            .where(
                Audit.season_id == current_season(session).id,
                Audit.status == AuditStatus.PENDING.value,
                AUDIT_HOLDS.free_for(person_id),
            )
            .order_by(Audit.created_at, Audit.id)
            .limit(1)
        ).first()
        return None if row is None else (row.id, row.submission_id)


@dataclass(frozen=True)
class SettledAudit:
    #: Fields in which the machine is wrong.
    wrong: list[str]
    #: Why the entry could not be corrected; None if it was, or if nothing was to be corrected.
    refused: ConflictError | None


def settle_audit(
    context: Context,
    actor_id: uuid.UUID,
    audit_id: uuid.UUID,
    version: int,
    findings: Mapping[str, AuditFinding],
    correct: Collection[str] = (),
    entry_version: int = 0,
) -> SettledAudit:
    """Settle an audit whose values this person has typed, with a finding for each field that differs.

    The typed values of fields in `correct` are written into the entry if they are the right ones. An entry that
    has changed since `entry_version` is not corrected, but the audit is settled. Raises InvalidInputError if a
    finding is missing, ConflictError or HeldError, saying who was first, and NotFoundError.
    """
    with context.database.session() as session:
        settled = {"status": AuditStatus.SETTLED.value, "settled_at": func.now()}
        audit: Audit = win_pending(session, "audit", audit_id, version, actor_id, settled)
        if audit.auditor_id != actor_id:
            raise ConflictError(Conflict.CHANGED, item=ItemLabel.AUDIT)
        fields = fields_of_audit(session, audit_id)
        for field in fields:
            if values_agree(field.name, field.value, field.typed):
                field.finding = AuditFinding.SAME.value
            elif field.name in findings and findings[field.name] is not AuditFinding.SAME:
                field.finding = findings[field.name].value
            else:
                raise InvalidInputError(Refused.FORM_INCOMPLETE)
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
    return SettledAudit(sorted(wrong), refused)


def undo_audit(context: Context, actor_id: uuid.UUID, audit_id: uuid.UUID) -> None:
    """Set an audit that this person has settled to pending again, and undo its correction of the entry.

    The typed values stay. Raises ConflictError, saying who did what, if another person settled it, it is pending
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
            .where(Audit.id == audit_id, Audit.status == AuditStatus.SETTLED.value, Audit.auditor_id == actor_id)
            .values(status=AuditStatus.PENDING.value, version=Audit.version + 1, settled_at=None, decision_id=None)
            .returning(Audit.id)
        )
        if undone is None:
            raise lost_race(session, "audit", audit_id, actor_id)
        for field in fields_of_audit(session, audit_id):
            field.finding = None


def _keep_decision(context: Context, audit_id: uuid.UUID, decision_id: uuid.UUID) -> None:
    context.database.execute(update(Audit).where(Audit.id == audit_id).values(decision_id=decision_id))


def type_values(
    context: Context, actor_id: uuid.UUID, audit_id: uuid.UUID, version: int, values: Mapping[str, str | None]
) -> bool:
    """Store the typed values; None for what is not on the page. Return whether that settled the audit.

    It does if all equal the machine's values. Raises InvalidInputError for an invalid value and a field that is
    not audited, ConflictError or HeldError, saying who was first, and NotFoundError.
    """
    with context.database.session() as session:
        typed = {"auditor_id": actor_id, "typed_at": func.now()}
        audit: Audit = win_pending(session, "audit", audit_id, version, actor_id, typed, keeps_hold=True)
        fields = fields_of_audit(session, audit_id)
        if unknown := set(values) - {field.name for field in fields}:
            raise InvalidInputError(Refused.NO_SUCH_FIELD, names=sorted(unknown))
        for field in fields:
            field.typed = cleaned_value(field.name, values.get(field.name))
            field.finding = None
        if not all(values_agree(field.name, field.value, field.typed) for field in fields):
            return False
        for field in fields:
            field.finding = AuditFinding.SAME.value
        audit.status, audit.settled_at = AuditStatus.SETTLED.value, audit.typed_at
        AUDIT_HOLDS.end(audit)
        return True


def type_again(context: Context, actor_id: uuid.UUID, audit_id: uuid.UUID, version: int) -> None:
    """Delete the typed values, so that they can be typed again. Raises what `type_values` raises."""
    with context.database.session() as session:
        nothing = {"auditor_id": None, "typed_at": None}
        win_pending(session, "audit", audit_id, version, actor_id, nothing, keeps_hold=True)
        for field in fields_of_audit(session, audit_id):
            field.typed = field.finding = None


def fields_of_audit(session: Session, audit_id: uuid.UUID) -> Sequence[AuditField]:
    """Return the rows of an audit's fields."""
    query = select(AuditField).where(AuditField.audit_id == audit_id).order_by(AuditField.name)
    return session.scalars(query).all()
