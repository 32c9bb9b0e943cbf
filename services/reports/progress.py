"""How far a report is: its request, limits and status, rounds, tasks, gaps, sources and the budget used."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session, aliased

from core.errors import existing
from core.messages import Message
from core.models import Profile, Report, ReportGap, ReportRound, ReportSource, ReportStatus, ReportTask
from core.models.base import columns_of
from core.models.report import OPEN_REPORTS
from core.plain_data import built
from research.memo import Gap, gap_message
from services.accounts.person import name_of
from services.context import Context

_LISTS = ("fields", "kinds", "providers", "domains_allowed", "domains_denied")
_LIMITED = ("minutes", "calls", "tokens", "usd")


@dataclass(frozen=True)
class Spent:
    """The use of one resource of the budget."""

    #: "minutes", "calls", "tokens" or "usd".
    name: str
    spent: float
    #: None if it has no limit.
    limit: float | None

    @property
    def used_up(self) -> bool:
        return self.limit is not None and self.spent >= self.limit


@dataclass(frozen=True)
class ReportFacts:
    """A row of `reports` prepared for display."""

    id: uuid.UUID
    query: str
    title: str
    origin: str
    report_type: str
    type_chosen: bool
    target_items: int | None
    fields: tuple[str, ...]
    language: str
    tier: str
    kinds: tuple[str, ...]
    providers: tuple[str, ...]
    domains_allowed: tuple[str, ...]
    domains_denied: tuple[str, ...]
    #: Numbers of researchers as three digits, None if not given.
    allocation_user: str | None
    allocation_model: str | None
    allocation_effective: str | None
    #: As changed by the person who approved the plan, None if unchanged.
    allocation_approved: str | None
    #: Who decided on the numbers of researchers, and what was changed for lack of providers.
    allocation_notes: tuple[Message, ...]
    #: The model's reasons for its choice of researchers; "" if it made none.
    allocation_reasoning: str
    approve_plan: bool
    #: Whether a supervision starts once the report is written.
    supervise: bool
    plan: dict[str, Any] | None
    plan_approved_by: str | None
    plan_approved_at: datetime | None
    budget: tuple[Spent, ...]
    status: str
    phase: str
    ended_because: str | None
    error_code: str | None
    cancel_requested_by: str | None
    cancel_requested_at: datetime | None
    current_version: int | None
    is_sample: bool
    version: int
    asked_by: str
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None

    @property
    def working(self) -> bool:
        """Whether the report changes without an action by a person."""
        return self.standing in (ReportStatus.QUEUED, ReportStatus.RUNNING)

    @property
    def standing(self) -> str:
        """The status for display: "queued" once the plan is approved, before a worker continues."""
        approved = self.status == ReportStatus.AWAITING_PLAN and self.plan_approved_at is not None
        return ReportStatus.QUEUED.value if approved else self.status

    @property
    def stoppable(self) -> bool:
        return self.status in OPEN_REPORTS and self.cancel_requested_at is None


def report_facts(session: Session, report_id: uuid.UUID) -> ReportFacts:
    """Return the facts of one report. Raises NotFoundError."""
    asker, approver, canceller = (aliased(Profile) for _ in range(3))
    query = (
        select(
            Report,
            name_of(asker).label("asked_by"),
            name_of(approver).label("approved_by"),
            name_of(canceller).label("cancelled_by"),
        )
        .join(asker, asker.id == Report.requested_by)
        .outerjoin(approver, approver.id == Report.plan_approved_by)
        .outerjoin(canceller, canceller.id == Report.cancel_requested_by)
        .where(Report.id == report_id)
    )
    row = existing(session.execute(query).one_or_none(), "no such report")
    report = row.Report
    values: dict[str, Any] = {name: tuple(getattr(report, name)) for name in _LISTS}
    values |= {f"allocation_{who}": digits(report.allocation.get(who)) for who in ("user", "model", "effective")}
    planned = digits((report.plan or {}).get("allocation"))
    changed = report.plan_approved_at is not None and planned != values["allocation_effective"]
    return built(
        ReportFacts,
        report,
        **values,
        allocation_approved=planned if changed else None,
        allocation_notes=tuple(Message.from_json(note) for note in report.allocation.get("notes", ())),
        budget=spent_of(report.budget, report.spent),
        asked_by=row.asked_by or "",
        plan_approved_by=row.approved_by,
        cancel_requested_by=row.cancelled_by,
    )


def digits(allocation: Any) -> str | None:
    """Return {"web_count": 2, "academic_count": 1, "book_count": 0} as "210"; one digit alone is the web count."""
    if isinstance(allocation, Mapping):
        return "".join(str(allocation.get(f"{kind}_count", 0)) for kind in ("web", "academic", "book"))
    return f"{allocation:0<3}" if allocation else None


def spent_of(budget: Mapping[str, Any], spent: Mapping[str, Any]) -> tuple[Spent, ...]:
    """Return the use and the limit of each resource."""
    return tuple(
        Spent(name, float(spent.get(name) or 0), None if budget.get(name) is None else float(budget[name]))
        for name in _LIMITED
    )


@dataclass(frozen=True)
class TaskProgress:
    task_id: str
    kind: str
    question: str
    queries: tuple[str, ...]
    status: str
    error_code: str | None
    gap_id: str | None
    #: Numbers of sources that were read, and that could not be read.
    sources_read: int
    sources_failed: int


@dataclass(frozen=True)
class GapProgress:
    """A gap of knowledge that the research should close, and the evidence that closed it."""

    gap_id: str
    gap_type: str
    description: str
    priority: int
    candidate_name: str | None
    missing_fields: tuple[str, ...]
    missing_topic: str | None
    state: str
    #: Ids of claims or keys of sources.
    evidence: tuple[str, ...]
    opened_round: int
    closed_round: int | None
    have: int | None
    wanted: int | None

    @property
    def message(self) -> Message | None:
        """The gap as a message; None if it has only a description."""
        fields = list(self.missing_fields)
        named, topic = self.candidate_name, self.missing_topic
        return gap_message(Gap(self.gap_type, "", 1, named, fields, topic, have=self.have, wanted=self.wanted))


@dataclass(frozen=True)
class RoundProgress:
    round_index: int
    started_at: datetime
    ended_at: datetime | None
    skipped_because: str | None
    tasks: tuple[TaskProgress, ...]
    #: As written by `research.memo`; None while the round is in progress.
    memo: dict[str, Any] | None


@dataclass(frozen=True)
class SourceLine:
    """A source that was read, or that could not be read."""

    key: str
    kind: str
    provider: str
    title: str
    authors: tuple[str, ...]
    year: int | None
    publisher: str | None
    url: str | None
    domain: str
    status: str
    error_code: str | None
    char_count: int
    round_index: int
    retrieved_at: datetime


@dataclass(frozen=True)
class ReportProgress:
    """The data of the page of a report in progress."""

    facts: ReportFacts
    rounds: tuple[RoundProgress, ...]
    gaps: tuple[GapProgress, ...]
    sources: tuple[SourceLine, ...]

    @property
    def working(self) -> bool:
        return self.facts.working

    @property
    def tasks_done(self) -> int:
        return sum(task.status not in ("queued", "running") for task in self._tasks)

    @property
    def tasks_total(self) -> int:
        return len(self._tasks)

    @property
    def sources_read(self) -> int:
        return sum(source.status == "read" for source in self.sources)

    @property
    def sources_failed(self) -> int:
        return len(self.sources) - self.sources_read

    @property
    def domains(self) -> int:
        """Number of distinct domains among the sources that were read."""
        return len({source.domain for source in self.sources if source.status == "read"})

    @property
    def gaps_open(self) -> int:
        return sum(gap.state == "open" for gap in self.gaps)

    def source_of(self, evidence: str) -> str | None:
        """Return the evidence if it is the key of a source, else None."""
        return next((source.key for source in self.sources if source.key == evidence), None)

    @property
    def _tasks(self) -> list[TaskProgress]:
        return [task for one in self.rounds for task in one.tasks]


def report_progress(context: Context, report_id: uuid.UUID) -> ReportProgress:
    """Return the progress of one report. Raises NotFoundError."""
    with context.database.reading() as session:
        facts = report_facts(session, report_id)
        sources = _sources(session, report_id)
        lines = tuple(built(SourceLine, row, authors=tuple(row.authors)) for row in sources)
        return ReportProgress(facts, _rounds(session, report_id, sources), _gaps(session, report_id), lines)


def _rounds(session: Session, report_id: uuid.UUID, sources: Sequence[ReportSource]) -> tuple[RoundProgress, ...]:
    tasks = _tasks(session, report_id, sources)
    rows = session.scalars(
        select(ReportRound).where(ReportRound.report_id == report_id).order_by(ReportRound.round_index)
    )
    return tuple(built(RoundProgress, row, tasks=tuple(tasks.get(row.round_index, ()))) for row in rows)


def _tasks(
    session: Session, report_id: uuid.UUID, sources: Sequence[ReportSource]
) -> dict[int, list[TaskProgress]]:
    counted = Counter((source.task_id, source.status) for source in sources)
    rows = session.execute(
        select(*columns_of(ReportTask, TaskProgress), ReportTask.round_index)
        .where(ReportTask.report_id == report_id)
        .order_by(ReportTask.round_index, ReportTask.task_id)
    )
    found: dict[int, list[TaskProgress]] = {}
    for row in rows:
        task = built(
            TaskProgress,
            row,
            queries=tuple(row.queries),
            sources_read=counted[row.task_id, "read"],
            sources_failed=counted[row.task_id, "failed"],
        )
        found.setdefault(row.round_index, []).append(task)
    return found


def _gaps(session: Session, report_id: uuid.UUID) -> tuple[GapProgress, ...]:
    rows = session.scalars(
        select(ReportGap)
        .where(ReportGap.report_id == report_id)
        .order_by(ReportGap.opened_round, ReportGap.priority, ReportGap.gap_id)
    )
    return tuple(
        built(GapProgress, row, missing_fields=tuple(row.missing_fields), evidence=tuple(row.evidence))
        for row in rows
    )


def _sources(session: Session, report_id: uuid.UUID) -> Sequence[ReportSource]:
    """Return all sources of a report in the order of reading, including those that failed."""
    return session.scalars(
        select(ReportSource)
        .where(ReportSource.report_id == report_id)
        .order_by(ReportSource.round_index, ReportSource.retrieved_at, ReportSource.key)
    ).all()
