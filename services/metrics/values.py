"""One value of a metric."""

from __future__ import annotations

from dataclasses import dataclass

from services.metrics.names import Metric


@dataclass(frozen=True)
class Value:
    """A number and the values of the metric's labels, in their order."""

    metric: Metric
    number: float
    labels: tuple[str, ...] = ()
