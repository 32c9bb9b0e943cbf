"""How much two essays speak for being one text, read or typed twice."""

from __future__ import annotations

from itertools import pairwise

from rapidfuzz import fuzz

#: Letters from which an essay says anything, and from which it can say that two are not one.
_FEWEST, _ENOUGH = 24, 100
#: Where one essay is so much shorter than the other, a page of it may be missing.
_PART = 0.75
#: By the likeness of the letters: what it says. Unrelated English texts have 0.5 to 0.6 of them in one order.
_BY_LIKENESS = ((0.62, -8.0), (0.68, 0.0), (0.78, 8.0), (0.9, 12.0))
#: So many letters say so much at most: a sentence may be in many essays.
_LETTERS_A_UNIT = 14.0


def essay_likeness(left: str, right: str) -> float | None:
    """Return how alike the letters of two essays are (0-1); None where one is too short to tell."""
    if min(len(left), len(right)) < _FEWEST:
        return None
    shorter, longer = sorted((left, right), key=len)
    if len(shorter) >= _PART * len(longer):
        return fuzz.ratio(shorter, longer) / 100
    return max(fuzz.ratio(shorter, part) for part in (longer[: len(shorter)], longer[-len(shorter) :])) / 100


def essay_evidence(left: str, right: str, likeness: float | None) -> float:
    """Return the logarithm of the likelihood ratio; 0 where nothing can be told."""
    if likeness is None:
        return 0.0
    length = min(len(left), len(right))
    said = _between(likeness)
    if said < 0:
        return said if length >= _ENOUGH else said / 2
    return min(said, length / _LETTERS_A_UNIT)


def _between(likeness: float) -> float:
    """Interpolate the table."""
    if likeness <= _BY_LIKENESS[0][0]:
        return _BY_LIKENESS[0][1]
    for (low, least), (high, most) in pairwise(_BY_LIKENESS):
        if likeness <= high:
            return least + (most - least) * (likeness - low) / (high - low)
    return _BY_LIKENESS[-1][1]
