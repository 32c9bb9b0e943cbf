"""Statistics of the supervisor, from counts alone."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ScalarSelect, func, select
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.models import Escalation, ReviewSuggestion, School, UploadBatch
from services.context import Context
from services.seasons import current_season
from services.stats.figures import MACHINE_OUTCOMES, StatsTable, cost, runs, tables_of
from services.stats.period import StatsFilter
from services.stats.read_counts import DayCount, Sums, read_counts, read_days

#: Counting a queue stops here; a longer one is shown as "1,000+".
COUNT_LIMIT = 1000
#: How many of the newest batches can be chosen.
_BATCHES = 30


@dataclass(frozen=True)
class Choices:
    """What can be chosen in the filters."""

    #: (id, when it came, number of files), newest first.
    batches: list[tuple[uuid.UUID, datetime, int]]
    #: (id, name).
    schools: list[tuple[uuid.UUID, str]]


@dataclass(frozen=True)
class OrchestratorStats:
    """The data of the statistics page."""

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
        suggestions, escalations = _waiting(session, season_id)
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


def _waiting(session: Session, season_id: uuid.UUID) -> tuple[int, int]:
    """Return how many proposals and escalations wait, at most COUNT_LIMIT each."""
    row = session.execute(select(_number(season_id, ReviewSuggestion), _number(season_id, Escalation))).one()
    return row[0], row[1]


def _number(season_id: uuid.UUID, model: type[ReviewSuggestion] | type[Escalation]) -> ScalarSelect[int]:
    some = select(model.id).where(model.season_id == season_id, model.status == "pending").limit(COUNT_LIMIT)
    return select(func.count()).select_from(some.subquery()).scalar_subquery()
