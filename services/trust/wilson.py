"""Wilson's score interval of a share, also of a weighted sample. Pure.

Wilson 1927; of a weighted sample by Kish's effective sample size (Kish 1965, section 11.7).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

#: Two-sided 95 %.
Z = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Interval:
    """Bounds of a share, 0-1."""

    low: float
    high: float

    @property
    def width(self) -> float:
        return self.high - self.low


@dataclass(frozen=True, slots=True)
class Share:
    """An estimated share with its interval."""

    #: None where nothing was judged.
    value: float | None
    interval: Interval
    #: How many were judged.
    judged: int
    #: As many equally weighted ones would say as much.
    effective: float


def wilson(share: float, number: float, z: float = Z) -> Interval:
    """Return the interval of a share that was seen in `number` trials; (0, 1) without trials.

    `number` need not be whole. Raises ValueError unless 0 <= share <= 1 and number >= 0.
    """
    if not 0 <= share <= 1 or number < 0:
        raise ValueError(f"no share of a number of trials: {share}, {number}")
    if number == 0:
        return Interval(0.0, 1.0)
    squared = z * z / number
    middle = (share + squared / 2) / (1 + squared)
    half = z / (1 + squared) * math.sqrt(share * (1 - share) / number + squared / (4 * number))
    # A share of 0 or 1 is its own bound; the sums miss it by a rounding.
    low = 0.0 if share == 0 else max(0.0, middle - half)
    high = 1.0 if share == 1 else min(1.0, middle + half)
    return Interval(low, high)


def effective_size(weights: Iterable[float]) -> float:
    """Return Kish's effective sample size, (sum of weights)² / sum of squared weights; 0.0 for none.

    Raises ValueError for a weight that is not positive.
    """
    total = squares = 0.0
    for weight in weights:
        if weight <= 0:
            raise ValueError(f"a weight must be positive: {weight}")
        total += weight
        squares += weight * weight
    return total * total / squares if squares else 0.0


def weighted_share(judged: Iterable[tuple[bool, float] | tuple[bool, float, int]]) -> Share:
    """Return the share of the right ones among (right, weight) or (right, weight, how many of these)."""
    total = squares = right_ones = 0.0
    number = 0
    for right, weight, *counted in judged:
        count = counted[0] if counted else 1
        if weight <= 0:
            raise ValueError(f"a weight must be positive: {weight}")
        total += count * weight
        squares += count * weight * weight
        right_ones += count * weight if right else 0.0
        number += count
    if not number:
        return Share(None, Interval(0.0, 1.0), 0, 0.0)
    value, effective = min(1.0, right_ones / total), total * total / squares
    return Share(value, wilson(value, effective), number, effective)
