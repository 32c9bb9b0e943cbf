"""A supervision of a report: its attempts in order, their results, and why it ended."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session, aliased, defer

from core.errors import NotFoundError
from core.messages import Message
from core.models import (
    OPEN_SUPERVISIONS,
    Profile,
    Report,
    ReportRevision,
    ReportSource,
    ReportSupervision,
    RevisionStatus,
    SupervisionStatus,
)
from core.plain_data import built
from research.supervision.types import Ended, Issue
from services.accounts.person import name_of
from services.context import Context
from services.reports.progress import Spent, spent_of
from services.reports.versions import load_version

#: The title of a report, or its question until there is one.
REPORT_TITLE = func.coalesce(func.nullif(Report.title, ""), Report.query)


@dataclass(frozen=True)
class BroughtSource:
    key: str
    title: str


@dataclass(frozen=True)
class AttemptLine:
    revision_id: uuid.UUID
    iteration: int
    #: None if the analysis itself failed.
    issue: Issue | None
    outcome: str
    #: Why the attempt failed: the guard's objections, or the error.
    reasons: tuple[Message, ...]
    sources: tuple[BroughtSource, ...]
    base_version: int
    status: str
    made_version: int | None
    decided_by: str | None
    decided_at: datetime | None
    reason: str | None
    #: The analyst's reasons for the attempt, in its own words; "" for the rules without a model.
    reasoning: str
    confidence: float | None
    spent: tuple[Spent, ...]
    created_at: datetime


@dataclass(frozen=True)
class SupervisionLine:
    id: uuid.UUID
    report_id: uuid.UUID
    mode: str
    tier: str
    status: str
    #: Name of the graph's current node.
    phase: str
    iterations: int
    integrations: int
    ended_because: str | None
    #: Explanation of the end.
    ended_note: Message | None
    #: The analyst's reasons for ending, in its own words; "" for the rules without a model.
    reasoning: str
    confidence: float | None
    error_code: str | None
    first_version: int
    last_version: int
    requested_by: str
    created_at: datetime
    finished_at: datetime | None
    cancel_requested_by: str | None
    #: Id of the pending revision.
    waiting: uuid.UUID | None

    @property
    def standing(self) -> str:
        """The status for display: "queued" once the revision is decided, before a worker continues.

        A pending revision decides, even before the worker has recorded that it waits for it.
        """
        if self.waiting is not None and not self.over:
            return SupervisionStatus.AWAITING_DECISION.value
        decided = self.status == SupervisionStatus.AWAITING_DECISION and self.waiting is None
        return SupervisionStatus.QUEUED.value if decided else self.status

    @property
    def working(self) -> bool:
        """Whether the supervision changes without an action by a person."""
        return self.standing in (SupervisionStatus.QUEUED, SupervisionStatus.RUNNING)

    @property
    def can_begin_again(self) -> bool:
        """Whether it can be retried: it failed, was stopped or found nothing to compare."""
        given_up = self.status in (SupervisionStatus.FAILED, SupervisionStatus.CANCELLED)
        return given_up or self.ended_because == Ended.NOTHING_TO_COMPARE

    @property
    def over(self) -> bool:
        return self.status not in OPEN_SUPERVISIONS

    @property
    def stoppable(self) -> bool:
        return not self.over and self.cancel_requested_by is None


@dataclass(frozen=True)
class SupervisionTimeline:
    line: SupervisionLine
    report_title: str
    language: str
    #: Headings of the document's sections by key.
    headings: dict[str, str]
    started_at: datetime | None
    budget: tuple[Spent, ...]
    attempts: tuple[AttemptLine, ...]


def supervision_timeline(
    context: Context, supervision_id: uuid.UUID, report_id: uuid.UUID | None = None
) -> SupervisionTimeline:
    """Return one supervision with its attempts. Raises NotFoundError, also if it is not of `report_id`."""
    with context.database.reading() as session:
        row = session.execute(
            _supervisions()
            .add_columns(REPORT_TITLE.label("report_title"), Report.language)
            .join(Report, Report.id == ReportSupervision.report_id)
            .where(ReportSupervision.id == supervision_id)
        ).one_or_none()
        if row is None or report_id not in (None, row.ReportSupervision.report_id):
            raise NotFoundError("no such supervision")
        loop = row.ReportSupervision
        return SupervisionTimeline(
            line=_line(row),
            report_title=row.report_title,
            language=row.language,
            headings=_headings(session, loop),
            started_at=loop.started_at,
            budget=spent_of(loop.budget, loop.spent),
            attempts=_attempts(session, loop),
        )


def supervisions_of(context: Context, report_id: uuid.UUID) -> tuple[SupervisionLine, ...]:
    """Return the supervisions of a report, newest first."""
    with context.database.reading() as session:
        rows = session.execute(
            _supervisions()
            .where(ReportSupervision.report_id == report_id)
            .order_by(ReportSupervision.created_at.desc(), ReportSupervision.id)
        )
        return tuple(map(_line, rows))


def _headings(session: Session, loop: ReportSupervision) -> dict[str, str]:
    found = load_version(session, loop.report_id, loop.last_version)
    return {section.key: section.heading for section in found[1].sections} if found else {}


def _supervisions() -> Select[*tuple[Any, ...]]:
    """Select supervisions with the names of their people and the id of the revision that waits."""
    asker, canceller = aliased(Profile), aliased(Profile)
    waiting = (
        select(ReportRevision.id)
        .where(
            ReportRevision.supervision_id == ReportSupervision.id,
            ReportRevision.status == RevisionStatus.PENDING.value,
        )
        .limit(1)
        .scalar_subquery()
    )
    return (
        select(
            ReportSupervision,
            name_of(asker).label("requested_by"),
            name_of(canceller).label("cancelled_by"),
            waiting.label("waiting"),
        )
        .join(asker, asker.id == ReportSupervision.requested_by)
        .outerjoin(canceller, canceller.id == ReportSupervision.cancel_requested_by)
    )


def _line(row: Any) -> SupervisionLine:
    loop = row.ReportSupervision
    return built(
        SupervisionLine,
        loop,
        requested_by=row.requested_by or "",
        cancel_requested_by=row.cancelled_by,
        waiting=row.waiting if loop.status in OPEN_SUPERVISIONS else None,
    )


def _attempts(session: Session, loop: ReportSupervision) -> tuple[AttemptLine, ...]:
    decider = aliased(Profile)
    # The documents are large and are loaded one at a time.
    large = (ReportRevision.document, ReportRevision.edited_document, ReportRevision.claims)
    rows = session.execute(
        select(ReportRevision, name_of(decider))
        .options(*map(defer, large))
        .outerjoin(decider, decider.id == ReportRevision.decided_by)
        .where(ReportRevision.supervision_id == loop.id)
        .order_by(ReportRevision.iteration)
    ).all()
    sources = titles_of(session, loop.report_id, {key for row, _ in rows for key in row.source_keys})
    return tuple(_attempt(row, decided_by, sources) for row, decided_by in rows)


def titles_of(session: Session, report_id: uuid.UUID, keys: Iterable[str]) -> Mapping[str, str]:
    """Return the titles of a report's sources by key; unknown keys are left out."""
    rows = session.execute(
        select(ReportSource.key, ReportSource.title).where(
            ReportSource.report_id == report_id, ReportSource.key.in_(list(keys))
        )
    )
    return {row.key: row.title for row in rows}


def _attempt(row: ReportRevision, decided_by: str | None, titles: Mapping[str, str]) -> AttemptLine:
    return built(
        AttemptLine,
        row,
        decided_by=decided_by,
        revision_id=row.id,
        issue=Issue.model_validate(row.issue) if row.issue else None,
        reasons=tuple(row.reasons),
        sources=tuple(BroughtSource(key, titles.get(key) or key) for key in row.source_keys),
        spent=spent_of({}, row.spent),
    )
