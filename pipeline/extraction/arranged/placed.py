"""A sheet of labels and values: where the values stand is decided once for the whole sheet.

Labels stand before their values, above them, or below them (under a line, at the foot of a box); in a table the
labels are a column or a row. Each of these placements is tried with all labels: the one under which the most labels
get one value of their kind is taken, each piece of text at most once. Where another one fits about as well, the
values that differ are doubtful.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from statistics import median

from pipeline.extraction.arranged.labels import LABEL_WORDS, meaning_of, nearly_meaning
from pipeline.extraction.fields import reading_of
from pipeline.extraction.page_reading import PageReading
from pipeline.extraction.tokens import (
    Line,
    Token,
    box_of,
    runs_of,
    straight_tokens,
    text_of,
    tokens_of,
    visual_lines,
)
from pipeline.extraction.values.contacts import find_email, find_phone
from pipeline.extraction.values.grades import parse_grade
from pipeline.extraction.values.names import person_certainty
from pipeline.extraction.values.schools import has_school_word, school_certainty
from pipeline.pages.page_model import Box, Source
from pipeline.pages.recent import recalled
from pipeline.profiles import ENTRANT, FieldKind
from pipeline.schema import FieldReading

METHOD = "label"
#: Space (points) that parts a label from a value, or from another label, on one line.
GAP = 9.0
#: How far (points) the beginnings of what stands in one column differ.
_ALIGNED, _CLOSE = 6.0, 30.0
#: Farthest distance (points) between a label and a value above or below it, and how much farther (times) than usual.
_FARTHEST, _FARTHER = 42.0, 1.8
#: Words of a value; more are the essay's.
_VALUE_WORDS, _LONG_VALUE = 10, 7
#: Lines of a value; more are a list of options.
_MOST_LINES = {FieldKind.PERSON: 2, FieldKind.SCHOOL: 2}
#: Space (heights of a line) between two lines of one value.
_WRAP = 0.55
#: Labels of a sheet that have a value of their kind, at least; what a person's name among them has to be.
_FEWEST, _NAME = 3, 0.7
#: By how much (values of their kind) a placement has to be better than another one.
_MARGIN = 0.75
#: What the shorter way to a value counts.
_NEARER = 0.1
_TEXTS = (FieldKind.ESSAY, FieldKind.REACTION)


class Placing(StrEnum):
    """Where the values of a sheet stand, seen from their labels."""

    RIGHT = "right"
    BELOW = "below"
    ABOVE = "above"


@dataclass(eq=False, slots=True)
class Piece:
    """What lies together of one line."""

    tokens: Line
    box: Box

    @property
    def text(self) -> str:
        return text_of(self.tokens)


@dataclass(eq=False, slots=True)
class Label(Piece):
    """A label; `name` is None for one of something that no entry has."""

    name: str | None = None
    kind: FieldKind | None = None
    #: The first or the last name, of one that is asked for in two.
    part: str = ""


@dataclass(slots=True)
class Sheet:
    """What the labels of a page give."""

    placing: Placing
    labels: list[Label]
    readings: dict[str, FieldReading] = field(default_factory=dict)
    #: The words of the page, and those of its labels and values.
    tokens: list[Token] = field(default_factory=list)
    used: list[Token] = field(default_factory=list)

    @property
    def area(self) -> Box:
        """What part of the page its labels and values take (points)."""
        return box_of(self.used)


#: The pieces that are the value of a label.
_Values = dict[Label, list[Piece]]


@recalled
def read_sheet(reading: PageReading) -> Sheet | None:
    """Read a page by its labels; None for one without the labels of a sheet, or without their values."""
    tokens = straight_tokens(reading.page) or tokens_of(reading.page)
    pieces, labels = _parted(tokens)
    names = {label.name for label in labels}
    if ENTRANT not in names or len(names - {None}) < _FEWEST:
        return None
    ranked = sorted(
        ((_score(values), n, placing, values) for n, placing in enumerate(Placing) if (values := _placed(pieces, labels, placing))),
        key=lambda one: (-one[0], one[1]),
    )
    if not ranked or not _is_sheet(ranked[0][3]):
        return None
    (best, _, placing, values), *others = ranked
    rivals = [other for score, _, _, other in others if score > best - _MARGIN]
    sheet = Sheet(placing, [label for label in labels if label.name], tokens=tokens)
    sheet.readings = _readings(values, rivals)
    sheet.used = [t for label in labels for t in label.tokens]
    sheet.used += [t for given in values.values() for piece in given for t in piece.tokens]
    return sheet


def _parted(tokens: Sequence[Token]) -> tuple[list[Piece], list[Label]]:
    """Return the text of a page in pieces, and its labels."""
    runs = [run for line in visual_lines(tokens) for run in runs_of(line, GAP)]
    pieces: list[Piece] = []
    labels: list[Label] = []
    for run in runs:
        for part, meaning in _at_colons(run):
            if meaning is None:
                pieces.append(Piece(part, box_of(part)))
            else:
                labels.append(Label(part, box_of(part), *meaning))
    _join_wrapped(pieces, labels)
    _add_unknown(pieces, labels)
    return [piece for piece in pieces if any(c.isalnum() for c in piece.text)], labels


_Meaning = tuple[str, FieldKind, str]


def _meaning(tokens: Line) -> _Meaning | None:
    if not tokens or len(tokens) > LABEL_WORDS or any(t.source is Source.ACROFORM for t in tokens):
        return None
    if any("@" in t.text or (n and any(c.isdigit() for c in t.text)) for n, t in enumerate(tokens)):
        return None
    recognised = any(t.source is Source.OCR for t in tokens)
    return (nearly_meaning if recognised else meaning_of)(text_of(tokens))


def _at_colons(run: Line) -> list[tuple[Line, _Meaning | None]]:
    """Split a piece into labels, each as a whole or up to its colon, and what stands between them."""
    if (meaning := _meaning(run)) is not None:
        return [(run, meaning)]
    found: list[tuple[Line, _Meaning | None]] = []
    rest = 0
    for end, token in enumerate(run, 1):
        if not token.text.endswith((":", "=")):
            continue
        begins = range(max(rest, end - LABEL_WORDS), end)
        at = next((at for at in begins if (meaning := _meaning(run[at:end])) is not None), None)
        if at is not None:
            found += [(run[rest:at], None)] if rest < at else []
            found.append((run[at:end], meaning))
            rest = end
    return [*found, (run[rest:], None)] if rest < len(run) else found


def _join_wrapped(pieces: list[Piece], labels: list[Label]) -> None:
    """Put labels together that take two lines."""
    for upper in [*pieces, *labels]:
        below = [p for p in (*pieces, *labels) if p is not upper and _goes_on(upper, p)]
        lower = min(below, key=lambda p: p.box.cy, default=None)
        if lower is None or (isinstance(upper, Label) and isinstance(lower, Label)):
            continue
        meaning = _meaning([*upper.tokens, *lower.tokens])
        if meaning is not None and _type(upper.tokens) == _type(lower.tokens) and all(not isinstance(p, Label) or p.name == meaning[0] for p in (upper, lower)):
            pieces[:] = [p for p in pieces if p is not upper and p is not lower]
            labels[:] = [p for p in labels if p is not upper and p is not lower]
            tokens = [*upper.tokens, *lower.tokens]
            labels.append(Label(tokens, box_of(tokens), *meaning))
            return _join_wrapped(pieces, labels)


def _goes_on(upper: Piece, lower: Piece) -> bool:
    """Whether a piece is the next line of another one."""
    high = max(upper.box.height, lower.box.height)
    apart = lower.box.y0 - upper.box.y1
    return (
        abs(upper.box.x0 - lower.box.x0) <= _ALIGNED and lower.box.cy > upper.box.cy and -0.5 * high < apart <= _WRAP * high
    )


def _type(tokens: Sequence[Token]) -> tuple[float, bool]:
    if tokens[0].source is Source.OCR:
        return 0.0, False
    return round(tokens[0].size, 1), all(token.bold for token in tokens)


def _add_unknown(pieces: list[Piece], labels: list[Label]) -> None:
    """Add the labels of what no entry has: pieces that end as the labels here do, or are of their type alone."""
    if not labels or any(t.source is Source.OCR for label in labels for t in label.tokens):
        return
    of_labels = {_type(label.tokens) for label in labels}
    short = [p for p in pieces if len(p.tokens) <= _VALUE_WORDS]
    typed = of_labels if len(of_labels) == 1 and sum(_type(p.tokens) in of_labels for p in short) < len(short) / 2 else set()
    ends = {label.text[-1] for label in labels} & {":", "*", "?"}
    for piece in short:
        if piece.tokens[0].source is Source.ACROFORM:
            continue
        if piece.text.endswith(tuple(ends)) or _type(piece.tokens) in typed:
            pieces.remove(piece)
            labels.append(Label(piece.tokens, piece.box))


def _placed(pieces: Sequence[Piece], labels: Sequence[Label], placing: Placing) -> _Values:
    """Return the value of each label under a placement, each piece as that of the nearest label alone."""
    found = {label: given for label in labels if label.kind not in _TEXTS and (given := _at(label, pieces, labels, placing))}
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
    return {l: g for l, g in kept.items() if _apart(l, g[0]) <= _FARTHER * usual + _ALIGNED}


def _apart(label: Piece, piece: Piece) -> float:
    return abs(label.box.cy - piece.box.cy)


def _at(label: Label, pieces: Sequence[Piece], labels: Sequence[Label], placing: Placing) -> list[Piece]:
    """Return the lines of what stands at the place of a label's value, from above; none for a list, or text."""
    if placing is Placing.RIGHT:
        row = _beside(label, pieces, labels)
        return [] if len(row) != 1 else _lines(label, row[0], pieces, labels, Placing.BELOW)
    near = [p for p in pieces if _is_in_column(label, p, labels, placing)]
    first = min(near, key=lambda p: (not _is_close(label, p), _apart(label, p)), default=None)
    return [] if first is None else _lines(label, first, pieces, labels, placing)


def _lines(label: Label, first: Piece, pieces: Sequence[Piece], labels: Sequence[Label], placing: Placing) -> list[Piece]:
    """Return a value with the lines that it goes on in, away from its label."""
    chain = [first]
    while True:
        last = chain[-1]
        pairs = [(p, (last, p) if placing is Placing.BELOW else (p, last)) for p in pieces if p not in chain]
        following = next((p for p, pair in pairs if _goes_on(*pair)), None)
        if following is None or _is_taken(following, label, labels, placing):
            break
        chain.append(following)
    ordered = sorted(chain, key=lambda p: p.box.cy)
    most = _MOST_LINES.get(label.kind, 1) if label.kind else 1
    words = sum(len(piece.tokens) for piece in chain)
    return ordered if len(chain) <= most and words <= _VALUE_WORDS else []


def _is_taken(piece: Piece, label: Label, labels: Sequence[Label], placing: Placing) -> bool:
    """Whether a further line is nearer to another label that it may belong to."""
    return any(
        other is not label
        and (_is_level(other, piece) or (placing is Placing.BELOW and False))
        for other in labels
    )


def _is_level(a: Piece, b: Piece) -> bool:
    return abs(a.box.cy - b.box.cy) <= 0.6 * max(a.box.height, b.box.height)


def _beside(label: Label, pieces: Sequence[Piece], labels: Sequence[Label]) -> list[Piece]:
    """Return what stands on the line of a label, up to the next one."""
    end = _next_edge(label, labels)
    return [p for p in pieces if _is_level(label, p) and label.box.x1 - 2.0 <= p.box.x0 < end]


def _next_edge(label: Label, labels: Sequence[Label]) -> float:
    behind = [o.box.x0 for o in labels if o is not label and _is_level(label, o) and o.box.x0 > label.box.cx]
    return min(behind, default=1.0e9)


def _is_in_column(label: Label, piece: Piece, labels: Sequence[Label], placing: Placing) -> bool:
    """Whether a piece stands above or below a label, in its column, near it and with no other label between."""
    above, below = (piece.box, label.box) if placing is Placing.ABOVE else (label.box, piece.box)
    apart = below.y0 - above.y1
    if below.cy - above.cy < 0.5 * min(above.height, below.height) or _is_level(label, piece) or apart > _FARTHEST:
        return False
    begins = label.box.x0 - _ALIGNED <= piece.box.x0 < _next_edge(label, labels) - _ALIGNED
    if not begins and not _overlap(label.box, piece.box):
        return False
    return not any(
        above.cy < other.box.cy < below.cy
        and not _is_level(other, label)
        and (_overlap(other.box, label.box) or _overlap(other.box, piece.box))
        for other in labels
        if other is not label
    )


def _is_close(label: Label, piece: Piece) -> bool:
    """Whether a piece begins about where a label does, or overlaps with it, rather than farther to the right."""
    return _overlap(label.box, piece.box) or abs(piece.box.x0 - label.box.x0) <= _CLOSE


def _overlap(a: Box, b: Box) -> bool:
    return a.x0 < b.x1 and b.x0 < a.x1


def _score(values: _Values) -> float:
    """Return how many labels have a value of their kind, less those with one of another kind."""
    return sum(_fit(label.kind, _text(given)) for label, given in values.items())


def _text(given: Iterable[Piece]) -> str:
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
    fits = {label.name: _fit(label.kind, _text(given)) for label, given in values.items() if label.name}
    beside = max(fits.get("school_name", 0.0), fits.get("grade", 0.0))
    return fits.get(ENTRANT, 0.0) >= 1.0 and beside > 0 and sum(fit > 0 for fit in fits.values()) >= _FEWEST


def _readings(values: _Values, rivals: Sequence[_Values]) -> dict[str, FieldReading]:
    """Make readings of the values; of a field with several, or with another one in a rival, doubtful ones."""
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
    """Return field, kind and words of the values, the first name of a person in front of the last one."""
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
