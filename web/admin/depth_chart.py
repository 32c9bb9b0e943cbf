"""How deep the queue was, as bars of an SVG without inline styles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from services.queue.depth import Span

WIDTH = 720.0
HEIGHT = 120.0
_GAP_SHARE = 0.2


@dataclass(frozen=True)
class DepthBar:
    """One span: jobs that waited, upon those that ran."""

    begins: datetime
    queued: int
    running: int
    x: float
    width: float
    queued_y: float
    queued_height: float
    running_y: float
    running_height: float


@dataclass(frozen=True)
class DepthChart:
    """All bars; `top` is the value of the full height."""

    bars: list[DepthBar]
    top: int
    first: datetime
    last: datetime
    width: float = WIDTH
    height: float = HEIGHT


def depth_chart(spans: Sequence[Span]) -> DepthChart | None:
    """Return the chart; None where nothing was sampled."""
    sampled = [(place, span) for place, span in enumerate(spans) if span.queued is not None]
    if not sampled:
        return None
    top = max(1, max((span.queued or 0) + (span.running or 0) for _, span in sampled))
    step = WIDTH / len(spans)
    bars = [_bar(span, place * step, step * (1 - _GAP_SHARE), HEIGHT / top) for place, span in sampled]
    return DepthChart(bars, top, spans[0].begins, spans[-1].begins)


def _bar(span: Span, x: float, width: float, one: float) -> DepthBar:
    queued, running = span.queued or 0, span.running or 0
    base = HEIGHT - running * one
    return DepthBar(
        span.begins,
        queued,
        running,
        x,
        width,
        queued_y=base - queued * one,
        queued_height=queued * one,
        running_y=base,
        running_height=running * one,
    )
