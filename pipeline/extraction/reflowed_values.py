"""Values of a form that an editor re-flowed: found by labels, by place, and by signs next to options."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pipeline.extraction.page_reading import PageReading, PrintAt
from pipeline.extraction.printed import FoundText, find_texts
from pipeline.extraction.reflowed_cells import begins_paragraph, cell_lines, right_edges, top_of, whole_words
from pipeline.extraction.tokens import Line, Token, box_of, token_text
from pipeline.extraction.values.fields import boxes_of, is_kinship, reading_of
from pipeline.extraction.values.kinds import ROOM, can_be_written_to, find_email, find_phone, parse_grade
from pipeline.extraction.values.names import (
    has_school_word,
    is_date,
    is_print,
    label_words,
    person_certainty,
    same_person,
)
from pipeline.extraction.values.text import plain_text, squeezed
from pipeline.pages.page_model import Box, Source, recalled
from pipeline.profiles import HEADER_KINDS, FieldKind, Printed, PrintedRole, ProfileKind
from pipeline.schema import FieldReading

# Values of a form that an editor re-flowed: the zones are lost, but each value still follows its label.
#
# Each cell of the header (see `cells`) is one text, in which a value follows its label, with or without a dash or
# colon, up to the next label. Lines that follow no label of their cell are placed by `loose_lines`. Every word is
# in one of `Reflowed.used`, `explained` and `unexplained`, or printed by the form. The reading next to an
# unexplained word is marked: such an entry does not pass unseen.


#: Maximum lines of a value.
_LINES = {FieldKind.PERSON: 4, FieldKind.SCHOOL: 5, FieldKind.GRADE: 2, FieldKind.EMAIL: 3, FieldKind.PHONE: 2}
_CONTACTS = (FieldKind.EMAIL, FieldKind.PHONE)
#: Roles of printed texts that are not followed by a value.
_NO_VALUE = (PrintedRole.DEADLINE, PrintedRole.OPTION, PrintedRole.TITLE, PrintedRole.LOGO)
#: Doubt about a name that is found only by its place under another one.
_BY_ORDER = 0.6
#: Most labels of a page. No form prints as many; each is compared with each line.
_MOST_LABELS = 200


@dataclass(slots=True)
class Reflowed:
    """Result of reading the header of a re-flowed page."""

    readings: dict[str, FieldReading] = field(default_factory=dict)
    #: The words of the values.
    used: list[Token] = field(default_factory=list)
    #: Words that are a date, a room, a sign, a chosen option, or a name that was read elsewhere.
    explained: list[Token] = field(default_factory=list)
    #: All other words of the header.
    unexplained: list[Token] = field(default_factory=list)
    #: Lower edge of the header on the page, in points.
    bottom: float = 0.0


@recalled
def read_reflowed(reading: PageReading) -> Reflowed:
    """Read the header fields of a page whose labels have moved."""
    result = Reflowed()
    places = [at for at in reading.of_role(PrintedRole.LABEL) if at.printed.field]
    if not places or reading.profile is None or reading.bottom is None:
        return result
    stop, fields = reading.bottom, reading.profile.fields
    # Labels below the prompt were scattered by the re-flow; no values follow them.
    places = [at for at in places if at.found.box.cy < stop]
    if not 0 < len(places) <= _MOST_LABELS:
        return result
    labels = {
        id(at): FieldLines.of(
            at, at.printed.field, fields[at.printed.field].kind, reading.lines[at.found.line].tokens
        )
        for at in places
        if at.printed.field and fields[at.printed.field].kind in HEADER_KINDS
    }
    loose = place_loose(_in_cells(reading, labels, stop, result), list(labels.values()))
    loose = _give(list(labels.values()), loose, result)
    loose = _give_people(reading, loose, result)
    values = [found.value for found in result.readings.values() if found.value]
    for item in loose:
        (result.explained if is_explained(item.line, values) else result.unexplained).extend(item.line)
    result.readings = marked(result.readings, result.unexplained)
    result.bottom = max([at.found.box.y1 for at in places] + [t.box.y1 for t in result.used])
    return result


def _in_cells(reading: PageReading, labels: dict[int, FieldLines], stop: float, result: Reflowed) -> list[Loose]:
    """Give each label the lines that follow it in its own cell; return those that nothing explains."""
    rights = right_edges([line.tokens for line in reading.lines], stop)
    loose: list[Loose] = []
    for (number, start), run in zip(reading.written_at, reading.written, strict=True):
        lines = [line for line in cell_lines(run) if box_of(line).cy < stop]
        before = _before(reading, number, start)
        label = labels.get(id(before))
        own = _own(label, lines, rights[number]) if label else int(bool(before and _explains(before, lines)))
        if label:
            label.inside += lines[:own]
        else:
            result.explained += [token for line in lines[:own] for token in line]
        cell = reading.lines[number].tokens[0].box.x0
        loose += [Loose(line, number, cell, rights[number]) for line in lines[own:]]
    return loose


def _before(reading: PageReading, line: int, start: int) -> PrintAt | None:
    """Return the last printed text before a position in a line or cell."""
    found = [at for at in reading.prints if at.found.line == line and at.found.end <= start]
    return max(found, key=lambda at: at.found.end, default=None)


def _own(label: FieldLines, lines: list[Line], right: float) -> int:
    """Return how many of the lines after a label are its value: up to the end of the paragraph.

    A separate paragraph that may be its rest is taken too, and marked as uncertain.
    """
    count = min(len(lines), 1)
    while count < min(len(lines), _LINES[label.kind]):
        if label.kind not in _CONTACTS and begins_paragraph(lines[count - 1], lines[count], right):
            if not _may_be_rest(label.kind, lines[count]):
                break
            label.torn = True
        count += 1
    return count


def _may_be_rest(kind: FieldKind, line: Line) -> bool:
    """Whether a paragraph under a value looks like its rest: a surname, a word for a school."""
    if kind is FieldKind.PERSON:
        return len(line) == 1 and not is_kinship(line[0].text)
    return kind is FieldKind.SCHOOL and has_school_word(token_text(line))


def _explains(before: PrintAt, lines: list[Line]) -> bool:
    """Whether the words after a printed text without a value belong to it: a date, a sign, a chosen option."""
    level = bool(lines) and abs(box_of(lines[0]).cy - box_of(cell_lines(list(before.found.tokens))[-1]).cy) <= 5.0
    if before.printed.role is PrintedRole.LABEL:
        return level
    return level and before.printed.role in _NO_VALUE and len(lines[0]) <= 2


def _give(labels: list[FieldLines], loose: list[Loose], result: Reflowed) -> list[Loose]:
    """Read each label's words; return the lines that hold no value.

    An e-mail address or number goes to its own field, whichever label it follows.
    """
    contacts = [label for label in labels if label.kind in _CONTACTS]
    for label in labels:
        tokens = _trimmed(label.kind, whole_words(in_order(label)))
        if label.kind in _CONTACTS:
            own = [label, *(other for other in contacts if other is not label)]
            tokens = _contact(label.kind, [*map(in_order, own), *([item.line] for item in loose)])
        found = reading_of(label.kind, tokens, "label", field=label.name)
        known = result.readings.get(label.name)
        if found is not None and (known is None or not known.value):
            result.readings[label.name] = found.model_copy(update={"unaccounted": label.torn})
    contact = [found.value for label in contacts if (found := result.readings.get(label.name)) and found.value]
    for label in labels:
        _account(label.kind, [token for line in in_order(label) for token in line], contact, result)
    stray = [item for item in loose if any(value in token_text(item.line) for value in contact)]
    for item in stray:
        _account(FieldKind.PHONE, item.line, contact, result)
    return [item for item in loose if item not in stray]


def _account(kind: FieldKind, tokens: list[Token], contact: list[str], result: Reflowed) -> None:
    """Count each word of a value's place as read or as unexplained."""
    for token in tokens:
        (result.used if belongs_to_value(kind, token.text, contact) else result.unexplained).append(token)


def _trimmed(kind: FieldKind, tokens: list[Token]) -> list[Token]:
    """Return the words of a value without those of a label at either end."""
    words = label_words(kind)
    start, end = 0, len(tokens)
    while start < end and squeezed(tokens[start].text) in words:
        start += 1
    while end > start and squeezed(tokens[end - 1].text) in words:
        end -= 1
    return tokens[start:end]


def _contact(kind: FieldKind, places: list[list[Line]]) -> list[Token]:
    """Return the words of the first place that holds an address or number, even one broken over lines."""
    begun: list[Token] = []
    for lines in places:
        tokens = [t for line in lines for t in line]
        if kind is FieldKind.PHONE:
            digits = [t for t in tokens if any(c.isdigit() for c in t.text) and "@" not in t.text]
            if find_phone(token_text(digits)):
                return digits
        elif find_email(token_text(tokens)):
            found = _address(lines)
            if can_be_written_to(token_text(found)):
                return found
            begun = begun or found
    return _broken_address(places) or begun if kind is FieldKind.EMAIL else []


def _broken_address(places: list[list[Line]]) -> list[Token]:
    """Return an address that begins in its own place and ends after another label; empty if several words fit."""
    own, *others = ([token for line in lines for token in line] for lines in places)
    wholes = [
        own[-1]._replace(text=own[-1].text + token.text)
        for place in others
        for token in place
        if own and own[-1].text.count("@") + token.text.count("@") == 1
    ]
    fitting = [whole for whole in wholes if find_email(whole.text) == whole.text and can_be_written_to(whole.text)]
    return fitting if len(fitting) == 1 else []


def _address(lines: list[Line]) -> list[Token]:
    """Return the words of an e-mail address, joined where the cell's edge broke it."""
    tokens = [t for line in lines for t in line]
    joined = "".join(t.text for t in tokens)
    if len(tokens) > 1 and len(lines) > 1 and find_email(joined) == joined and can_be_written_to(joined):
        return [tokens[0]._replace(text=joined)]
    return [t for t in tokens if "@" in t.text]


def _give_people(reading: PageReading, loose: list[Loose], result: Reflowed) -> list[Loose]:
    """Read names whose labels were deleted, by their order; return the other lines."""
    known = reading.labels()
    fields = reading.form.fields
    missing = [name for name, spec in fields.items() if spec.kind is FieldKind.PERSON and name not in known]
    people = people_of(loose)
    if len(people) > len(missing):
        return loose
    for name, items in zip(missing, people, strict=False):
        lines = [item.line for item in items]
        if found := reading_of(FieldKind.PERSON, whole_words(lines), "order", _BY_ORDER, name):
            result.readings[name] = found
            result.used += [token for line in lines for token in line]
            loose = [item for item in loose if item not in items]
    return loose


# Options marked with a sign next to their text, on re-flowed forms, which have no circles to tick.


SIGN = re.compile(r"[(\[]?(?:[xX×✕✖✗✘✓✔√☑☒]|[●⬤⚫◉⦿■])[\ufe0e\ufe0f]?[)\]]?")
#: A sign at the beginning or end of a word; a letter there belongs to the word.
_GLUED = re.compile(r"^[(\[]?[✕✖✗✘✓✔√☑☒●⬤⚫◉⦿■]|[✕✖✗✘✓✔√☑☒●⬤⚫◉⦿■][)\]]?$")
#: Space between a sign and its option, in points.
_BESIDE = 10.0
_TYPED, _RECOGNISED = 0.95, 0.79


def marked_options(readings: Sequence[PageReading]) -> dict[str, FieldReading]:
    """Return for each choice of an entry's form the only option with a sign; omit choices with several.

    A re-flow scatters the options over the pages, even over pages without anything else of the form.
    """
    form = next((r.profile for r in readings if r.profile and r.profile.kind is ProfileKind.FORM), None)
    if form is None or any(reading.fixed for reading in readings):
        return {}
    marked: dict[str, list[FieldReading]] = {}
    for option in form.printed:
        if option.role is PrintedRole.OPTION and option.field and (reading := _marked(readings, option)):
            marked.setdefault(option.field, []).append(reading)
    return {field: options[0] for field, options in marked.items() if len(options) == 1}


def _marked(readings: Sequence[PageReading], option: Printed) -> FieldReading | None:
    for reading in readings:
        for place in [place for places in find_texts(reading.lines, option.texts).values() for place in places]:
            if signs := list(_signs(reading.lines[place.line].tokens, place)):
                return _reading(option, place, signs)
    return None


def _signs(cell: Line, option: FoundText) -> Iterator[Token]:
    own, box = option.tokens, option.box
    yield from (token for token in own if _GLUED.search(token.text))
    for token in (token for line in cell_lines(cell) if not set(own).isdisjoint(line) for token in line):
        gap = max(box.x0 - token.box.x1, token.box.x0 - box.x1)
        if token not in own and gap <= _BESIDE and SIGN.fullmatch(token.text):
            yield token


def _reading(option: Printed, place: FoundText, signs: Sequence[Token]) -> FieldReading:
    tokens = sorted({*signs, *place.tokens}, key=lambda token: token.box.x0)
    recognised = any(token.source is Source.OCR for token in tokens)
    return FieldReading(
        value=option.value,
        confidence=_RECOGNISED if recognised else _TYPED,
        source=Source.OCR if recognised else tokens[0].source,
        evidence=boxes_of(tokens),
        method="sign beside the option",
    )


# Every word of a re-flowed header is accounted for: as print, as a value, as explained, or as unexplained.


#: From this certainty on a line can be a name whose label was deleted.
_NAME = 0.7
#: A word of fewer letters ("N/A", "to") is not a name.
_WORD = 3
#: Words for a room, and for nothing.
_SAY_NOTHING = frozenset(("room", "salon", "aula", "class", "none", "ninguno", "ninguna"))


def people_of(loose: Sequence[Loose]) -> list[list[Loose]]:
    """Return the lines that can be names, from the top, the parts of a wrapped name together."""
    people: list[list[Loose]] = []
    for item in sorted(loose, key=lambda item: top_of(item.line)):
        last = people[-1][-1] if people else None
        if last and last.number == item.number and _goes_on(last, item):
            people[-1].append(item)
        else:
            people.append([item])
    return [person for person in people if _is_person(token_text(t for item in person for t in item.line))]


def _goes_on(last: Loose, item: Loose) -> bool:
    if begins_paragraph(last.line, item.line, item.right) or is_kinship(token_text(item.line)):
        return False
    return len(item.line) == 1 or len(last.line) == 1


def _is_person(text: str) -> bool:
    return is_kinship(text) or person_certainty(text) >= _NAME


def is_explained(line: Line, values: Sequence[str]) -> bool:
    """Whether a line that is not a value is a sign, a date, a room, print, or a name among the values."""
    text = token_text(line)
    return (
        not any(c.isalnum() for c in text)
        or is_date(text)
        or is_print(text)
        or bool(ROOM.search(plain_text(text)))
        or any(same_person(text, value) for value in values)
    )


def belongs_to_value(kind: FieldKind, word: str, contact: Sequence[str]) -> bool:
    """Whether a word after a label is part of the value that was read there.

    Names and schools take all words. Other fields take only a grade, an address or a number: a word that is none
    of these, not in `contact` (addresses and numbers) and not of a room may belong to another field.
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


# Lines of a re-flowed header that follow no label in their own cell: find their fields by place.
#
# A value may follow its label after a wide space, be in its own cell next to the label's, or be under it.


#: Cells whose left edges are this near (points) are one column.
_COLUMN = 6.0
#: Greatest distance (heights) of a value after its label, and under it.
_BEHIND, _UNDER = 6.0, 2.5
#: Space (heights) after a label beyond which a value may belong to another column.
_NEAR = 3.5


@dataclass(slots=True)
class Loose:
    """A line that follows no label of its cell."""

    line: Line
    #: Its cell's number among the lines of the page, its left edge, and its column's right edge (points).
    number: int
    edge: float
    right: float


@dataclass(slots=True, eq=False)
class FieldLines:
    """A label and the lines of its value."""

    at: PrintAt
    name: str
    kind: FieldKind
    #: Left edge of its cell, in points.
    edge: float
    #: Its last line.
    end: Box
    #: Lines after it in its own cell, and lines elsewhere.
    inside: list[Line] = field(default_factory=list)
    beside: list[Line] = field(default_factory=list)
    #: Whether its value may be joined from several columns.
    torn: bool = False

    @classmethod
    def of(cls, at: PrintAt, name: str, kind: FieldKind, cell: Line) -> FieldLines:
        """Return a label found in a cell."""
        return cls(at, name, kind, cell[0].box.x0, box_of(cell_lines(at.found.tokens)[-1]))


def in_order(label: FieldLines) -> list[Line]:
    """Return the lines of a label's value from the top."""
    return sorted((*label.inside, *label.beside), key=top_of)


def place_loose(loose: Sequence[Loose], labels: Sequence[FieldLines]) -> list[Loose]:
    """Give each line to the label whose value it is; return the lines without a label."""
    left: list[Loose] = []
    apart = _parted_columns(loose, labels)
    for item in sorted(loose, key=lambda item: top_of(item.line)):
        if label := (_beside(item, labels) if apart else None) or _behind(item, labels) or _above(item, labels):
            label.beside.append(item.line)
        else:
            left.append(item)
    return left


def _parted_columns(loose: Sequence[Loose], labels: Sequence[FieldLines]) -> bool:
    """Whether the header has columns of labels only next to columns of values only."""
    edges = [label.edge for label in labels]
    return (
        not any(label.inside for label in labels)
        and any(not _shares(item.edge, edges) for item in loose)
        and len(labels) > 1
    )


def _shares(edge: float, edges: Sequence[float]) -> bool:
    return any(abs(edge - other) <= _COLUMN for other in edges)


def _behind(item: Loose, labels: Sequence[FieldLines]) -> FieldLines | None:
    """Return the label that ends on the same line, left of it, with only a wide space between."""
    box = box_of(item.line)
    if _shares(box.x0, [label.edge for label in labels]):
        return None
    near = [
        label
        for label in labels
        if abs(label.end.cy - box.cy) <= 0.4 * max(label.end.height, box.height)
        and -2.0 <= box.x0 - label.end.x1 <= _BEHIND * box.height
    ]
    label = max(near, key=lambda label: label.end.x1, default=None)
    if label is None or any(box_of(line).cy < box.cy + 1.0 for line in label.inside):
        return None
    label.torn = label.torn or box.x0 - label.end.x1 > _NEAR * box.height
    return label


def _beside(item: Loose, labels: Sequence[FieldLines]) -> FieldLines | None:
    """Return the label in whose table row the line is: the last one at its left that does not begin below."""
    box = box_of(item.line)
    if _shares(item.edge, [label.edge for label in labels]):
        return None
    left = [label for label in labels if label.at.found.box.x1 <= box.x0 + 2.0]
    if not left:
        return None
    column = max(label.edge for label in left)
    rows = [label for label in left if abs(label.edge - column) <= _COLUMN and label.at.found.box.y0 <= box.cy]
    return max(rows, key=lambda label: label.at.found.box.y0, default=None)


def _above(item: Loose, labels: Sequence[FieldLines]) -> FieldLines | None:
    """Return the label directly above the line, if it has no value yet."""
    box = box_of(item.line)
    over = [
        label
        for label in labels
        if not label.inside
        and (not label.beside or label.beside[-1] is item.line)
        and 0 < box.cy - label.end.cy <= _UNDER * box.height
        and abs(label.at.found.box.x0 - box.x0) <= 60.0
    ]
    return max(over, key=lambda label: label.end.cy, default=None)
