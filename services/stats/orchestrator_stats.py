"""Statistics of the supervisor over some days, from the table of daily counts, without reading its log."""

from __future__ import annotations

import uuid
from collections import Counter
from dataclasses import dataclass
from datetime import date, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.models import Escalation, OrchestratorDaily, ReviewSuggestion
from pipeline.messages import RunReason
from services.context import Context
from services.seasons import current_season

#: Outcomes of runs that the supervisor ends, in the order they are shown. Other outcomes come from people.
MACHINE_OUTCOMES = ("completed", "suggested", "escalated", "failed")
PERSON_OUTCOMES = ("resolved", "rejected")
#: Counting a queue stops here; a longer one is shown as "1,000+".
COUNT_LIMIT = 1000


@dataclass(frozen=True)
class DayCount:
    """The runs of one day by outcome."""

    day: date
    outcomes: dict[str, int]

    @property
    def total(self) -> int:
        return sum(self.outcomes.values())


@dataclass(frozen=True)
class OrchestratorStats:
    """The data of the statistics page."""

    days: int
    #: Numbers of runs by outcome of the supervisor.
    outcomes: dict[str, int]
    #: Numbers of people's decisions by outcome.
    decisions: dict[str, int]
    average_tools: float | None
    #: (code of the reason, runs), most frequent first.
    escalation_reasons: list[tuple[str, int]]
    by_day: list[DayCount]
    waiting_suggestions: int
    waiting_escalations: int

    @property
    def runs(self) -> int:
        return sum(self.outcomes.values())


def orchestrator_stats(context: Context, days: int = 30, top: int = 8) -> OrchestratorStats:
    """Return the statistics of the current season's last `days` days, including today."""
    first = utcnow().date() - timedelta(days=days - 1)
    with context.database.session() as session:
        season_id = current_season(session).id
        rows = session.execute(
            select(
                OrchestratorDaily.day,
                OrchestratorDaily.outcome,
                OrchestratorDaily.reason,
                OrchestratorDaily.runs,
                OrchestratorDaily.tools,
            ).where(OrchestratorDaily.season_id == season_id, OrchestratorDaily.day >= first)
        ).all()
        waiting = _waiting(session, season_id)
    outcomes: Counter[str] = Counter()
    decisions: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    by_day = {first + timedelta(days=offset): Counter[str]() for offset in range(days)}
    tools = 0
    for row in rows:
        if row.reason == RunReason.DECIDED_BY_PERSON:
            decisions[row.outcome] += row.runs
            continue
        outcomes[row.outcome] += row.runs
        by_day[row.day][row.outcome] += row.runs
        tools += row.tools
        if row.outcome == "escalated":
            reasons[row.reason] += row.runs
    runs = sum(outcomes.values())
    return OrchestratorStats(
        days=days,
        outcomes={outcome: outcomes[outcome] for outcome in MACHINE_OUTCOMES},
        decisions=dict(decisions),
        average_tools=tools / runs if runs else None,
        escalation_reasons=reasons.most_common(top),
        by_day=[DayCount(day, dict(counts)) for day, counts in sorted(by_day.items())],
        waiting_suggestions=waiting[0],
        waiting_escalations=waiting[1],
    )


def _waiting(session: Session, season_id: uuid.UUID) -> tuple[int, int]:
    counts = []
    for model in (ReviewSuggestion, Escalation):
        some = (
            select(model.id)
            .where(model.season_id == season_id, model.status == "pending")
            .limit(COUNT_LIMIT)
            .subquery()
        )
        counts.append(session.scalar(select(func.count()).select_from(some)) or 0)
    return counts[0], counts[1]
