"""Metrics of entries, runs and what waits for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sqlalchemy import func, select

from core.models import Escalation, OrchestratorCount, ReviewSuggestion, Season, Submission, SubmissionStatus
from services.context import Context
from services.metrics import names
from services.metrics.values import Value
from services.stats.occurrences import Kind

_QUEUES: Mapping[str, type[ReviewSuggestion] | type[Escalation]] = {
    "suggestions": ReviewSuggestion,
    "escalations": Escalation,
}


def of_submissions(context: Context) -> Iterator[Value]:
    """Yield the entries of the current season by status; every status is there, also without an entry."""
    season = select(Season.id).where(Season.is_current).scalar_subquery()
    query = (
        select(Submission.status, func.count()).where(Submission.season_id == season).group_by(Submission.status)
    )
    with context.database.session() as session:
        counted = {status: number for status, number in session.execute(query)}  # noqa: C416 - rows are no pairs to mypy
    for status in SubmissionStatus:
        yield Value(names.SUBMISSIONS, counted.get(status.value, 0), (status.value,))


def of_runs(context: Context) -> Iterator[Value]:
    """Yield runs and people's decisions by outcome, from the counts, which are kept for ever."""
    outcome_of = OrchestratorCount.keys[1]
    query = (
        select(outcome_of, func.sum(OrchestratorCount.number))
        .where(
            OrchestratorCount.scope == "month", OrchestratorCount.kind.in_((Kind.RUN.value, Kind.BY_PERSON.value))
        )
        .group_by(outcome_of)
        .order_by(outcome_of)
    )
    with context.database.session() as session:
        for outcome, number in session.execute(query):
            yield Value(names.RUNS, float(number), (outcome,))


def of_reviews(context: Context) -> Iterator[Value]:
    """Yield what waits at the desk, and how long the oldest of it has waited."""
    with context.database.session() as session:
        for queue, row in _QUEUES.items():
            age = func.extract("epoch", func.now() - func.min(row.created_at))
            number, seconds = session.execute(select(func.count(), age).where(row.status == "pending")).one()
            yield Value(names.REVIEW_WAITING, number, (queue,))
            yield Value(names.REVIEW_OLDEST_SECONDS, float(seconds or 0), (queue,))
