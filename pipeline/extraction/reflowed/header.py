"""Values of a form that an editor re-flowed: the zones are lost, but each value still follows its label.

Each cell of the header (see `cells`) is one text, in which a value follows its label, with or without a dash or
colon, up to the next label. Lines that follow no label of their cell are placed by `loose_lines`. Every word is in
one of `Reflowed.used`, `explained` and `unexplained`, or printed by the form. The reading next to an unexplained
word is marked: such an entry does not pass unseen.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pipeline.extraction.fields import is_kinship, reading_of
from pipeline.extraction.page_reading import PageReading, PrintAt
from pipeline.extraction.reflowed.accounting import is_explained, is_read, marked, people_of
from pipeline.extraction.reflowed.cell_lines import begins_paragraph, lines_in, right_edges, whole_words
from pipeline.extraction.reflowed.loose_lines import Label, Loose, in_order, place_loose
from pipeline.extraction.tokens import Line, Token, box_of, text_of
from pipeline.extraction.values.contacts import email_is_valid, ends_in_public_suffix, find_email, find_phone
from pipeline.extraction.values.label_words import label_words
from pipeline.extraction.values.schools import has_school_word
from pipeline.extraction.values.text import squeezed
from pipeline.pages.recent import recalled
from pipeline.profiles import HEADER_KINDS, FieldKind, PrintedRole
from pipeline.schema import FieldReading

#: Maximum lines of a value.
_LINES = {FieldKind.PERSON: 4, FieldKind.SCHOOL: 5, FieldKind.GRADE: 2, FieldKind.EMAIL: 3, FieldKind.PHONE: 2}
_CONTACTS = (FieldKind.EMAIL, FieldKind.PHONE)
#: Roles of printed texts that something other than a value follows.
_NO_VALUE = (PrintedRole.DEADLINE, PrintedRole.OPTION, PrintedRole.TITLE, PrintedRole.LOGO)
#: Doubt about a name that only its place under another one tells.
_BY_ORDER = 0.6
#: Most labels of a page. No form prints as many; each is compared with each line.
_MOST_LABELS = 200


@dataclass(slots=True)
class Reflowed:
    """Result of reading the header of a re-flowed page."""

    readings: dict[str, FieldReading] = field(default_factory=dict)
    #: The words of the values.
    used: list[Token] = field(default_factory=list)
    #: The words that are a date, a room, a sign, a name that was read elsewhere, or what was chosen.
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
        id(at): Label.of(at, at.printed.field, fields[at.printed.field].kind, reading.lines[at.found.line].tokens)
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


def _in_cells(reading: PageReading, labels: dict[int, Label], stop: float, result: Reflowed) -> list[Loose]:
    """Give each label the lines that follow it in its own cell; return those that nothing explains."""
    rights = right_edges([line.tokens for line in reading.lines], stop)
    loose: list[Loose] = []
    for (number, start), run in zip(reading.written_at, reading.written, strict=True):
        lines = [line for line in lines_in(run) if box_of(line).cy < stop]
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


def _own(label: Label, lines: list[Line], right: float) -> int:
    """Return how many of the lines after a label are its value: up to the end of the paragraph.

    What may be its rest in a paragraph of its own is taken too, and said to be uncertain.
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
    return kind is FieldKind.SCHOOL and has_school_word(text_of(line))


def _explains(before: PrintAt, lines: list[Line]) -> bool:
    """Whether the words after a printed text that has no value belong to it: a date, a sign, what was chosen."""
    level = bool(lines) and abs(box_of(lines[0]).cy - box_of(lines_in(list(before.found.tokens))[-1]).cy) <= 5.0
    if before.printed.role is PrintedRole.LABEL:
        return level
    return level and before.printed.role in _NO_VALUE and len(lines[0]) <= 2


def _give(labels: list[Label], loose: list[Loose], result: Reflowed) -> list[Loose]:
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
    stray = [item for item in loose if any(value in text_of(item.line) for value in contact)]
    for item in stray:
        _account(FieldKind.PHONE, item.line, contact, result)
    return [item for item in loose if item not in stray]


def _account(kind: FieldKind, tokens: list[Token], contact: list[str], result: Reflowed) -> None:
    """Count each word of a value's place as read or as unexplained."""
    for token in tokens:
        (result.used if is_read(kind, token.text, contact) else result.unexplained).append(token)


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
    """Return the words of the first place that holds an address or number, also one that was broken."""
    for lines in places:
        tokens = [t for line in lines for t in line]
        if kind is FieldKind.PHONE:
            digits = [t for t in tokens if any(c.isdigit() for c in t.text) and "@" not in t.text]
            if find_phone(text_of(digits)):
                return digits
        elif find_email(text_of(tokens)):
            return _address(lines)
    return []


def _address(lines: list[Line]) -> list[Token]:
    """Return the words of an e-mail address, joined where the cell's edge broke it."""
    tokens = [t for line in lines for t in line]
    joined = "".join(t.text for t in tokens)
    if len(tokens) > 1 and len(lines) > 1 and find_email(joined) == joined and _can_be_sent_to(joined):
        return [tokens[0]._replace(text=joined)]
    return [t for t in tokens if "@" in t.text]


def _can_be_sent_to(address: str) -> bool:
    return email_is_valid(address) and ends_in_public_suffix(address)


def _give_people(reading: PageReading, loose: list[Loose], result: Reflowed) -> list[Loose]:
    """Read names whose labels were deleted by their order; return the other lines."""
    assert reading.profile is not None
    known = reading.labels()
    fields = reading.profile.fields
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
