"""Counts over time as a chart of stacked bars, an SVG without inline styles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Span = TypeVar("Span")
WIDTH = 720.0
HEIGHT = 140.0
_GAP_SHARE = 0.25


@dataclass(frozen=True)
class Bar(Generic[Span]):
    """One piece of the bar of one span of time."""

    of: Span
    kind: str
    count: int
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class StackedBars(Generic[Span]):
    """All bars; `top` is the value of the full height."""

    bars: list[Bar[Span]]
    top: int
    width: float = WIDTH
    height: float = HEIGHT


def stacked_bars(
    columns: Sequence[tuple[Span, Mapping[str, int]]], kinds: Sequence[str]
) -> StackedBars[Span] | None:
    """Return the chart of counts by kind, the first kind at the bottom; None if there is nothing to draw."""
    top = max((sum(counts.get(kind, 0) for kind in kinds) for _, counts in columns), default=0)
    if top == 0:
        return None
    step = WIDTH / len(columns)
    bars: list[Bar[Span]] = []
    for index, (span, counts) in enumerate(columns):
        base = HEIGHT
        for kind in kinds:
            if count := counts.get(kind, 0):
                height = HEIGHT * count / top
                base -= height
                bars.append(Bar(span, kind, count, index * step, base, step * (1 - _GAP_SHARE), height))
    return StackedBars(bars, top)
