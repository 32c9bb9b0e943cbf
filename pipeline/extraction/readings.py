"""Combine several readings of one field, and compare them with the known schools."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence

from rapidfuzz import fuzz

from pipeline.extraction.values.names import (
    SchoolSpellings,
    is_part,
    match_school,
    same_person,
    spellings_of,
    without_room,
    words_of,
)
from pipeline.extraction.values.text import plain_text, squeezed
from pipeline.pages.page_model import Source
from pipeline.profiles import FieldKind
from pipeline.schema import FieldReading

# Confirm readings by the season's known schools: a known name was probably read correctly.


#: From this similarity (0-100) on, a recognised name is the listed one with a letter or two misread.
MEANT = 90.0
#: From this similarity (0-100) on, the list confirms the value as read.
CONFIRMED = 97.0


def as_listed(
    reading: FieldReading, schools: Mapping[str, Sequence[str]], listed: Collection[str]
) -> FieldReading:
    """Raise the confidence of a known name; replace a recognised near miss by the listed spelling.

    `listed` are the names of the known schools that are on the list; the others were learned from entries. A name
    that resembles one of those may be a school not learned yet: the reading stays, and the learned name is added.
    """
    hit = match_school(reading.value, schools, MEANT) if reading.value else None
    if hit is None or reading.disagrees_with:
        return reading
    name, likeness = hit
    if likeness >= CONFIRMED:
        method = f"{reading.method} + school list"
        return reading.model_copy(update={"confidence": max(reading.confidence, AGREED), "method": method})
    if reading.source is not Source.OCR:
        return reading
    if name not in listed:
        return reading.model_copy(update={"disagrees_with": name})
    return reading.model_copy(update={"value": name, "method": f"{reading.method}, as the school list has it"})


def with_taught(listed: Mapping[str, Sequence[str]], taught: Sequence[str]) -> dict[str, list[str]]:
    """Return the school list with the spellings learned from settled entries, {name: aliases}.

    A spelling of a listed school, or of one learned before, becomes its alias: as a separate school it would
    compete with the intended one, and `match_school` would find neither. `taught` is ordered by the number of
    entries, so that the most frequent spelling becomes the name of an unlisted school.
    """
    known = {name: list(aliases) for name, aliases in listed.items()}
    seen = {plain_text(spelling) for name, aliases in known.items() for spelling in (name, *aliases)}
    spellings, learned = spellings_of(listed), SchoolSpellings()
    for spelling in taught:
        if plain_text(spelling) in seen:
            continue
        seen.add(plain_text(spelling))
        like = [*spellings.similar(spelling, MEANT), *learned.similar(spelling, MEANT)]
        # Of equals, the listed one.
        school = max(like, key=lambda hit: hit[1])[0] if like else spelling
        learned.add(school, spelling)
        known.setdefault(school, []).extend([spelling] if like else [])
    return known


# Combine several readings of one field: agreement raises the confidence, disagreement halves it.


#: Highest confidence of two readings that agree; below 1, as both may be wrong.
AGREED = 0.97
#: Highest confidence of a single recognised reading, whatever its score.
RECOGNISED_ALONE = 0.79


def _schools(a: str, b: str) -> bool:
    return fuzz.token_set_ratio(without_room(a)[0].casefold(), without_room(b)[0].casefold()) >= 90


_SAME: dict[FieldKind, Callable[[str, str], bool]] = {
    FieldKind.PERSON: same_person,
    FieldKind.SCHOOL: _schools,
    FieldKind.PHONE: lambda a, b: re.sub(r"\D", "", a)[-10:] == re.sub(r"\D", "", b)[-10:],
}


def same_value(kind: FieldKind, a: str, b: str) -> bool:
    return _SAME[kind](a, b) if kind in _SAME else squeezed(a) == squeezed(b)


def seen_as_same(kind: FieldKind, a: str, b: str) -> bool:
    """Whether two values look the same to a person: they differ at most in case, spaces or punctuation.

    Accents and word boundaries count in names, only digits in phone numbers, neither in addresses.
    """
    return _shown(kind, a) == _shown(kind, b)


def _shown(kind: FieldKind, text: str) -> str:
    if kind is FieldKind.PHONE:
        return re.sub(r"\D", "", text)[-10:] or text
    folded = unicodedata.normalize("NFKC", text).casefold()
    if kind is FieldKind.EMAIL:
        return "".join(folded.split())
    if kind in (FieldKind.DATE, FieldKind.NUMBER):
        return folded.strip()
    # An apostrophe or a full stop joins letters ("O'Brien", "P.S."), any other mark separates words, and digits
    # a point too.
    joined = re.sub(r"['’`´]|(?<!\d)\.|\.(?!\d)", "", folded)
    return " ".join(re.sub(r"[^\w]+", " ", joined).split()) or folded.strip()


def combined(kind: FieldKind, readings: Sequence[FieldReading]) -> FieldReading | None:
    """Return the reading with the highest confidence (the first of equals), adjusted by the others.

    Another reading with the same letters raises its confidence. One with another value, or as sure of another
    spelling of a name, halves it and is recorded in `disagrees_with`. Returns None without readings."""
    given = [r for r in readings if r.value]
    if not given:
        return readings[0] if readings else None
    best = max(given, key=lambda r: r.confidence)
    if kind in (FieldKind.ESSAY, FieldKind.REACTION):
        return best
    witnessed = False
    for other in [r for r in given if r is not best]:
        assert best.value is not None and other.value is not None
        torn = kind is FieldKind.PERSON and other.confidence == best.confidence
        if not same_value(kind, best.value, other.value) or (torn and _misspells(best.value, other.value)):
            return best.model_copy(
                update={"confidence": round(best.confidence / 2, 4), "disagrees_with": other.value}
            )
        if squeezed(best.value) == squeezed(other.value):
            best, witnessed = _surer(best, other), True
    return best if witnessed else alone(best)


def _misspells(one: str, two: str) -> bool:
    """Whether two readings of a name differ in letters, and not only in words that one has and the other lacks."""
    return squeezed(one) != squeezed(two) and not is_part(words_of(one), words_of(two))


def alone(reading: FieldReading) -> FieldReading:
    """Cap the confidence of a recognised value that no other reading confirms letter by letter."""
    if reading.source is not Source.OCR or reading.confidence <= RECOGNISED_ALONE:
        return reading
    return reading.model_copy(update={"confidence": RECOGNISED_ALONE})


def _surer(best: FieldReading, other: FieldReading) -> FieldReading:
    together = 1 - (1 - best.confidence) * (1 - other.confidence)
    return best.model_copy(
        update={
            "confidence": round(max(best.confidence, min(together, AGREED)), 4),
            "method": f"{best.method} + {other.method}",
            # Recognition loses accents but does not invent them.
            "value": max(best.value or "", other.value or "", key=lambda text: sum(not c.isascii() for c in text)),
        }
    )
