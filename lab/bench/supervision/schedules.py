"""Ten thousand schedules of decisions and failures, in a few processes."""

from __future__ import annotations

import logging
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from os import cpu_count

from lab.bench.measure import Measure, exactly, measured
from tests.research.supervision.loop.test_schedules import check_schedule

SCHEDULES = 10_000
_CHUNK = 250


def measure() -> list[Measure]:
    """How many end within bounds, with the last good document and for the reason that is given."""
    with ProcessPoolExecutor(cpu_count()) as pool:
        ended = sum(pool.map(_ended, range(0, SCHEDULES, _CHUNK)), Counter[str]())
    reasons = ", ".join(f"{reason} {count}" for reason, count in ended.most_common())
    how = f"As many random schedules, each held against what happened; {reasons}"
    return [measured("schedules_ended_truthfully", ended.total(), "schedules", exactly(SCHEDULES), how)]


def _ended(first: int) -> Counter[str]:
    # The steps that fail say so, ten thousand times.
    logging.disable(logging.ERROR)
    return Counter(_checked(seed) for seed in range(first, first + _CHUNK))


def _checked(seed: int) -> str:
    return check_schedule(seed).value
