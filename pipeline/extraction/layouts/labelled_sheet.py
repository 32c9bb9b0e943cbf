"""A sheet of labels and values: one placement of values is chosen for the entire sheet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from statistics import median
from typing import NamedTuple

from pipeline.extraction.layouts.labels import ALIGNED, VALUE_WORDS, Label, LinePart, goes_on, pieces_and_labels
from pipeline.extraction.page_reading import PageReading
from pipeline.extraction.tokens import Token, all_tokens, around, box_of, page_lines, straight_tokens, visual_lines
from pipeline.extraction.values.fields import reading_of
from pipeline.extraction.values.kinds import find_email, find_phone, parse_grade
from pipeline.extraction.values.names import has_school_word, person_certainty, school_certainty
from pipeline.pages.page_model import Box, Source, recalled
from pipeline.profiles import ENTRANT, FieldKind
from pipeline.schema import FieldReading

# Labels are before their values, above them, or below them (under a line, at the foot of a box); in a table the
# labels are a column or a row. Each placement is tried with all labels, each piece of text used at most once; the
# one that gives the most labels a value of their kind wins. If another fits about as well, values that differ are
# doubtful.


METHOD = "label"
#: Distance (points) between the left edges of label and value in one column: usual, and at most if centred.
_CLOSE, _CENTRED = 30.0, 150.0
#: Greatest distance (points) of a value above or below its label, also as a multiple of the usual one.
_FARTHEST, _FARTHER = 42.0, 1.8
#: Most lines of a value; more are a list of options.
_MOST_LINES = {FieldKind.PERSON: 2, FieldKind.SCHOOL: 2}
#: Greatest distance between two values of a list, as a multiple of the first one's from its label.
_LISTED = 1.4
#: Least labels of a sheet that have a value of their kind, and least certainty of a person's name among them.
_FEWEST, _NAME = 3, 0.7
#: Lead (in values of their kind) that a placement needs over another one.
_MARGIN = 0.75
TEXTS = (FieldKind.ESSAY, FieldKind.REACTION)


class Placing(StrEnum):
    """Where the values of a sheet are relative to their labels."""

    RIGHT = "right"
    BELOW = "below"
    ABOVE = "above"


@dataclass(slots=True)
class LabelledSheet:
    labels: list[Label]
    readings: dict[str, FieldReading] = field(default_factory=dict)
    #: The words of the page, and those of its labels and values.
    tokens: list[Token] = field(default_factory=list)
    used: list[Token] = field(default_factory=list)
    #: Whether the page also has, apart from these, labels with values for something that entries do not have.
    has_more: bool = False

    @property
    def area(self) -> Box:
        """The part of the page that its labels and values take (points)."""
        return box_of(self.used)


#: The pieces that are the value of a label.
_Values = dict[Label, list[LinePart]]


class _Placed(NamedTuple):
    """The values under a placement, and how well they fit."""

    placing: Placing
    values: _Values
    score: float


@recalled
def read_sheet(reading: PageReading) -> LabelledSheet | None:
    """Read a page by its labels; None for one without the labels of a sheet, or without their values."""
    found = _found(reading)
    if found is None:
        return None
    tokens, pieces, labels = found
    ranked = _ranked(pieces, labels)
    if idle := _repeated(labels, ranked[0].values):
        pieces, labels = [*pieces, *idle], [label for label in labels if label not in idle]
        ranked = _ranked(pieces, labels)
    return _sheet(tokens, labels, ranked) if _is_sheet(ranked[0].values) else None


@recalled
def read_later_sheet(reading: PageReading) -> LabelledSheet | None:
    """Read a later page of a typed sheet by its labels; None if it has none."""
    if reading.page.source is not Source.TEXT_LAYER:
        return None
    tokens = all_tokens(reading.page)
    pieces, labels = pieces_and_labels(page_lines(reading.page))
    ranked = _ranked(pieces, labels)
    values = {label: given for label, given in ranked[0].values.items() if _fit(label.kind, _text(given)) > 0}
    labels = [label for label in labels if label in values or label.kind in TEXTS]
    return _sheet(tokens, labels, [ranked[0]._replace(values=values)]) if labels else None


def _sheet(tokens: list[Token], labels: Sequence[Label], ranked: Sequence[_Placed]) -> LabelledSheet:
    """Return the values of the best placement; labels far from all that have a value are words of a text."""
    best, *others = ranked
    named = [piece.box for label, given in best.values.items() if label.name for piece in (label, *given)]
    area = around(named) if named else None
    far = [label for label in best.values if label.name is None and area and not _is_near(label.box, area)]
    best = best._replace(values={label: given for label, given in best.values.items() if label not in far})
    words = [t for label, given in best.values.items() for piece in (label, *given) for t in piece.tokens]
    own = [label for label in labels if area is None or label.kind in TEXTS or _is_near(label.box, area)]
    sheet = LabelledSheet([label for label in own if label.name], tokens=tokens, has_more=bool(far))
    sheet.readings = _readings(best.values, [one.values for one in others if one.score > best.score - _MARGIN])
    sheet.used = [*words, *(t for label in own if label not in best.values for t in label.tokens)]
    return sheet


def _is_near(box: Box, area: Box) -> bool:
    return area.y0 - _FARTHEST <= box.cy <= area.y1 + _FARTHEST


def is_unfilled(reading: PageReading) -> bool:
    """Whether a typed page has the labels of a sheet but no possible value or essay."""
    page = reading.page
    if page.source is not Source.TEXT_LAYER or page.is_picture or page.by_pen or page.notes or page.doubts:
        return False
    found = _found(reading)
    if found is None:
        return False
    _, pieces, labels = found
    top = min(label.box.y0 for label in labels)
    given = [(label, _text(one)) for placed in _ranked(pieces, labels) for label, one in placed.values.items()]
    fits = [(label.name, _fit(label.kind, text)) for label, text in given]
    filled = any(fit >= 1.0 or (fit > 0 and name == ENTRANT) for name, fit in fits)
    return not filled and not any(piece.box.y1 > top for piece in pieces)


@recalled
def _found(reading: PageReading) -> tuple[list[Token], list[LinePart], list[Label]] | None:
    """Return the words, the pieces and the labels of a page; None if the labels are not a sheet's."""
    tokens = straight_tokens(reading.page)
    lines = visual_lines(tokens) if tokens else page_lines(reading.page)
    pieces, labels = pieces_and_labels(lines)
    names = {label.name for label in labels} - {None}
    if ENTRANT not in names or len(names) < _FEWEST:
        return None
    return tokens or all_tokens(reading.page), pieces, labels


def _ranked(pieces: Sequence[LinePart], labels: Sequence[Label]) -> list[_Placed]:
    """Return the placements, first the one that gives the most labels a value of their kind."""
    placed = [_Placed(placing, values := _placed(pieces, labels, placing), _score(values)) for placing in Placing]
    return sorted(placed, key=lambda one: one.score, reverse=True)


def _repeated(labels: Iterable[Label], values: _Values) -> list[Label]:
    """Return labels without a value whose field has one from another label: perhaps words of that value."""
    given = {label.name for label in values if label.name}
    return [label for label in labels if label.name in given and label not in values]


def _placed(pieces: Sequence[LinePart], labels: Sequence[Label], placing: Placing) -> _Values:
    """Return the value of each label under a placement; each piece belongs to the nearest label only."""
    found = {
        label: given
        for label in labels
        if label.kind not in TEXTS and (given := _at(label, pieces, labels, placing))
    }
    owner: dict[int, Label] = {}
    for label, given in found.items():
        for piece in given:
            other = owner.get(id(piece))
            if other is None or _apart(label, piece) < _apart(other, piece):
                owner[id(piece)] = label
    kept = {label: given for label, given in found.items() if all(owner[id(p)] is label for p in given)}
    usual = median([_apart(label, given[0]) for label, given in kept.items()] or [0.0])
    if placing is Placing.RIGHT:
        return kept
    return {one: given for one, given in kept.items() if _apart(one, given[0]) <= _FARTHER * usual + ALIGNED}


def _apart(label: LinePart, piece: LinePart) -> float:
    return abs(label.box.cy - piece.box.cy)


def _at(label: Label, pieces: Sequence[LinePart], labels: Sequence[Label], placing: Placing) -> list[LinePart]:
    """Return the lines at the place of a label's value, from the top; none for a list or a text."""
    if placing is Placing.RIGHT:
        row = _beside(label, pieces, labels) or _in_row(label, pieces, labels)
        return [] if len(row) != 1 else _lines(label, row[0], pieces, labels, Placing.BELOW)
    near = [p for p in pieces if _is_in_column(label, p, labels, placing)]
    first = min(near, key=lambda p: (_aside(label, p), _apart(label, p)), default=None)
    return [] if first is None else _lines(label, first, pieces, labels, placing)


def _lines(
    label: Label, first: LinePart, pieces: Sequence[LinePart], labels: Sequence[Label], placing: Placing
) -> list[LinePart]:
    """Return a value with its further lines, away from its label."""
    chain = [first]
    while True:
        last = chain[-1]
        pairs = [(p, (last, p) if placing is Placing.BELOW else (p, last)) for p in pieces if p not in chain]
        following = next((p for p, pair in pairs if goes_on(*pair) or _is_listed(label, first, *pair)), None)
        if following is None or any(other is not label and _is_level(other, following) for other in labels):
            break
        if label.kind is FieldKind.PERSON and has_school_word(following.text):
            break
        chain.append(following)
    ordered = sorted(chain, key=lambda p: p.box.cy)
    most = _MOST_LINES.get(label.kind, 1) if label.kind else 1
    words = sum(len(piece.tokens) for piece in chain)
    several = len(chain) > 1 and all(_fit(label.kind, piece.text) >= 1.0 for piece in chain)
    return ordered if len(chain) <= most and words <= VALUE_WORDS and not several else []


def _is_listed(label: Label, first: LinePart, upper: LinePart, lower: LinePart) -> bool:
    """Whether a piece is as near below another as the first is below its label: options, or more values."""
    aligned = abs(upper.box.x0 - lower.box.x0) <= ALIGNED and len(lower.tokens) <= VALUE_WORDS
    return aligned and 0 < lower.box.cy - upper.box.cy <= _LISTED * (first.box.cy - label.box.cy)


def _is_level(a: LinePart, b: LinePart) -> bool:
    return abs(a.box.cy - b.box.cy) <= 0.6 * min(a.box.height, b.box.height)


def _beside(label: Label, pieces: Sequence[LinePart], labels: Sequence[Label]) -> list[LinePart]:
    """Return the pieces on the line of a label, up to the next label."""
    end = _next_edge(label, labels)
    return [p for p in pieces if _is_level(label, p) and label.box.x1 - 2.0 <= p.box.x0 < end]


def _in_row(label: Label, pieces: Sequence[LinePart], labels: Sequence[Label]) -> list[LinePart]:
    """Return the pieces right of a label, below its line and above the next label's row."""
    below = [o.box.y0 for o in labels if o.box.cy > label.box.cy and not _is_level(label, o)]
    end = min(below, default=label.box.cy)
    return [p for p in pieces if label.box.cy < p.box.cy < end and p.box.x0 >= label.box.x1 - 2.0]


def _next_edge(label: Label, labels: Sequence[Label]) -> float:
    behind = [o.box.x0 for o in labels if o is not label and _is_level(label, o) and o.box.x0 > label.box.cx]
    return min(behind, default=1.0e9)


def _edge_before(label: Label, labels: Sequence[Label]) -> float:
    """Return the left edge of a label's column: the label may be under the middle of the value's line."""
    before = [o.box.x1 for o in labels if o is not label and _is_level(label, o) and o.box.cx < label.box.x0]
    return max([label.box.x0 - _CENTRED, *before])


def _is_in_column(label: Label, piece: LinePart, labels: Sequence[Label], placing: Placing) -> bool:
    """Whether a piece is above or below a label, in its column, near it and with no other label between."""
    above, below = (piece.box, label.box) if placing is Placing.ABOVE else (label.box, piece.box)
    apart = below.y0 - above.y1
    if below.cy - above.cy < 0.5 * min(above.height, below.height) or _is_level(label, piece) or apart > _FARTHEST:
        return False
    begins = _edge_before(label, labels) <= piece.box.x0 < _next_edge(label, labels) - ALIGNED
    if not begins and not _overlap(label.box, piece.box):
        return False
    return not any(
        above.cy < other.box.cy < below.cy
        and not _is_level(other, label)
        and (_overlap(other.box, label.box) or _overlap(other.box, piece.box))
        for other in labels
        if other is not label
    )


def _aside(label: Label, piece: LinePart) -> float:
    """Return the horizontal distance (points) of a piece from a label; 0 if left edges agree or they overlap."""
    if abs(piece.box.x0 - label.box.x0) <= _CLOSE:
        return 0.0
    return max(piece.box.x0 - label.box.x1, label.box.x0 - piece.box.x1, 0.0)


def _overlap(a: Box, b: Box) -> bool:
    return a.x0 < b.x1 and b.x0 < a.x1


def _score(values: _Values) -> float:
    """Return how many labels have a value of their kind, minus those with one of another kind."""
    return sum(_fit(label.kind, _text(given)) for label, given in values.items())


def _text(given: Iterable[LinePart]) -> str:
    return " ".join(piece.text for piece in given)


def _fit(kind: FieldKind | None, text: str) -> float:
    """Return how well a text is of a kind: 1 for surely, -1 for surely not."""
    is_other = bool(find_email(text) or find_phone(text))
    if kind is FieldKind.EMAIL:
        return 1.0 if find_email(text) else -1.0
    if kind is FieldKind.PHONE:
        return 1.0 if find_phone(text) else -1.0
    if kind is FieldKind.GRADE:
        return 1.0 if not is_other and parse_grade(text).value else -1.0
    if kind is FieldKind.PERSON:
        certainty = 0.0 if is_other else person_certainty(text)
        return -1.0 if not certainty else 0.2 if certainty < _NAME or has_school_word(text) else 1.0
    if kind is FieldKind.SCHOOL:
        if is_other or parse_grade(text).explicit or not school_certainty(text):
            return -1.0
        return 1.0 if has_school_word(text) else 0.5
    return 0.0


def _is_sheet(values: _Values) -> bool:
    """Whether enough labels have a value of their kind: three, or the name and the school or the grade."""
    fits = {label.name: _fit(label.kind, _text(given)) for label, given in values.items() if label.name}
    told = fits.get(ENTRANT, 0.0) >= 1.0 and max(fits.get("school_name", 0.0), fits.get("grade", 0.0)) > 0
    enough = sum(fit > 0 for fit in fits.values()) >= (_FEWEST - 1 if told else _FEWEST)
    return enough and sum(fits.values()) > (1.0 if told else _FEWEST - 1)


def _readings(values: _Values, rivals: Sequence[_Values]) -> dict[str, FieldReading]:
    """Make readings of the values; doubtful ones if a field has several values, or another one in a rival."""
    found: dict[str, FieldReading] = {}
    for name, kind, given in _by_field(values):
        reading = reading_of(kind, given, METHOD, field=name)
        if reading is None:
            continue
        if name in found:
            found[name] = _doubted(found[name], reading.value)
            continue
        found[name] = reading
    for name, kind, given in (one for rival in rivals for one in _by_field(rival)):
        other = reading_of(kind, given, METHOD, field=name)
        if name in found and other is not None:
            found[name] = _doubted(found[name], other.value)
    return found


def _by_field(values: _Values) -> list[tuple[str, FieldKind, list[Token]]]:
    """Return field, kind and words of the values, the first name of a person before the last one."""
    parts: dict[tuple[str, str], list[Token]] = {}
    whole: list[tuple[str, FieldKind, list[Token]]] = []
    for label, given in values.items():
        tokens = [token for piece in given for token in piece.tokens]
        if label.name is None or label.kind is None or label.kind is FieldKind.IGNORED:
            continue
        if label.part:
            parts.setdefault((label.name, label.part), tokens)
        else:
            whole.append((label.name, label.kind, tokens))
    for name in dict.fromkeys(name for name, _ in parts):
        both = [*parts.get((name, "first"), []), *parts.get((name, "last"), [])]
        whole.append((name, FieldKind.PERSON, both))
    return whole


def _doubted(reading: FieldReading, other: str | None) -> FieldReading:
    if not other or other == reading.value:
        return reading
    return reading.model_copy(update={"confidence": round(reading.confidence / 2, 4), "disagrees_with": other})
