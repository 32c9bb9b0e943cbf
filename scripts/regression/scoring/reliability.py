"""Calibration of confidences: the share of right values among those given with a confidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from scripts.regression.scoring.compare import Verdict
from scripts.regression.scoring.score import EntryScore
from services.trust import precision

_GIVEN = (Verdict.RIGHT, Verdict.WRONG, Verdict.INVENTED)
#: Counted from the essay, it has no confidence of its own.
_DERIVED = ("word_count",)


@dataclass(frozen=True)
class Judged:
    """One value that was given."""

    field: str
    confidence: float
    right: bool


def judged(entries: Iterable[EntryScore]) -> list[Judged]:
    """Return every value given with a confidence; empty values are left out."""
    return [
        Judged(name, entry.prediction.seen[name].confidence, verdict is Verdict.RIGHT)
        for entry in entries
        if entry.prediction is not None
        for name, verdict in entry.verdicts.items()
        if verdict in _GIVEN and name not in _DERIVED and name in entry.prediction.seen
    ]


def reliability(values: Sequence[Judged]) -> dict[str, Any]:
    """The curve over equal bins, the expected calibration error, and this error field by field.

    The error is the mean distance between confidence and share right over the bins, weighted by their values
    (Naeini, Cooper and Hauskrecht 2015).
    """
    fields = sorted({value.field for value in values})
    return {
        "values": len(values),
        "expected_calibration_error": calibration_error(values),
        "bins": [_shown(found) for found in _bins(values)],
        "fields": {
            name: {"values": len(own), "expected_calibration_error": calibration_error(own)}
            for name in fields
            for own in ([value for value in values if value.field == name],)
        },
    }


def _bins(values: Sequence[Judged]) -> list[precision.Bin]:
    return precision.bins(precision.Judged(value.confidence, value.right) for value in values)


def _shown(found: precision.Bin) -> dict[str, Any]:
    return {
        "from": found.low,
        "to": found.high,
        "values": found.right.judged,
        "confidence": round(found.confidence, 4),
        "right": round(found.right.value or 0.0, 4),
    }


def ranking(values: Sequence[Judged]) -> float | None:
    """Return how often a right value has the higher confidence of a right and a wrong one (the AUROC).

    Equal ones count half; None where all are right or all are wrong.
    """
    right = [value.confidence for value in values if value.right]
    wrong = [value.confidence for value in values if not value.right]
    if not right or not wrong:
        return None
    above = sum((one > other) + (one == other) / 2 for one in right for other in wrong)
    return round(above / (len(right) * len(wrong)), 4)


def calibration_error(values: Sequence[Judged]) -> float | None:
    """Return the mean distance between confidence and share right; None without values."""
    error = precision.calibration_error(_bins(values))
    return None if error is None else round(error, 4)
