"""Runs by day or month as a chart of stacked bars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from services.stats.figures import MACHINE_OUTCOMES
from services.stats.read_counts import DayCount

WIDTH = 720.0
HEIGHT = 140.0
_GAP_SHARE = 0.25


@dataclass(frozen=True)
class Bar:
    """One piece of one day's bar."""

    day: DayCount
    outcome: str
    count: int
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class StackedBars:
    """All bars; `top` is the value of the full height."""

    bars: list[Bar]
    top: int
    width: float = WIDTH
    height: float = HEIGHT


def stacked_bars(by_day: Sequence[DayCount]) -> StackedBars | None:
    """Return the chart, or None if there are no runs."""
    top = max((day.total for day in by_day), default=0)
    if top == 0:
        return None
    step = WIDTH / len(by_day)
    bars: list[Bar] = []
    for index, day in enumerate(by_day):
        base = HEIGHT
        for outcome in MACHINE_OUTCOMES:
            count = day.outcomes.get(outcome, 0)
            if count:
                height = HEIGHT * count / top
                base -= height
                bars.append(Bar(day, outcome, count, index * step, base, step * (1 - _GAP_SHARE), height))
    return StackedBars(bars, top)
