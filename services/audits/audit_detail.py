"""One audit as an auditor sees it: blind, or with what the machine had beside what was typed."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.errors import NotFoundError
from core.models import (
    Audit,
    AuditField,
    AuditStatus,
    Profile,
    Submission,
    SubmissionField,
    SubmissionStatus,
    Upload,
)
from services.accounts.person_name import name_of
from services.audits.same import same
from services.context import Context
from services.entries.submission_detail import form_order
from services.pages.document_pages import Document, pages_of

_SETTLED = (SubmissionStatus.COMPLETED, SubmissionStatus.RESOLVED)


@dataclass(frozen=True)
class AuditedField:
    """One field of an audit."""

    name: str
    required: bool
    #: What the machine had, and what was typed; None also while the audit is blind.
    value: str | None
    typed: str | None
    same: bool
    #: A key of `AuditFinding`.
    finding: str | None
    #: Whether the entry still has the machine's value, so that it can be corrected from here.
    correctable: bool


@dataclass(frozen=True)
class AuditDetail:
    """The data of the page of one audit."""

    id: uuid.UUID
    submission_id: uuid.UUID
    version: int
    #: Version of the entry, which a correction names.
    entry_version: int
    status: str
    #: Nothing was typed yet by the person who looks.
    blind: bool
    auditor: str | None
    auditor_id: uuid.UUID | None
    settled_at: datetime | None
    document: Document
    fields: list[AuditedField]


def audit_detail(context: Context, actor_id: uuid.UUID, audit_id: uuid.UUID) -> AuditDetail:
    """Return one audit. Raises NotFoundError.

    A pending audit is blind but for the person who has typed its values: no value of it is in the result.
    """
    with context.database.session() as session:
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
        return AuditDetail(
            id=audit.id,
            submission_id=submission.id,
            version=audit.version,
            entry_version=submission.version,
            status=audit.status,
            blind=blind,
            auditor=auditor,
            auditor_id=audit.auditor_id,
            settled_at=audit.settled_at,
            document=Document(submission.upload_id, filename, pages_of(session, submission)),
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
            not blind and same(row.name, row.value, row.typed),
            row.finding,
            settled and standing.get(row.name) == row.value,
        )
        for row in rows
    ]
    return sorted(found, key=lambda field: form_order(field.name))
