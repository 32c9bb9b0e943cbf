"""Confirm readings by the season's known schools: a name that is known was probably read correctly."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from pipeline.extraction.combine import AGREED
from pipeline.extraction.values.schools import SchoolSpellings, match_school
from pipeline.extraction.values.text import plain
from pipeline.pages.page_model import Source
from pipeline.schema import FieldReading

#: From this similarity (0-100) on, a recognised name is the listed one with a letter or two misread.
MEANT = 90.0
#: From this similarity (0-100) on, the list confirms the value as read.
CONFIRMED = 97.0


def confirmed(
    reading: FieldReading, schools: Mapping[str, Sequence[str]], listed: Collection[str]
) -> FieldReading:
    """Raise the confidence of a known name; replace a recognised near miss by the listed spelling.

    `listed` are the names of the known schools that are on the list; the others are taught by entries. Near one of
    those may be a school that nobody has taught yet: the reading stays, with the taught name as another reading.
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
    """Return the school list with the spellings that settled entries have taught, {name: aliases}.

    A spelling that means a school of the list, or one taught before it, becomes its alias: as a school of its own
    it would be a rival of the school that is meant, and `match_school` would find neither. `taught` is ordered by
    the number of entries, so that the most frequent spelling is the name of a school that is not listed.
    """
    known = {name: list(aliases) for name, aliases in listed.items()}
    seen = {plain(spelling) for name, aliases in known.items() for spelling in (name, *aliases)}
    spellings = SchoolSpellings(known)
    for spelling in taught:
        if plain(spelling) in seen:
            continue
        seen.add(plain(spelling))
        like = spellings.similar(spelling, MEANT)
        school = like[0][0] if like else spelling
        spellings.add(school, spelling)
        known.setdefault(school, []).extend([spelling] if like else [])
    return known
