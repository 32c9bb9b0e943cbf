"""List the versions of a report, and load the document of one."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.errors import NotFoundError
from core.models import Profile, ReportVersion
from research.document import ReportDocument
from services.accounts.person_name import name_of
from services.context import Context


@dataclass(frozen=True)
class VersionLine:
    """One version of the report."""

    version_no: int
    origin: str
    #: Name of the person; None for the machine.
    made_by: str | None
    note: str
    created_at: datetime


def report_document(context: Context, report_id: uuid.UUID, version_no: int | None = None) -> ReportDocument:
    """Return the document of a version, the latest by default. Raises NotFoundError."""
    with context.database.session() as session:
        found = load_version(session, report_id, version_no)
    if found is None:
        raise NotFoundError("no such version")
    return found[1]


def load_version(
    session: Session, report_id: uuid.UUID, version_no: int | None
) -> tuple[int, ReportDocument] | None:
    """Return a version's number and document, the latest for None as `version_no`; None if there is none."""
    query = select(ReportVersion.version_no, ReportVersion.document).where(ReportVersion.report_id == report_id)
    if version_no is not None:
        query = query.where(ReportVersion.version_no == version_no)
    row = session.execute(query.order_by(ReportVersion.version_no.desc()).limit(1)).one_or_none()
    return (row.version_no, ReportDocument.model_validate(row.document)) if row else None


def version_lines(session: Session, report_id: uuid.UUID) -> tuple[VersionLine, ...]:
    """Return all versions, newest first, without their text."""
    rows = session.execute(
        select(
            ReportVersion.version_no,
            ReportVersion.origin,
            name_of(Profile).label("made_by"),
            ReportVersion.note,
            ReportVersion.created_at,
        )
        .outerjoin(Profile, Profile.id == ReportVersion.made_by)
        .where(ReportVersion.report_id == report_id)
        .order_by(ReportVersion.version_no.desc())
    )
    return tuple(VersionLine(*row) for row in rows)
