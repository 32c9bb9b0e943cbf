"""Figures for a monitoring server, in the format of Prometheus."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from itertools import chain

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.core import Metric as Family
from prometheus_client.registry import Collector
from redis.exceptions import RedisError
from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError

from core.clock import utcnow
from core.database import pending
from core.models import (
    Escalation,
    ModelCallRow,
    OrchestratorCount,
    QueueSample,
    ReconcilerPass,
    ReviewSuggestion,
    Season,
    Submission,
    SubmissionStatus,
)
from core.queue import job_facts, job_ids, open_queues, workers
from services.context import Context
from services.queue.failed_work import failed_numbers
from services.recovery.work import numbers
from services.stats.occurrences import Kind

_HOUR = timedelta(hours=1)
#: The calls of models that are counted: older ones are removed, so that a sum would fall.
_LATELY = ModelCallRow.created_at > func.now() - _HOUR
_QUEUES: Mapping[str, type[ReviewSuggestion] | type[Escalation]] = {
    "suggestions": ReviewSuggestion,
    "escalations": Escalation,
}


def of_models(context: Context) -> Iterator[MetricSample]:
    """Yield calls, tokens and cost by provider."""
    calls = (
        select(ModelCallRow.provider, ModelCallRow.status, func.count())
        .where(_LATELY)
        .group_by(ModelCallRow.provider, ModelCallRow.status)
        .order_by(ModelCallRow.provider, ModelCallRow.status)
    )
    used = (
        select(
            ModelCallRow.provider,
            func.sum(ModelCallRow.tokens_in),
            func.sum(ModelCallRow.tokens_out),
            func.sum(ModelCallRow.cost_usd),
        )
        .where(_LATELY)
        .group_by(ModelCallRow.provider)
        .order_by(ModelCallRow.provider)
    )
    with context.database.reading() as session:
        for provider, status, number in session.execute(calls):
            yield MetricSample(Metric.MODEL_CALLS_LAST_HOUR, number, (provider, status))
        for provider, tokens_in, tokens_out, cost in session.execute(used):
            yield MetricSample(Metric.MODEL_TOKENS_LAST_HOUR, float(tokens_in), (provider, "in"))
            yield MetricSample(Metric.MODEL_TOKENS_LAST_HOUR, float(tokens_out), (provider, "out"))
            yield MetricSample(Metric.MODEL_COST_USD_LAST_HOUR, float(cost), (provider,))


def of_database(context: Context) -> Iterator[MetricSample]:
    """Yield how many migrations are missing. Raises SQLAlchemyError where the database does not answer."""
    with context.database.reading() as session:
        yield MetricSample(Metric.MIGRATIONS_BEHIND, len(pending(session)))


def of_store(context: Context) -> Iterator[MetricSample]:
    """Yield the free space, where files lie on this machine."""
    folder = context.settings.var_dir
    if context.settings.supabase_url is None and folder.is_dir():
        yield MetricSample(Metric.STORE_FREE_BYTES, shutil.disk_usage(folder).free)


def of_redis(context: Context) -> Iterator[MetricSample]:
    """Yield the jobs and workers. Raises RedisError where the queue does not answer."""
    ids, living = job_ids(context.redis), workers(context.redis)
    of_states = {"queued": ids.queued, "running": ids.running, "scheduled": ids.scheduled}
    for state, of_state in of_states.items():
        for kind, number in numbers(of_state).items():
            yield MetricSample(Metric.JOBS, number, (kind.value, state))
    in_hand = [worker.job_id for worker in living if worker.job_id]
    first = {queue.name: queue.get_job_ids(0, 1) for queue in open_queues(context.redis)}
    facts = job_facts(context.redis, [*in_hand, *chain(*first.values())])
    began = [facts[name].started_at for name in in_hand if name in facts]
    yield MetricSample(Metric.WORKERS, len(living))
    for queue, names in first.items():
        waiting = [facts[name].queued_at for name in names if name in facts]
        yield MetricSample(Metric.QUEUE_WAIT_SECONDS, _oldest(waiting), (queue,))
    yield MetricSample(Metric.OLDEST_RUNNING_JOB_SECONDS, _oldest(began))


def of_failures(context: Context) -> Iterator[MetricSample]:
    """Yield how many rows have failed, by kind."""
    for kind, number in failed_numbers(context).items():
        yield MetricSample(Metric.FAILED_WORK, number, (kind.value,))


def of_reconciler(context: Context) -> Iterator[MetricSample]:
    """Yield when a reconciler last counted the queue, and what reconcilers queued in the last hour."""
    with context.database.reading() as session:
        last = session.scalar(select(func.max(QueueSample.sampled_at)))
        passes = session.scalars(
            select(ReconcilerPass.requeued).where(ReconcilerPass.created_at > func.now() - _HOUR)
        ).all()
    if last is not None:
        yield MetricSample(Metric.RECONCILER_LAST_SECONDS, _oldest([last]))
    queued = Counter[str]()
    for one in passes:
        queued.update(one)
    for kind, number in sorted(queued.items()):
        yield MetricSample(Metric.RECONCILER_REQUEUED_LAST_HOUR, number, (kind,))


def _oldest(moments: list[datetime | None]) -> float:
    """Return the seconds since the first of these; 0 without one."""
    ages = [(utcnow() - at).total_seconds() for at in moments if at is not None]
    return max(0.0, *ages) if ages else 0.0


def of_submissions(context: Context) -> Iterator[MetricSample]:
    """Yield the entries of the current season by status; statuses without entries are included."""
    season = select(Season.id).where(Season.is_current).scalar_subquery()
    query = (
        select(Submission.status, func.count()).where(Submission.season_id == season).group_by(Submission.status)
    )
    with context.database.reading() as session:
        counted = {status: number for status, number in session.execute(query)}  # noqa: C416 - rows are no pairs to mypy
    for status in SubmissionStatus:
        yield MetricSample(Metric.SUBMISSIONS, counted.get(status.value, 0), (status.value,))


def of_runs(context: Context) -> Iterator[MetricSample]:
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
    with context.database.reading() as session:
        for outcome, number in session.execute(query):
            yield MetricSample(Metric.RUNS_TOTAL, float(number), (outcome,))


def of_reviews(context: Context) -> Iterator[MetricSample]:
    """Yield what waits at the desk, and how long the oldest of it has waited."""
    with context.database.reading() as session:
        for queue, row in _QUEUES.items():
            age = func.extract("epoch", func.now() - func.min(row.created_at))
            number, seconds = session.execute(select(func.count(), age).where(row.status == "pending")).one()
            yield MetricSample(Metric.REVIEW_WAITING, number, (queue,))
            yield MetricSample(Metric.REVIEW_OLDEST_SECONDS, float(seconds or 0), (queue,))


class Metric(Enum):
    """Every metric: what it says, and its labels. None of them holds a person, a school, a file or an id."""

    UP = "Whether a part answers: database or queue.", "part"
    MIGRATIONS_BEHIND = "Migrations of this version that are not applied."
    STORE_FREE_BYTES = "Free space for files, where they lie on this machine."

    WORKERS = "Workers with a heartbeat in the last half minute."
    OLDEST_RUNNING_JOB_SECONDS = "Age of the job that a worker has had in hand longest."
    JOBS = "Jobs on the queue, by kind and state: queued, running, scheduled.", "kind", "state"
    QUEUE_WAIT_SECONDS = "How long the first job of a queue has waited.", "queue"
    FAILED_WORK = "Rows that have failed for good and wait for a person, by kind.", "kind"
    RECONCILER_LAST_SECONDS = "Seconds since a reconciler last counted the queue."
    RECONCILER_REQUEUED_LAST_HOUR = "Rows that the reconciler queued in the last hour.", "kind"

    SUBMISSIONS = "Entries of the current season by status.", "status"
    RUNS_TOTAL = "Runs that have ended since the beginning, by outcome.", "outcome"
    REVIEW_WAITING = "Items that wait for a person, by queue.", "queue"
    REVIEW_OLDEST_SECONDS = "How long the oldest item has waited.", "queue"

    MODEL_CALLS_LAST_HOUR = "Calls of language models in the last hour, by status.", "provider", "status"
    MODEL_TOKENS_LAST_HOUR = "Tokens of language models in the last hour.", "provider", "direction"
    MODEL_COST_USD_LAST_HOUR = "US dollars for language models in the last hour.", "provider"

    def __init__(self, help: str, *labels: str) -> None:
        self.help, self.labels = help, labels

    @property
    def exposed(self) -> str:
        """Its name as Prometheus sees it."""
        return f"second_reader_{self.name.lower()}"


@dataclass(frozen=True)
class MetricSample:
    """A number and the values of the metric's labels, in their order."""

    metric: Metric
    number: float
    labels: tuple[str, ...] = ()


# The collector of a scrape: it keeps nothing, so that any number of processes give the same answer.


_Read = Callable[[Context], Iterable[MetricSample]]
_FROM_TABLES: tuple[_Read, ...] = (
    of_database,
    of_failures,
    of_reconciler,
    of_submissions,
    of_runs,
    of_reviews,
    of_models,
)


def exposition(context: Context) -> bytes:
    """Return all metrics in Prometheus's text format. What does not answer is `second_reader_up 0`."""
    registry = CollectorRegistry()
    registry.register(_Collector(context))
    return generate_latest(registry)


class _Collector(Collector):
    """Reads the state of one moment."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def describe(self) -> Iterable[Family]:
        """Nothing beforehand: registering must not read the database."""
        return []

    def collect(self) -> Iterator[Family]:
        """Yield each metric that there are values of."""
        found: dict[Metric, list[MetricSample]] = {metric: [] for metric in Metric}
        for value in self._values():
            found[value.metric].append(value)
        for metric, values in found.items():
            if values:
                yield _family(metric, values)

    def _values(self) -> Iterator[MetricSample]:
        yield from of_store(self._context)
        database = queue = True
        try:
            for read in _FROM_TABLES:
                yield from [*read(self._context)]
        except SQLAlchemyError:
            database = False
        try:
            yield from [*of_redis(self._context)]
        except RedisError:
            queue = False
        yield MetricSample(Metric.UP, float(database), ("database",))
        yield MetricSample(Metric.UP, float(queue), ("queue",))


def _family(metric: Metric, values: Iterable[MetricSample]) -> Family:
    of_kind = CounterMetricFamily if metric is Metric.RUNS_TOTAL else GaugeMetricFamily
    family = of_kind(metric.exposed, metric.help, labels=metric.labels)
    for value in values:
        family.add_metric(value.labels, value.number)
    return family
