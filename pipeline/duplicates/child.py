"""How much two names, schools and grades speak for one child: logarithms of likelihood ratios.

Above 0 is for one child, below 0 for two. A rare name that both have says more than a common one, by the shares
of names in `pipeline.spelling.prior`. Letters may be misread, given and family names swapped, one of several left
out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA

from pipeline.extraction.values.grades import parse_grade
from pipeline.extraction.values.text import plain
from pipeline.spelling.alphabet import fold, letters
from pipeline.spelling.prior import PARTICLES, names

#: Bounds of what one equal word of a name says.
_LEAST, _MOST = 1.5, 11.0
#: What it says less than by the shares of the country: those are of given and family names together, and a school
#: has several times as many children of some names.
_NOT_EVEN = 2.0
#: What a misread letter takes away: one in twenty, and it became one of few.
_MISREAD = 4.0
#: A word that one name has more than the other; two words of which neither is the other.
_LEFT_OUT, _CLASH = -0.7, -4.5
_INITIAL = 1.5
#: A word is another one misread if at most this share of its letters differs.
_MISREAD_SHARE = 0.4
#: By the likeness of two names of schools.
_SCHOOLS = ((88.0, 3.0), (75.0, 1.5), (60.0, 0.0))
_OTHER_SCHOOL = -2.5
_SAME_GRADE, _OTHER_GRADE = 1.8, -2.0
_PARTS = re.compile(r"[^a-z']+")


def name_words(name: str | None) -> list[str]:
    """Return the words of a name, letters a-z only, without titles and particles; initials have one letter."""
    words = (letters(word) for word in _PARTS.split(fold(name or "")))
    return [word for word in words if word and (len(word) == 1 or word not in PARTICLES)]


def name_evidence(one: str | None, other: str | None) -> float:
    """Return what two names say; 0 where one is missing."""
    left, right = name_words(one), name_words(other)
    if not left or not right:
        return 0.0
    return max(_by_words(left, right), _as_one_word(left, right))


def school_evidence(one: str | None, other: str | None) -> float:
    """Return what two schools say; 0 where one is missing."""
    if not one or not other:
        return 0.0
    likeness = fuzz.ratio(plain(one), plain(other))
    return next((weight for least, weight in _SCHOOLS if likeness >= least), _OTHER_SCHOOL)


def grade_evidence(one: str | None, other: str | None) -> float:
    """Return what two grades say; 0 where one is missing or none."""
    left, right = (parse_grade(grade or "").value for grade in (one, other))
    if left is None or right is None:
        return 0.0
    return _SAME_GRADE if left == right else _OTHER_GRADE


def _by_words(left: Sequence[str], right: Sequence[str]) -> float:
    """Pair the words, those first that say most, in any order."""
    pairs = sorted(
        (
            (weight, i, j)
            for i, one in enumerate(left)
            for j, other in enumerate(right)
            if (weight := _same(one, other))
        ),
        reverse=True,
    )
    lefts, rights = set(range(len(left))), set(range(len(right)))
    total = 0.0
    for weight, i, j in pairs:
        if weight > 0 and i in lefts and j in rights:
            total += weight
            lefts.discard(i)
            rights.discard(j)
    both = min(len(lefts), len(rights))
    return total + both * _CLASH + (max(len(lefts), len(rights)) - both) * _LEFT_OUT


def _as_one_word(left: Sequence[str], right: Sequence[str]) -> float:
    """Compare the names without their spaces: words may have been joined or divided in reading."""
    one, other = "".join(left), "".join(right)
    distance = OSA.distance(one, other)
    if len(left) == len(right) or distance > _MISREAD_SHARE / 2 * max(len(one), len(other)):
        return float("-inf")
    return sum(_says(word) for word in max(left, right, key=len)) - distance * _MISREAD


def _same(one: str, other: str) -> float:
    """Return what one word of each name says if they are the same word; 0 if they cannot be."""
    if len(one) == 1 or len(other) == 1:
        return _INITIAL if one[0] == other[0] else 0.0
    if one == other:
        return _says(one)
    distance = OSA.distance(one, other)
    if distance > _MISREAD_SHARE * max(len(one), len(other)):
        return 0.0
    # What was meant is one of the two: by the commoner one, which says less.
    return max(min(_says(one), _says(other)) - distance * _MISREAD, 0.1)


def _says(word: str) -> float:
    return min(max(-names().of(word) - _NOT_EVEN, _LEAST), _MOST)
