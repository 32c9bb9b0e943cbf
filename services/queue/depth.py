"""Samples of the queue put together in equal spans of time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from services.queue.history import Sample


@dataclass(frozen=True)
class Span:
    """The deepest queue within one span of time; None where nothing was sampled."""

    begins: datetime
    queued: int | None
    running: int | None
    failed: int | None
    #: The fewest workers.
    workers: int | None


def in_spans(samples: Sequence[Sample], until: datetime, length: timedelta, number: int) -> list[Span]:
    """Return `number` spans of `length` that end at `until`, oldest first. Samples outside count nowhere."""
    first = until - number * length
    filled: list[list[Sample]] = [[] for _ in range(number)]
    for sample in samples:
        place = (sample.at - first) // length
        if 0 <= place < number:
            filled[place].append(sample)
    return [_span(first + place * length, within) for place, within in enumerate(filled)]


def _span(begins: datetime, within: list[Sample]) -> Span:
    if not within:
        return Span(begins, None, None, None, None)
    return Span(
        begins,
        max(one.queued for one in within),
        max(one.running for one in within),
        max(one.failed for one in within),
        min(one.workers for one in within),
    )
