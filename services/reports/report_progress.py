"""The progress of a report: rounds with tasks and memos, gaps, sources, and budget used."""

from __future__ import annotations

import hashlib
import uuid
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.messages import Message
from core.models import ReportGap, ReportRound, ReportSource, ReportTask
from research.memo import Gap
from research.memo.gap_messages import gap_message
from services.context import Context
from services.reports.report_facts import ReportFacts, report_facts


@dataclass(frozen=True)
class TaskProgress:
    """One question assigned to one researcher."""

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
    """One of the three rounds."""

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

    @property
    def fingerprint(self) -> str:
        """Hash that changes whenever the shown data changes."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:32]


def report_progress(context: Context, report_id: uuid.UUID) -> ReportProgress:
    """Return the progress of one report. Raises NotFoundError."""
    with context.database.session() as session:
        facts = report_facts(session, report_id)
        sources = report_sources(session, report_id)
        return ReportProgress(facts, _rounds(session, report_id), _gaps(session, report_id), sources)


def _rounds(session: Session, report_id: uuid.UUID) -> tuple[RoundProgress, ...]:
    tasks = _tasks(session, report_id)
    rows = session.scalars(
        select(ReportRound).where(ReportRound.report_id == report_id).order_by(ReportRound.round_index)
    )
    return tuple(
        RoundProgress(
            row.round_index,
            row.started_at,
            row.ended_at,
            row.skipped_because,
            tuple(tasks.get(row.round_index, ())),
            row.memo,
        )
        for row in rows
    )


def _tasks(session: Session, report_id: uuid.UUID) -> dict[int, list[TaskProgress]]:
    counted = Counter(
        (row.task_id, row.status)
        for row in session.execute(
            select(ReportSource.task_id, ReportSource.status).where(ReportSource.report_id == report_id)
        )
    )
    rows = session.execute(
        select(
            ReportTask.task_id,
            ReportTask.round_index,
            ReportTask.kind,
            ReportTask.question,
            ReportTask.queries,
            ReportTask.status,
            ReportTask.error_code,
            ReportTask.gap_id,
        )
        .where(ReportTask.report_id == report_id)
        .order_by(ReportTask.round_index, ReportTask.task_id)
    )
    found: dict[int, list[TaskProgress]] = {}
    for row in rows:
        values = row._asdict()
        task = TaskProgress(
            **{
                **{name: value for name, value in values.items() if name != "round_index"},
                "queries": tuple(row.queries),
            },
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
        GapProgress(
            row.gap_id,
            row.gap_type,
            row.description,
            row.priority,
            row.candidate_name,
            tuple(row.missing_fields),
            row.missing_topic,
            row.state,
            tuple(row.evidence),
            row.opened_round,
            row.closed_round,
            row.have,
            row.wanted,
        )
        for row in rows
    )


def report_sources(session: Session, report_id: uuid.UUID) -> tuple[SourceLine, ...]:
    """Return all sources of a report in the order of reading, including those that failed."""
    rows = session.scalars(
        select(ReportSource)
        .where(ReportSource.report_id == report_id)
        .order_by(ReportSource.round_index, ReportSource.retrieved_at, ReportSource.key)
    )
    return tuple(
        SourceLine(
            row.key,
            row.kind,
            row.provider,
            row.title,
            tuple(row.authors),
            row.year,
            row.publisher,
            row.url,
            row.domain,
            row.status,
            row.error_code,
            row.char_count,
            row.round_index,
            row.retrieved_at,
        )
        for row in rows
    )
