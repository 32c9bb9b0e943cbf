"""Extract the numbers in a text by value, whether written in digits or in words."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from importlib.resources import files

from research.config import Language
from research.text.numbers import ORDINALS, spelled_numbers
from research.text.stems import fold_accents

_SPACES = " \u00a0\u2009\u202f"
_FIGURE = re.compile(
    rf"(?<![\w.,])(?<!\d[{_SPACES}])(?:\d{{1,3}}(?:[{_SPACES}'\u2019]\d{{3}})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)*)"
)
_SCALE = re.compile(r"^[\s-]?(mil\s+millones|[^\W\d_]+)")
_SCALES = tomllib.loads(files(__package__).joinpath("quantities.toml").read_text(encoding="utf-8"))
_PERCENT = re.compile(
    r"^(?:\s?(?:[-\u2010-\u2015]|(?:to|and|or|al?|y|o|hasta)\b(?:\s?el\b)?)\s?[\d.,]+)?[\s\u00a0\u202f-]?"
    r"(?:%|per\s?cent\b|pct\b|percentage|por\s?cien(?:to)?\b|puntos\s+porcentuales)",
    re.IGNORECASE,
)
#: What words say in digits that are no quantities by themselves.
_COUNTED = ORDINALS | {"un": 1, "una": 1, "uno": 1, "one": 1, "zero": 0, "cero": 0}


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in a text and its possible values: "1.200" may be 1.2 or 1200."""

    text: str
    values: frozenset[Decimal]
    percent: bool

    def is_in(self, others: Iterable[Quantity]) -> bool:
        """Return whether one of the others may have the same value; a percentage matches only a percentage."""
        return any(self.values & other.values and (other.percent or not self.percent) for other in others)


def quantities_in(text: str, languages: Sequence[Language] = ("en", "es")) -> list[Quantity]:
    """Return the numbers in a text: figures with their scale ("1.5 million"), words, years, ends of ranges."""
    found = []
    ends = set()
    for match in _FIGURE.finditer(text):
        scale, length = _scale(text[match.end() :])
        ends.add(match.end() + length)
        values = frozenset(value * scale for value in _values(match[0]))
        found.append((match.start(), match.end() + length, values))
    for start, end, value in spelled_numbers(text, languages):
        # "million" in "1.5 million" is the scale of the figure.
        if end not in ends:
            found.append((start, end, frozenset({Decimal(value)})))
    return [
        Quantity(text[start:end], values, bool(_PERCENT.match(text[end : end + 40])))
        for start, end, values in sorted(found, key=lambda one: one[:2])
    ]


def quantities_said(text: str) -> list[Quantity]:
    """Return the quantities that may be told of a text: also what its ordinals, "one" and "zero" say in digits."""
    words = re.findall(r"\w+", fold_accents(text.casefold()))
    return quantities_in("; ".join([text, *(str(_COUNTED[word]) for word in words if word in _COUNTED)]))


def _values(figure: str) -> frozenset[Decimal]:
    """Return the possible values of a figure, in which a comma or point may mark decimals or thousands."""
    plain = re.sub(rf"[{_SPACES}'\u2019]", "", figure)
    marks, groups = re.findall(r"[.,]", plain), re.split(r"[.,]", plain)
    as_thousands = Decimal("".join(groups))
    as_decimal = Decimal(".".join(["".join(groups[:-1]), groups[-1]]))
    in_threes = all(len(group) == 3 for group in groups[1:])
    if len(set(marks)) > 1:
        return frozenset({as_decimal})
    if len(marks) != 1:
        return frozenset({as_thousands}) if in_threes else frozenset(map(Decimal, groups))
    if in_threes and groups[0] != "0" and len(groups[0]) <= 3 and len(plain) == len(figure):
        return frozenset({as_thousands, as_decimal})
    return frozenset({as_decimal})


def _scale(behind: str) -> tuple[int, int]:
    """Return the factor given by the word after a figure, and that word's end; (1, 0) if it gives none."""
    match = _SCALE.match(behind)
    if match is None:
        return 1, 0
    word = " ".join(fold_accents(match[1]).casefold().split())
    scale = _SCALES["words"].get(word) or (match.start(1) == 0 and _SCALES["letters"].get(word))
    return (scale, match.end()) if scale else (1, 0)
