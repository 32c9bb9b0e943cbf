"""Extract the numbers in a text by value, whether written in digits or in words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from research.citations.number_words import SCALES, spelled_numbers
from research.text.stems import fold_accents

_SPACES = " \u00a0\u2009\u202f"
_FIGURE = re.compile(
    rf"(?<![\w.,])(?<!\d[{_SPACES}])(?:\d{{1,3}}(?:[{_SPACES}'\u2019]\d{{3}})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)*)"
)
_SCALE = re.compile(r"^[\s-]?(mil\s+millones|[^\W\d_]+)")
_LETTER_SCALES = {"k": 1_000, "m": 10**6, "mm": 10**6, "bn": 10**9, "b": 10**9}
_PERCENT = re.compile(
    r"^(?:\s?(?:[-\u2010-\u2015]|to|and|or|a|y|o)\s?[\d.,]+)?[\s\u00a0\u202f-]?"
    r"(?:%|per\s?cent\b|pct\b|percentage|por\s?ciento|puntos\s+porcentuales)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in a text and its possible values: "1.200" may be 1.2 or 1200."""

    text: str
    values: frozenset[Decimal]
    percent: bool

    def is_in(self, others: Iterable[Quantity]) -> bool:
        """Return whether one of the others may have the same value; a percentage matches only a percentage."""
        return any(self.values & other.values and (other.percent or not self.percent) for other in others)


def quantities_in(text: str) -> list[Quantity]:
    """Return the numbers in a text: figures with their scale ("1.5 million"), words, years, ends of ranges."""
    found = [(match.start(), match.end(), _values(match[0])) for match in _FIGURE.finditer(text)]
    spelled = [(start, end, frozenset({Decimal(value)})) for start, end, value in spelled_numbers(text)]
    behind_figures = {_scale(text[end:])[1] + end for _, end, _ in found if _scale(text[end:])[1]}
    quantities = []
    for start, end, values in sorted(found + [word for word in spelled if word[1] not in behind_figures]):
        scale, length = _scale(text[end:]) if text[start].isdigit() else (1, 0)
        stop = end + length
        percent = bool(_PERCENT.match(text[stop : stop + 40]))
        quantities.append(Quantity(text[start:stop], frozenset(value * scale for value in values), percent))
    return quantities


def _values(figure: str) -> frozenset[Decimal]:
    """Return the possible values of a figure, in which a comma or point may mark decimals or thousands."""
    plain = re.sub(rf"[{_SPACES}'\u2019]", "", figure)
    marks = re.findall(r"[.,]", plain)
    if not marks:
        return frozenset({Decimal(plain)})
    groups = re.split(r"[.,]", plain)
    as_thousands = Decimal("".join(groups))
    as_decimal = Decimal("".join(groups[:-1]) + "." + groups[-1])
    if len(set(marks)) > 1:
        return frozenset({as_decimal})
    if len(marks) > 1:
        in_threes = all(len(group) == 3 for group in groups[1:])
        return frozenset({as_thousands}) if in_threes else frozenset(map(Decimal, groups))
    if len(groups[1]) == 3 and groups[0] != "0" and len(groups[0]) <= 3 and len(plain) == len(figure):
        return frozenset({as_thousands, as_decimal})
    return frozenset({as_decimal})


def _scale(behind: str) -> tuple[int, int]:
    """Return the factor given by the word after a figure, and that word's end; (1, 0) if it gives none."""
    match = _SCALE.match(behind)
    if match is None:
        return 1, 0
    word = fold_accents(match[1]).casefold()
    if word.split() == ["mil", "millones"]:
        return 10**9, match.end()
    attached = match.start(1) == 0
    scale = SCALES.get(word) or (_LETTER_SCALES.get(word) if attached else None)
    return (scale, match.end()) if scale else (1, 0)
