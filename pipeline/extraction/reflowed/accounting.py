"""Every word of a re-flowed header is accounted for: what is no print and no value has another reason, or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pipeline.extraction.fields import is_kinship
from pipeline.extraction.reflowed.cell_lines import begins_paragraph, top_of
from pipeline.extraction.reflowed.loose_lines import Loose
from pipeline.extraction.tokens import Line, Token, text_of
from pipeline.extraction.values.grades import ROOM, parse_grade
from pipeline.extraction.values.label_words import label_words
from pipeline.extraction.values.names import is_date, is_print, person_certainty, same_person
from pipeline.extraction.values.text import plain, squeezed
from pipeline.pages.page_model import Box
from pipeline.profiles import FieldKind
from pipeline.schema import FieldReading

#: From this certainty on a line can be a name whose label was deleted.
_NAME = 0.7
#: A word of fewer letters ("N/A", "to") is no name.
_WORD = 3
#: Words for a room, and for nothing.
_SAY_NOTHING = frozenset(("room", "salon", "aula", "class", "none", "ninguno", "ninguna"))


def people_of(loose: Sequence[Loose]) -> list[list[Loose]]:
    """Return the lines that can be names, the rest of a wrapped name with its beginning, from the top."""
    people: list[list[Loose]] = []
    for item in sorted(loose, key=lambda item: top_of(item.line)):
        last = people[-1][-1] if people else None
        if last and last.number == item.number and _goes_on(last, item):
            people[-1].append(item)
        else:
            people.append([item])
    return [person for person in people if _is_person(text_of(t for item in person for t in item.line))]


def _goes_on(last: Loose, item: Loose) -> bool:
    if begins_paragraph(last.line, item.line, item.right) or is_kinship(text_of(item.line)):
        return False
    return len(item.line) == 1 or len(last.line) == 1


def _is_person(text: str) -> bool:
    return is_kinship(text) or person_certainty(text) >= _NAME


def is_explained(line: Line, values: Sequence[str]) -> bool:
    """Whether a line that is no value is a sign, a date, a room, print, or a name among the values."""
    text = text_of(line)
    return (
        not any(c.isalnum() for c in text)
        or is_date(text)
        or is_print(text)
        or bool(ROOM.search(plain(text)))
        or any(same_person(text, value) for value in values)
    )


def is_read(kind: FieldKind, word: str, contact: Sequence[str]) -> bool:
    """Whether a word behind a label is part of what was read there.

    Names and schools are read whole. Of the other fields only a grade, an address or a number is read: a word that
    is none of these, nor in one of `contact` (addresses and numbers), nor of a room, may be another field's.
    """
    if kind in (FieldKind.PERSON, FieldKind.SCHOOL) or sum(c.isalpha() for c in word) < _WORD:
        return True
    letters = squeezed(word)
    return (
        any(c.isdigit() for c in word)
        or letters in _SAY_NOTHING
        or letters in label_words(FieldKind.PERSON)
        or parse_grade(word).value is not None
        or any(letters in squeezed(value) for value in contact)
    )


def marked(readings: Mapping[str, FieldReading], unexplained: Sequence[Token]) -> dict[str, FieldReading]:
    """Return the readings, the one nearest to each unexplained word marked."""
    found = dict(readings)
    placed = {name: reading for name, reading in found.items() if reading.value and reading.evidence}
    for token in unexplained if placed else ():
        name = min(placed, key=lambda name: min(_apart(token.place, piece.box) for piece in placed[name].evidence))
        found[name] = found[name].model_copy(update={"unaccounted": True})
    return found


def _apart(a: Box, b: Box) -> float:
    across = max(a.x0 - b.x1, b.x0 - a.x1, 0.0)
    down = max(a.y0 - b.y1, b.y0 - a.y1, 0.0)
    return across + down
