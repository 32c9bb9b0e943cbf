"""The collector of a scrape: it keeps nothing, so that any number of processes give the same answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.core import Metric as Family
from prometheus_client.registry import Collector
from redis.exceptions import RedisError
from sqlalchemy.exc import SQLAlchemyError

from services.context import Context
from services.metrics import names
from services.metrics.names import ALL, Metric
from services.metrics.of_models import of_models
from services.metrics.of_parts import of_database, of_store
from services.metrics.of_queue import of_failures, of_reconciler, of_redis
from services.metrics.of_submissions import of_reviews, of_runs, of_submissions
from services.metrics.values import Value

_Read = Callable[[Context], Iterable[Value]]
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
        found: dict[Metric, list[Value]] = {metric: [] for metric in ALL}
        for value in self._values():
            found[value.metric].append(value)
        for metric, values in found.items():
            if values:
                yield _family(metric, values)

    def _values(self) -> Iterator[Value]:
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
        yield Value(names.UP, float(database), ("database",))
        yield Value(names.UP, float(queue), ("queue",))


def _family(metric: Metric, values: Iterable[Value]) -> Family:
    of_kind = CounterMetricFamily if metric.kind == "counter" else GaugeMetricFamily
    family = of_kind(metric.exposed, metric.help, labels=metric.labels)
    for value in values:
        family.add_metric(value.labels, value.number)
    return family
