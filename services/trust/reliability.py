"""Reliability diagram and expected calibration error of confidences, weighted. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from services.trust.wilson import Share, weighted_share

BINS = 10


@dataclass(frozen=True, slots=True)
class Judged:
    """One value given with a confidence, and whether a person found it right."""

    confidence: float
    right: bool
    #: How many such values it stands for: 1 / the probability that it was looked at.
    weight: float = 1.0
    #: How many values were judged so.
    count: int = 1


@dataclass(frozen=True, slots=True)
class Bin:
    """The values whose confidence lies in [low, high); in the last bin also at its upper end."""

    low: float
    high: float
    #: Weighted mean of the confidences.
    confidence: float
    right: Share
    #: Share of the weight of all bins.
    weight: float


def bins(judged: Iterable[Judged], number: int = BINS) -> list[Bin]:
    """Return the bins that hold values, from low to high confidence."""
    found: dict[int, list[Judged]] = {}
    for value in judged:
        found.setdefault(min(number - 1, int(value.confidence * number)), []).append(value)
    total = sum(value.count * value.weight for values in found.values() for value in values)
    return [_bin(place, number, values, total) for place, values in sorted(found.items())]


def calibration_error(found: Sequence[Bin]) -> float | None:
    """Return the mean distance between confidence and share right over the bins, by their weight; None for none.

    The expected calibration error of Naeini, Cooper and Hauskrecht 2015.
    """
    if not found:
        return None
    return sum(one.weight * abs(one.confidence - (one.right.value or 0.0)) for one in found)


def _bin(place: int, number: int, values: Sequence[Judged], total: float) -> Bin:
    weight = sum(value.count * value.weight for value in values)
    return Bin(
        place / number,
        (place + 1) / number,
        sum(value.count * value.weight * value.confidence for value in values) / weight,
        weighted_share((value.right, value.weight, value.count) for value in values),
        weight / total,
    )
