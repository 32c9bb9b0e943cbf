"""Values of a form that an editor re-flowed: the zones are lost, but each value still follows its label.

The page has a left and a right column of labels. Within a column a value follows its label, with or without a dash
or colon, and may wrap onto the next lines up to the next label.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pipeline.extraction.fields import reading_of
from pipeline.extraction.page_reading import PageReading, PrintAt
from pipeline.extraction.tokens import Line, Token, box_of, runs_of, text_of, visual_lines
from pipeline.extraction.values.contacts import find_email, find_phone
from pipeline.pages.page_model import Box
from pipeline.pages.recent import recalled
from pipeline.profiles import FieldKind, FieldSpec, PrintedRole
from pipeline.profiles.declared import kind_of
from pipeline.schema import FieldReading

#: Labels that begin right of this (points) form the right column.
RIGHT = 250.0
#: Space between words that may begin the other column.
GAP = 12.0
#: Space between two words of one value.
WORD_GAP = 5.0
#: A wrapped line is at most this many line heights below the one before.
WRAP = 2.1
#: Kinds of the fields of the right block.
_RIGHT_BLOCK = (FieldKind.GRADE, FieldKind.SCHOOL, FieldKind.CHOICE)
#: Maximum lines that a value may wrap onto.
_WRAPS = {FieldKind.PERSON: 3, FieldKind.SCHOOL: 3, FieldKind.GRADE: 1, FieldKind.EMAIL: 1, FieldKind.PHONE: 1}


@dataclass(slots=True)
class Reflowed:
    """Result of reading the header of a re-flowed page."""

    readings: dict[str, FieldReading] = field(default_factory=dict)
    #: The words that were used as values.
    used: list[Token] = field(default_factory=list)
    #: Lower edge of the header on the page, in points.
    bottom: float = 0.0


@dataclass(slots=True)
class _Open:
    """A label whose value is being read."""

    at: PrintAt
    spec: FieldSpec
    tokens: list[Token] = field(default_factory=list)
    last: Box | None = None
    wraps: int = 0


@recalled
def read_reflowed(reading: PageReading) -> Reflowed:
    """Read the header fields of a page whose labels have moved."""
    result = Reflowed()
    labels = [at for at in reading.of_role(PrintedRole.LABEL) if at.printed.field]
    if not labels:
        return result
    stop = _stop(reading, labels)
    # Labels below the prompt were scattered by the re-flow; no values follow them.
    labels = [at for at in labels if at.found.box.cy < stop]
    edge = _right_edge(labels)
    opened: list[_Open] = []
    for column in _events(reading, labels, edge, stop):
        opened += _column(reading, column)
    _give(reading, opened, result)
    result.bottom = max([at.found.box.y1 for at in labels] + [t.box.y1 for t in result.used])
    return result


def _stop(reading: PageReading, labels: list[PrintAt]) -> float:
    """Return the end of the header, which is where the essay's prompt begins."""
    prompts = [at.found.box.y0 for at in reading.of_role(PrintedRole.PROMPT, PrintedRole.REACTION)]
    lowest = max(at.found.box.y1 for at in labels)
    return min([y for y in prompts if y > min(at.found.box.y0 for at in labels)], default=lowest + 40.0)


def _right_edge(labels: list[PrintAt]) -> float:
    return min((at.found.box.x0 for at in labels if _starts_right(at, labels)), default=1e9) - 6.0


def _starts_right(at: PrintAt, labels: list[PrintAt]) -> bool:
    """Whether a label belongs to the right block, and is not the second one of a row of the left block."""
    field = at.printed.field
    return at.found.box.x0 > RIGHT and field is not None and kind_of(field) in _RIGHT_BLOCK


def _column(reading: PageReading, events: list[PrintAt | Line]) -> list[_Open]:
    """Read one column from top to bottom, assigning each run to the last label before it."""
    assert reading.profile is not None
    opened: list[_Open] = []
    for event in events:
        if isinstance(event, PrintAt):
            assert event.printed.field is not None
            opened.append(_Open(event, reading.profile.fields[event.printed.field], last=event.found.box))
        elif opened:
            _append(opened[-1], event)
    return opened


def _events(
    reading: PageReading, labels: list[PrintAt], edge: float, stop: float
) -> tuple[list[PrintAt | Line], list[PrintAt | Line]]:
    """Return the labels and runs of the left and of the right column, each in reading order."""
    rows = [box_of(line.tokens).cy for line in reading.lines]
    placed: list[tuple[float, Box, PrintAt | Line]] = [
        (_row(rows, at.found.box), at.found.box, at) for at in labels
    ]
    for run in _runs(reading):
        if (box := box_of(run)).cy < stop:
            placed.append((_row(rows, box), box, run))
    columns: tuple[list[PrintAt | Line], list[PrintAt | Line]] = ([], [])
    before: tuple[float, Box, bool, bool] | None = None
    for row, box, event in sorted(placed, key=lambda e: (e[0], e[1].x0)):
        right = box.x0 >= edge
        if right and before and before[0] == row:
            # A run that directly follows another, above all a label, belongs to it, even if it extends into
            # the other column.
            gap = box.x0 - before[1].x1
            right = before[2] if gap <= WORD_GAP or (gap <= GAP and (before[3] or box.x0 > edge + GAP)) else right
        columns[right].append(event)
        before = (row, box, right, isinstance(event, PrintAt))
    return columns


def _row(rows: list[float], box: Box) -> float:
    """Return the centre of the visual line that a box is on, the same for all boxes on it."""
    near = [b for b in rows if abs(b - box.cy) <= 5.5]
    return min(near, key=lambda b: abs(b - box.cy)) if near else box.cy


def _runs(reading: PageReading) -> list[Line]:
    return [run for written in reading.written for line in visual_lines(written) for run in runs_of(line, GAP)]


def _append(label: _Open, run: Line) -> None:
    box = box_of(run)
    assert label.last is not None
    below = box.cy - label.last.cy
    if below > 0.6 * max(label.last.height, 6.0):
        if label.wraps >= _WRAPS.get(label.spec.kind, 0) or below > WRAP * max(label.last.height, box.height):
            return
        label.wraps += 1
    label.tokens += run
    label.last = box


def _give(reading: PageReading, opened: list[_Open], result: Reflowed) -> None:
    """Parse each label's words; an e-mail address or number goes to its own field, whichever label it follows."""
    assert reading.profile is not None
    for field_name, spec in reading.profile.fields.items():
        mine = [o for o in opened if o.at.printed.field == field_name]
        if spec.kind in (FieldKind.EMAIL, FieldKind.PHONE):
            mine += [o for o in opened if o not in mine and o.spec.kind in (FieldKind.EMAIL, FieldKind.PHONE)]
        for label in mine:
            tokens = _fitting(spec.kind, label.tokens)
            found = reading_of(spec.kind, tokens, "label") if spec.kind in _WRAPS else None
            if found is not None:
                result.used += tokens
                if found.value or field_name not in result.readings:
                    result.readings[field_name] = found
                if found.value:
                    break
    for label in opened:
        result.used += [t for t in label.tokens if t not in result.used]


def _fitting(kind: FieldKind, tokens: list[Token]) -> list[Token]:
    if kind is FieldKind.EMAIL:
        return [t for t in tokens if "@" in t.text] if find_email(text_of(tokens)) else []
    if kind is FieldKind.PHONE:
        digits = [t for t in tokens if any(c.isdigit() for c in t.text) and "@" not in t.text]
        return digits if find_phone(text_of(digits)) else []
    return tokens
