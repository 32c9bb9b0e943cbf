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
class Bar:
    """One piece of the bar of one span of time."""

    kind: str
    count: int
    #: Attributes of its SVG rectangle.
    box: str


@dataclass(frozen=True)
class Column(Generic[Span]):
    """The pieces of one span of time, from the bottom."""

    of: Span
    bars: list[Bar]


@dataclass(frozen=True)
class StackedBars(Generic[Span]):
    """All columns that are not empty; `top` is the value of the full height."""

    columns: list[Column[Span]]
    top: int
    width: float = WIDTH
    height: float = HEIGHT


def stacked_bars(
    spans: Sequence[tuple[Span, Mapping[str, int]]], kinds: Sequence[str]
) -> StackedBars[Span] | None:
    """Return the chart of counts by kind, the first kind at the bottom; None if there is nothing to draw."""
    top = max((sum(counts.get(kind, 0) for kind in kinds) for _, counts in spans), default=0)
    if top == 0:
        return None
    step = WIDTH / len(spans)
    columns = [
        Column(span, _stacked(counts, kinds, index * step, step * (1 - _GAP_SHARE), HEIGHT / top))
        for index, (span, counts) in enumerate(spans)
    ]
    return StackedBars([column for column in columns if column.bars], top)


def _stacked(counts: Mapping[str, int], kinds: Sequence[str], x: float, width: float, unit: float) -> list[Bar]:
    bars: list[Bar] = []
    base = HEIGHT
    for kind in kinds:
        if count := counts.get(kind, 0):
            base -= unit * count
            box = f'x="{x:.2f}" y="{base:.2f}" width="{width:.2f}" height="{unit * count:.2f}"'
            bars.append(Bar(kind, count, box))
    return bars
