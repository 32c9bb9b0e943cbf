"""A bar, or a span between two values, beside each line of a table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

#: Width of the full value.
WIDTH = 100.0
#: Least width of what is not nothing, so that it is seen.
_LEAST = 1.0


@dataclass(frozen=True)
class Line:
    """Where a bar begins, and how wide it is, of WIDTH."""

    x: float
    width: float


def bars(values: Sequence[float | None], top: float | None = None) -> list[Line]:
    """Return a bar for each value, the largest (or `top`) at full width; None and 0 have no width."""
    known = [value for value in values if value is not None]
    full = top or max(known, default=0.0)
    return [Line(0.0, max(WIDTH * value / full, _LEAST) if value and full else 0.0) for value in values]


def spans(values: Sequence[tuple[float | None, float | None]]) -> list[Line]:
    """Return a span from the lower to the higher value of each pair, on a log scale that begins at 1."""
    full = max((math.log1p(high) for _, high in values if high), default=0.0)
    return [_span(low, high, full) for low, high in values]


def _span(low: float | None, high: float | None, full: float) -> Line:
    if low is None or high is None or not full:
        return Line(0.0, 0.0)
    x, end = (WIDTH * math.log1p(value) / full for value in (low, high))
    # A span of no length is drawn within the frame all the same.
    x = min(x, WIDTH - _LEAST)
    return Line(x, max(end - x, _LEAST))
