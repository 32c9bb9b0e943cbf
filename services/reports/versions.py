"""The list of reports, and one in full: its versions, its checked claims."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, or_, select
from sqlalchemy.orm import Session

from core.errors import NotFoundError, existing
from core.models import Profile, Report, ReportClaim, ReportExcerpt, ReportVersion
from core.models.base import columns_of
from research.document import ReportDocument
from services.accounts.person import name_of
from services.context import Context
from services.keyset import RowPage, fetch_page
from services.reports.progress import ReportFacts, ReportProgress, report_facts, report_progress
from services.seasons import current_season

PAGE_SIZE = 50


@dataclass(frozen=True)
class ReportFilter:
    """Filters of the list; None does not filter."""

    status: str | None = None
    report_type: str | None = None
    tier: str | None = None
    #: Id of the person who requested the report.
    requested_by: uuid.UUID | None = None
    #: Part of the query or of the title.
    text: str | None = None


@dataclass(frozen=True)
class ReportRow:
    id: uuid.UUID
    status: str
    phase: str
    query: str
    title: str
    report_type: str
    target_items: int | None
    tier: str
    language: str
    origin: str
    is_sample: bool
    #: Name of the person who requested the report.
    asked_by: str
    cost_usd: Decimal
    #: Number of versions.
    versions: int
    #: Whether its text is a reading list.
    is_list: bool
    created_at: datetime


def list_reports(
    context: Context, wanted: ReportFilter, cursor: str | None = None, limit: int = PAGE_SIZE
) -> RowPage[ReportRow]:
    """Return one page of the season's reports, newest first. Raises InvalidInputError for a bad cursor."""
    with context.database.session() as session:
        query = _query(current_season(session).id, wanted)
        rows, after, before = fetch_page(session, query, Report.created_at, Report.id, cursor, limit)
    return RowPage([_row(row) for row in rows], after, before)


def _query(season_id: uuid.UUID, wanted: ReportFilter) -> Select[*tuple[Any, ...]]:
    return (
        select(
            *columns_of(Report, ReportRow),
            Report.spent,
            Report.current_version,
            name_of(Profile).label("asked_by"),
            func.coalesce(ReportVersion.document["extractive"].as_boolean(), False).label("is_list"),
        )
        .join(Profile, Profile.id == Report.requested_by)
        .outerjoin(
            ReportVersion,
            and_(ReportVersion.report_id == Report.id, ReportVersion.version_no == Report.current_version),
        )
        .where(Report.season_id == season_id, *_conditions(wanted))
    )


def _conditions(wanted: ReportFilter) -> list[ColumnElement[bool]]:
    columns = (Report.status, Report.report_type, Report.tier, Report.requested_by)
    found = [column == value for column in columns if (value := getattr(wanted, column.key))]
    if wanted.text:
        found.append(
            or_(
                Report.query.icontains(wanted.text, autoescape=True),
                Report.title.icontains(wanted.text, autoescape=True),
            )
        )
    return found


def _row(row: Any) -> ReportRow:
    values = row._asdict()
    return ReportRow(cost_usd=money(values.pop("spent")), versions=values.pop("current_version") or 0, **values)


def money(spent: Mapping[str, Any]) -> Decimal:
    """Return the US dollars in a report's `spent`, zero if there are none."""
    try:
        return Decimal(str(spent.get("usd") or 0))
    except InvalidOperation:
        return Decimal(0)


@dataclass(frozen=True)
class VersionLine:
    version_no: int
    origin: str
    #: Name of the person; None for the machine.
    made_by: str | None
    note: str
    created_at: datetime


def report_document(context: Context, report_id: uuid.UUID, version_no: int | None = None) -> ReportDocument:
    """Return the document of a version, the latest by default. Raises NotFoundError."""
    with context.database.reading() as session:
        return existing(load_version(session, report_id, version_no), "no such version")[1]


def load_version(
    session: Session, report_id: uuid.UUID, version_no: int | None
) -> tuple[int, ReportDocument] | None:
    """Return a version's number and document, the latest for None as `version_no`; None if there is none."""
    query = select(ReportVersion.version_no, ReportVersion.document).where(ReportVersion.report_id == report_id)
    if version_no is not None:
        query = query.where(ReportVersion.version_no == version_no)
    row = session.execute(query.order_by(ReportVersion.version_no.desc()).limit(1)).one_or_none()
    return (row.version_no, ReportDocument.model_validate(row.document)) if row else None


@dataclass(frozen=True)
class ReportVersions:
    facts: ReportFacts
    #: Newest first; empty until the first version is written.
    versions: tuple[VersionLine, ...]


def report_versions(context: Context, report_id: uuid.UUID) -> ReportVersions:
    """Return a report with its versions, without their text. Raises NotFoundError."""
    with context.database.reading() as session:
        return ReportVersions(report_facts(session, report_id), _version_lines(session, report_id))


def _version_lines(session: Session, report_id: uuid.UUID) -> tuple[VersionLine, ...]:
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


@dataclass(frozen=True)
class ReportDetail:
    progress: ReportProgress
    #: None until the first version is written.
    version_no: int | None
    document: ReportDocument | None
    versions: tuple[VersionLine, ...]
    claims: tuple[ReportClaim, ...]
    #: The ids of the claims whose passages the person took into their own document.
    taken: frozenset[str]

    def checked(self, status: str) -> list[ReportClaim]:
        """Return the claims with this status."""
        return [claim for claim in self.claims if claim.status == status]

    @property
    def verified_anew(self) -> list[ReportClaim]:
        """The claims that the third round verified with sources of other domains."""
        return [claim for claim in self.claims if claim.verification is not None]


def report_detail(
    context: Context, report_id: uuid.UUID, version_no: int | None = None, person_id: uuid.UUID | None = None
) -> ReportDetail:
    """Return a report with one version, the latest by default, for a person. Raises NotFoundError."""
    progress = report_progress(context, report_id)
    with context.database.reading() as session:
        found = load_version(session, report_id, version_no)
        if found is None and version_no is not None:
            raise NotFoundError("no such version")
        number, document = found or (None, None)
        rows = session.execute(_claims(report_id, person_id)).all()
        return ReportDetail(
            progress,
            number,
            document,
            _version_lines(session, report_id),
            tuple(row.ReportClaim for row in rows),
            frozenset(row.ReportClaim.claim_id for row in rows if row.taken),
        )


def _claims(report_id: uuid.UUID, person_id: uuid.UUID | None) -> Select[*tuple[Any, ...]]:
    """Select the claims of a report, and whether the person took their passages."""
    same = ReportExcerpt.report_id == ReportClaim.report_id, ReportExcerpt.claim_id == ReportClaim.claim_id
    return (
        select(ReportClaim, ReportExcerpt.claim_id.is_not(None).label("taken"))
        .outerjoin(ReportExcerpt, and_(*same, ReportExcerpt.person_id == person_id))
        .where(ReportClaim.report_id == report_id)
        .order_by(ReportClaim.created_at, ReportClaim.claim_id)
    )
