"""What another threshold of completion would do, from recorded confidences and from what people found. Pure.

Only an entry of which nothing is missing, weak or in doubt can pass unseen, whatever the threshold: a ready one.
Those above the threshold that was in force are known by audits, those below it by reviewers' decisions.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from services.trust.reliability import Judged
from services.trust.wilson import Share, weighted_share

#: A threshold is proposed only where it rests on that many equally weighted judgements.
LEAST_EFFECTIVE = 100
#: Thresholds that are tried for a wanted precision.
GRID = tuple(step / 200 for step in range(160, 201))


@dataclass(frozen=True, slots=True)
class Recorded:
    """The confidences of a span of time."""

    #: Of the entries that were ready, in ascending order.
    ready: Sequence[float]
    #: All entries of the span, whether ready or not.
    entries: int
    weeks: float

    def passing(self, threshold: float) -> int:
        """How many entries pass unseen at a threshold."""
        return len(self.ready) - bisect_left(self.ready, threshold)


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a threshold would do."""

    threshold: float
    #: Entries of the span that would pass unseen, and their share of all.
    passing: int
    unseen: float | None
    precision: Share
    #: Entries a week that people would see beyond those they see now; negative for fewer.
    more_a_week: float | None


def forecast(recorded: Recorded, judged: Sequence[Judged], threshold: float, in_force: float) -> Forecast:
    """Return what `threshold` would do where `in_force` is the present one.

    `judged` are entries with the confidence of the whole entry: right where every value that was looked at is.
    """
    passing = recorded.passing(threshold)
    more = recorded.passing(in_force) - passing
    return Forecast(
        threshold,
        passing,
        passing / recorded.entries if recorded.entries else None,
        precision_at(judged, threshold),
        more / recorded.weeks if recorded.weeks > 0 else None,
    )


def precision_at(judged: Sequence[Judged], threshold: float) -> Share:
    """Return the share of right entries among those that would pass unseen at a threshold."""
    return weighted_share((one.right, one.weight, one.count) for one in judged if one.confidence >= threshold)


def threshold_for(recorded: Recorded, judged: Sequence[Judged], wanted: float) -> float | None:
    """Return the lowest threshold of the grid whose expected precision reaches `wanted`; None where none is known.

    A threshold counts only if every higher one that enough was judged for reaches `wanted` too.
    """
    lowest = None
    for threshold in reversed(GRID):
        found = precision_at(judged, threshold)
        if found.value is None or found.effective < LEAST_EFFECTIVE or not recorded.passing(threshold):
            continue
        if found.value < wanted:
            break
        lowest = threshold
    return lowest
