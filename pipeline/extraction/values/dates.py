"""Dates as people write them in English and Spanish."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from pipeline.extraction.values.text import plain, tidy

#: A year of two digits up to this one is of this century.
_LATEST = 50
#: Certainties of a year of two digits, and of a date whose day and month are in the order of another language.
_SHORT_YEAR, _SWAPPED = 0.9, 0.8
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan enero ene",
            "february feb febrero",
            "march mar marzo",
            "april apr abril abr",
            "may mayo",
            "june jun junio",
            "july jul julio",
            "august aug agosto ago",
            "september sept sep septiembre setiembre set",
            "october oct octubre",
            "november nov noviembre",
            "december dec diciembre dic",
        ),
        1,
    )
    for name in names.split()
}
#: Between the numbers of a date; spaces are single here.
_APART = r"(?: ?[-/.] ?| )"
_APART_OR_BOXED = r"(?: ?[-/.,|] ?| )"
_YEAR_FIRST = re.compile(rf"\b((?:19|20)\d\d){_APART}(\d{{1,2}}){_APART}(\d{{1,2}})\b(?!\d)")
_YEAR_LAST = re.compile(rf"\b(\d{{1,2}}){_APART_OR_BOXED}(\d{{1,2}}){_APART_OR_BOXED}((?:19|20)\d\d|\d\d)\b")
_MONTH_DAY = re.compile(
    r"\b([a-z]{3,10})\.?\s*(\d{1,2})(?:st|nd|rd|th)?\s*+(?:,\s*+)?(?:of\s+|de\s+|del\s+)?(\d{4})\b"
)
_DAY_MONTH = re.compile(
    r"\b(\d{1,2})(?:st|nd|rd|th)?\s*(?:de\s+|of\s+)?([a-z]{3,10})\.?,?\s*(?:de\s+|del\s+)?(\d{4})\b"
)
#: Digits without a sign of a date between them; a bar is the edge of a box.
_BARE = re.compile(r"[\d\s|]+")


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """A date as YYYY-MM-DD, None where a text holds none, and how sure that is (0-1)."""

    value: str | None
    certainty: float = 1.0


def parse_date(text: str, language: str | None = None) -> WrittenDate:
    """Return the only date of a text. `language`: of its writer; in Spanish the day comes first."""
    written = plain(tidy(text))
    ways = (_bare_digits, _in_numbers) if _BARE.fullmatch(written) else (_in_numbers, _bare_digits)
    found = list(_named(written))
    for way in ways:
        found = found or list(way(written, language))
    best = max(found, key=lambda one: one.certainty, default=WrittenDate(None, 0.0))
    others = {one.value for one in found if one.certainty == best.certainty}
    return best if len(others) < 2 else WrittenDate(None, 0.0)


def _named(text: str) -> Iterator[WrittenDate]:
    for match in _MONTH_DAY.finditer(text):
        yield from _checked(int(match[3]), _MONTHS.get(match[1], 0), int(match[2]))
    for match in _DAY_MONTH.finditer(text):
        yield from _checked(int(match[3]), _MONTHS.get(match[2], 0), int(match[1]))


def _in_numbers(text: str, language: str | None) -> Iterator[WrittenDate]:
    for match in _YEAR_FIRST.finditer(text):
        yield from _checked(int(match[1]), int(match[2]), int(match[3]))
    for match in _YEAR_LAST.finditer(text):
        yield from _ordered(match[1], match[2], match[3], language)


def _bare_digits(text: str, language: str | None) -> Iterator[WrittenDate]:
    """Read eight or six digits without signs between them, as boxes of one digit each leave them."""
    if any(c.isalpha() for c in text):
        return
    digits = re.sub(r"\D", "", text)
    if len(digits) == 8 and digits[:2] in ("19", "20") and digits[4:6] <= "12" and digits[4:6] != "00":
        as_last = list(_ordered(digits[:2], digits[2:4], digits[4:], language))
        yield from as_last or _checked(int(digits[:4]), int(digits[4:6]), int(digits[6:]))
    elif len(digits) == 8 or (len(digits) == 6 and not re.search(r"\d{4}", text)):
        yield from _ordered(digits[:2], digits[2:4], digits[4:], language)


def _ordered(first: str, second: str, year: str, language: str | None) -> Iterator[WrittenDate]:
    """Yield the date of two numbers and a year, in the order of the language if that is possible."""
    whole = int(year) if len(year) == 4 else (2000 if int(year) <= _LATEST else 1900) + int(year)
    sure = 1.0 if len(year) == 4 else _SHORT_YEAR
    day_first = language == "es"
    month, day = (int(second), int(first)) if day_first else (int(first), int(second))
    if right := list(_checked(whole, month, day, sure)):
        yield from right
    else:
        yield from _checked(whole, day, month, sure * _SWAPPED)


def _checked(year: int, month: int, day: int, certainty: float = 1.0) -> Iterator[WrittenDate]:
    if not 1900 <= year < 2100:
        return
    try:
        yield WrittenDate(date(year, month, day).isoformat(), certainty)
    except ValueError:
        return
