"""Histograms with fixed buckets on a log scale: percentiles are computed from counts. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping

#: Lower bounds of the buckets, in milliseconds or seconds, each about √2 times the one before; the last is open.
BOUNDS: tuple[int, ...] = (0, *sorted({round(2 ** (power / 2)) for power in range(52)}))


def bucket_of(value: float) -> int:
    """Return the lower bound of the bucket that a value ≥ 0 falls into."""
    return BOUNDS[bisect_right(BOUNDS, value) - 1]


def quantile(counts: Mapping[int, int], share: float) -> float | None:
    """Return the value that `share` of all values do not exceed; None for no values.

    `counts` are numbers of values by the lower bound of their bucket. Within a bucket the values are taken to be
    spread evenly, so that the result is off by less than the width of one bucket.
    """
    total = sum(counts.values())
    if total <= 0:
        return None
    wanted, seen = share * total, 0
    for low in sorted(counts):
        if counts[low] > 0 and seen + counts[low] >= wanted:
            return low + (_end(low) - low) * max(wanted - seen, 0) / counts[low]
        seen += counts[low]
    raise AssertionError("unreachable: all values were seen")


def _end(low: int) -> int:
    following = bisect_right(BOUNDS, low)
    return BOUNDS[following] if following < len(BOUNDS) else low
