"""The entries behind a figure, and facts about runs."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, ScalarSelect, Select, Text, cast, func, or_, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session, aliased

from core.clock import utcnow
from core.messages import Message
from core.models import Escalation, ReviewSuggestion, Run, RunFact, School, SchoolAlias, Submission, UploadBatch
from core.models.base import columns_of
from pipeline.extraction.values.text import plain_text
from services.context import Context
from services.keyset import RowPage, fetch_page
from services.seasons import current_season
from services.stats.counts import DayCount, Sums, count_run, read_counts, read_days
from services.stats.figures import MACHINE_OUTCOMES, Figure, StatsTable, cost, runs, tables_of
from services.stats.occurrences import Origin, Period, StatsFilter, day_of, origins_of

PAGE_SIZE = 50
#: Counting a queue stops here; a longer one is shown as "1,000+".
COUNT_LIMIT = 1000
#: How many of the newest batches can be chosen.
_BATCHES = 30


@dataclass(frozen=True)
class CountedRow:
    """One run, as it was counted, and the present status of its entry, without values of the entry."""

    #: Of the entry.
    id: uuid.UUID
    run_id: str
    ended_at: datetime
    outcome: str
    reason: str
    profile: str | None
    language: str | None
    ocr_provider: str | None
    status: str


def list_counted(
    context: Context,
    wanted: StatsFilter,
    figure: Figure,
    within: Period | None = None,
    cursor: str | None = None,
    limit: int = PAGE_SIZE,
) -> RowPage[CountedRow]:
    """Return one page of the current season's runs behind a figure, the last that ended first.

    `within` is the period of the figure if it differs from that of the filters. A run is listed once, however
    many of its occurrences are counted. Raises InvalidInputError for a bad cursor.
    """
    period = within or wanted.period(utcnow().date())
    listed = aliased(RunFact)
    with context.database.session() as session:
        season_id = current_season(session).id
        behind = or_(*(_has(listed, origin, figure.keys, period) for origin in origins_of(figure.kind)))
        query = _query(listed, wanted).where(listed.season_id == season_id, behind)
        rows, after, before = fetch_page(session, query, listed.ended_at, listed.submission_id, cursor, limit)
    return RowPage([CountedRow(**row._asdict()) for row in rows], after, before)


def _query(listed: type[RunFact], wanted: StatsFilter) -> Select[*tuple[Any, ...]]:
    own = (getattr(listed, column.key) for column in columns_of(RunFact, CountedRow))
    query = select(listed.submission_id.label("id"), *own, Submission.status)
    query = query.join(Submission, Submission.id == listed.submission_id)
    for column, value in (
        (listed.profile, wanted.profile),
        (listed.language, wanted.language),
        (listed.ocr_provider, wanted.ocr_provider),
        (listed.batch_id, wanted.batch_id),
        (listed.school_id, wanted.school_id if wanted.batch_id is None else None),
    ):
        if value is not None:
            # "" means unknown, as in the counts.
            query = query.where(column.is_(None) if value == "" else column == value)
    return query


def _has(listed: type[RunFact], origin: Origin, keys: Sequence[str | None], period: Period) -> ColumnElement[bool]:
    fits = [cast(key, Text) == value for key, value in zip(origin.keys, keys, strict=False) if value is not None]
    on = day_of(origin.at).between(period.first, period.last)
    found = select(RunFact.run_id).select_from(origin.rows).where(origin.where, origin.standing, on, *fits)
    return found.where(RunFact.run_id == listed.run_id).exists()


@dataclass(frozen=True)
class Choices:
    #: (id, when it came, number of files), newest first.
    batches: list[tuple[uuid.UUID, datetime, int]]
    #: (id, name).
    schools: list[tuple[uuid.UUID, str]]


@dataclass(frozen=True)
class OrchestratorStats:
    wanted: StatsFilter
    #: Runs that ended in the period, and in the one before.
    runs: int
    runs_before: int
    #: Sums of all requests to models.
    model: Sums
    model_before: Sums
    tables: dict[str, StatsTable]
    by_day: list[DayCount]
    choices: Choices
    waiting_suggestions: int
    waiting_escalations: int


def orchestrator_stats(context: Context, wanted: StatsFilter) -> OrchestratorStats:
    """Return the statistics of the current season's last days, today included."""
    today = utcnow().date()
    with context.database.session() as session:
        season_id = current_season(session).id
        now, before = read_counts(session, season_id, wanted, today)
        days = read_days(session, season_id, wanted, today, MACHINE_OUTCOMES)
        choices = _choices(session, season_id)
        numbers = (_number(season_id, ReviewSuggestion), _number(season_id, Escalation))
        suggestions, escalations = session.execute(select(*numbers)).one()
    return OrchestratorStats(
        wanted=wanted,
        runs=runs(now),
        runs_before=runs(before),
        model=cost(now),
        model_before=cost(before),
        tables=tables_of(now, before),
        by_day=days,
        choices=choices,
        waiting_suggestions=suggestions,
        waiting_escalations=escalations,
    )


def _choices(session: Session, season_id: uuid.UUID) -> Choices:
    batches = session.execute(
        select(UploadBatch.id, UploadBatch.created_at, UploadBatch.file_count)
        .where(UploadBatch.season_id == season_id)
        .order_by(UploadBatch.created_at.desc(), UploadBatch.id)
        .limit(_BATCHES)
    )
    schools = session.execute(
        select(School.id, School.name).where(School.season_id == season_id).order_by(School.name)
    )
    return Choices([(row[0], row[1], row[2]) for row in batches], [(row[0], row[1]) for row in schools])


def _number(season_id: uuid.UUID, model: type[ReviewSuggestion] | type[Escalation]) -> ScalarSelect[int]:
    """Return a query of how many wait, at most COUNT_LIMIT."""
    some = select(model.id).where(model.season_id == season_id, model.status == "pending").limit(COUNT_LIMIT)
    return select(func.count()).select_from(some.subquery()).scalar_subquery()


def note_run(
    session: Session,
    run: Run,
    submission: Submission,
    outcome: str,
    reason: Message,
    tools: Sequence[str],
    ocr_provider: str | None,
) -> None:
    """Write the facts of a run with which the machine is done, and count it; a second call changes nothing.

    `ocr_provider` is the one that recognised any of its pages, None if their text came from the file.
    """
    session.flush()
    written = session.scalar(
        insert(RunFact)
        .values(
            run_id=run.run_id,
            submission_id=submission.id,
            season_id=run.season_id,
            batch_id=submission.batch_id,
            outcome=outcome,
            reason=reason.code,
            fields=fields_named(reason),
            doubts=list(submission.review_reason_codes),
            tools=list(tools),
            profile=submission.profile,
            language=submission.language,
            ocr_provider=ocr_provider,
            school_id=_listed_school(session, submission),
        )
        .on_conflict_do_nothing()
        .returning(RunFact.run_id)
    )
    if written is not None:
        count_run(session, run.run_id)


def fields_named(reason: Message) -> list[str]:
    """Return the fields that a reason, or a reason within it, says are missing, doubtful or to be confirmed."""
    return list(dict.fromkeys(_fields_of(reason.params)))


def _fields_of(params: Any) -> list[str]:
    if isinstance(params, Message):
        return _fields_of(params.params)
    if isinstance(params, Mapping):
        named = params.get("fields")
        own = [str(name) for name in named] if isinstance(named, list | tuple) else []
        return own + [name for key, value in params.items() if key != "fields" for name in _fields_of(value)]
    if isinstance(params, list | tuple):
        return [name for value in params for name in _fields_of(value)]
    return []


def _listed_school(session: Session, submission: Submission) -> uuid.UUID | None:
    """Return the school of the season's list that the entry names, None if the list has no such name."""
    key = plain_text(submission.school_name or "")
    if not key:
        return None
    aliases = select(SchoolAlias.school_id).where(SchoolAlias.alias_key == key)
    return session.scalar(
        select(School.id)
        .where(School.season_id == submission.season_id, or_(School.name_key == key, School.id.in_(aliases)))
        .order_by(School.name_key != key, School.id)
        .limit(1)
    )
