"""Values of a form that keeps its layout, by the zones of its fields, and text boxes laid over a page.

Works in points of the form, so a scan's skew and size do not matter. Zones are generous: values may be above their
line, overlap the label, or hang below the field.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rapidfuzz import fuzz

from pipeline.extraction.page_reading import PageReading
from pipeline.extraction.tokens import (
    Line,
    Token,
    all_tokens,
    box_of,
    lines_by_source,
    runs_of,
    token_text,
    visual_lines,
)
from pipeline.extraction.values.fields import mended, reading_of
from pipeline.extraction.values.kinds import ends_in_public_suffix, find_email, find_phone
from pipeline.extraction.values.text import squeezed
from pipeline.pages.page_model import Box, Note, PageContent, Source, recalled
from pipeline.profiles import ZONE_KINDS, FieldKind, FormSpec
from pipeline.schema import FieldReading

#: Maximum distance (points) of a run from the centre of a zone's line.
REACH = 13.0
#: Maximum distance of a value below its field if nothing else is printed there, and above the topmost field.
BELOW = 22.0
ABOVE = 27.0
#: Maximum distance of a number from its field, under the prompts that follow the header.
FAR = 80.0
#: Space between words (points) that separates two values.
GAP = 14.0
#: Points added to a value's distance from a field if it is after the field, in the next one.
ASIDE = 8.0
#: A zone higher than this (points) has room for several lines.
HIGH = 36.0
#: A line higher than this (points) is written in large letters.
TALL = 24.0
#: Least letters, and similarity (0-100) to a label's word, of a word at the label's place that is the label's.
LABEL_LETTERS, LABEL_LIKENESS = 3, 66
#: A value that ends this near (points) to its field's edge may have been cut off there.
EDGE = 2.0


@dataclass(frozen=True, slots=True)
class _Zone:
    field: str
    kind: FieldKind
    #: The place of the value on the form.
    box: Box
    #: The same including the label, which a value may overlap.
    wide: Box


def _zones(profile: FormSpec) -> list[_Zone]:
    labels = {label.field: at for at, label in profile.labels_in_place if label.field}
    zones = []
    for name, spec in profile.fields.items():
        if spec.zone is not None and spec.kind in ZONE_KINDS:
            label = labels.get(name)
            wide = spec.zone._replace(x0=min(label.x0, spec.zone.x0)) if label else spec.zone
            zones.append(_Zone(name, spec.kind, spec.zone, wide))
    return zones


@recalled
def read_zones(reading: PageReading) -> dict[str, FieldReading]:
    """Read the header fields of a page whose form keeps its layout."""
    readings = read_lines(reading.form, _lines(reading))
    noted = noted_fields(reading) & readings.keys() if reading.page.notes else ()
    return readings | {name: readings[name].model_copy(update={"unaccounted": True}) for name in noted}


def read_lines(profile: FormSpec, lines: Sequence[Line], method: str = "zone") -> dict[str, FieldReading]:
    """Read the header fields from lines without print, whose boxes are in points of the form."""
    zones, labels = _zones(profile), _labels(profile)
    runs = [run for line in lines for run in runs_of(_without_labels(line, labels), GAP)]
    assigned: dict[str, list[Line]] = {}
    loose: list[Line] = []
    for piece in (piece for run in runs for piece in _cut(run, zones)):
        if (zone := _zone_for(piece, zones)) is not None:
            assigned.setdefault(zone.field, []).append(piece)
        else:
            loose.append(piece)
    _join_address(assigned, zones)
    _add_number(assigned, zones, loose)
    by_field = {z.field: z for z in zones}
    readings = {name: _read(by_field[name], parts, method) for name, parts in assigned.items()}
    return {name: reading for name, reading in readings.items() if reading is not None}


def _lines(reading: PageReading) -> list[Line]:
    """Return the lines; as recognised if the page was recognised, since rows of handwriting overlap."""
    tokens = reading.form_tokens()
    return lines_by_source(tokens) if reading.page.source is Source.OCR else visual_lines(tokens)


def _join_address(assigned: dict[str, list[Line]], zones: list[_Zone]) -> None:
    """Give an address its rest if it continues after the label of the phone number next to it."""
    email = next((z for z in zones if z.kind is FieldKind.EMAIL), None)
    phone = _phone_behind(zones, email) if email else None
    if email is None or phone is None or not (begun := assigned.get(email.field)):
        return
    rest = assigned.get(phone.field, [])
    letters = [t for run in rest for t in run if any(c.isalpha() for c in t.text)]
    address = find_email(mended(FieldKind.EMAIL, token_text(t for run in begun for t in run)))
    whole = address is not None and ends_in_public_suffix(address)
    if letters and not whole and find_phone(token_text(t for run in rest for t in run)) is None:
        assigned[email.field] = begun + assigned.pop(phone.field)


def _phone_behind(zones: list[_Zone], email: _Zone) -> _Zone | None:
    """Return the zone of the number that follows an address on its row."""
    behind = (z for z in zones if z.kind is FieldKind.PHONE and z.box.x0 >= email.box.cx)
    return next((z for z in behind if abs(z.box.cy - email.box.cy) <= REACH), None)


def _add_number(assigned: dict[str, list[Line]], zones: list[_Zone], loose: list[Line]) -> None:
    """Assign the only line that is just a phone number to the only phone field, if that is empty."""
    phones = [z for z in zones if z.kind is FieldKind.PHONE]
    if len(phones) != 1 or phones[0].field in assigned:
        return
    phone = phones[0]
    top = min(z.box.y0 for z in zones)
    near = [run for run in loose if top <= box_of(run).cy <= phone.box.y1 + FAR and _is_number(token_text(run))]
    if len(near) == 1:
        assigned[phone.field] = near


def _is_number(text: str) -> bool:
    return find_phone(text) is not None and not any(c.isalpha() for c in text)


def _labels(profile: FormSpec) -> list[tuple[Box, frozenset[str]]]:
    """Return the place of each label and its words."""
    return [
        (at, frozenset(filter(None, map(squeezed, label.texts[0].replace("/", " ").split()))))
        for at, label in profile.labels_in_place
    ]


def _without_labels(line: Line, labels: list[tuple[Box, frozenset[str]]]) -> Line:
    """Return a line without recognised words of a label, even misread, at the label's place."""
    return [t for t in line if t.source is not Source.OCR or not any(_is_of(t, *label) for label in labels)]


def _is_of(token: Token, at: Box, words: frozenset[str]) -> bool:
    across = min(token.box.x1, at.x1) - max(token.box.x0, at.x0)
    if across < 0.7 * token.box.width or not at.y0 - 4 <= token.box.cy <= at.y1 + 4:
        return False
    bare = squeezed(token.text)
    return len(bare) >= LABEL_LETTERS and any(fuzz.ratio(bare, word) >= LABEL_LIKENESS for word in words)


def _cut(run: Line, zones: list[_Zone]) -> list[Line]:
    """Split a run that spans two fields of one row at the beginning of the second field's label.

    Recognised words that extend over that label belong to the first field: only those after it are cut off.
    """
    box = box_of(run)
    row = sorted((z for z in zones if abs(z.box.cy - _middle(box)) <= REACH), key=lambda z: z.box.x0)
    recognised = run[0].source is Source.OCR
    begins = [z.box.x0 if recognised and z.kind is not FieldKind.PHONE else z.wide.x0 for z in row[1:]]
    edges = [x for x in begins if box.x0 + 20 < x < box.x1 - 20]
    parts: list[Line] = []
    start = -1.0e9
    for edge in [*edges, 1.0e9]:
        if part := [t for t in run if start <= t.box.cx < edge]:
            parts.append(part)
        start = edge
    return parts


def _zone_for(run: Line, zones: list[_Zone]) -> _Zone | None:
    box, text = box_of(run), token_text(run)
    best: tuple[float, _Zone] | None = None
    for zone in zones:
        overlap = min(box.x1, zone.wide.x1 + 30) - max(box.x0, zone.wide.x0 - 8)
        if overlap < 0.5 * box.width:
            continue
        middle = _middle(box)
        apart = _apart(middle, zone.box)
        mail = zone.kind is FieldKind.EMAIL and find_email(text) is not None
        phone = zone.kind is FieldKind.PHONE and find_phone(text) is not None
        if apart > _reach(zone, zones, below=middle > zone.box.cy, sure=mail or phone):
            continue
        # An e-mail address or telephone number is identified by its form, which outweighs half a row of distance.
        cost = apart - (8.0 if mail or phone else 0.0) + (ASIDE if _is_of_next(box, zone, zones) else 0.0)
        if best is None or cost < best[0]:
            best = (cost, zone)
    return best[1] if best else None


def _is_of_next(box: Box, zone: _Zone, zones: list[_Zone]) -> bool:
    """Whether a line that begins after a zone is where the next zone has its values."""
    return box.x0 >= zone.box.x1 and any(
        z.box.x0 <= box.cx <= z.box.x1 and abs(z.box.cy - zone.box.cy) <= REACH for z in zones if z is not zone
    )


def _apart(middle: float, zone: Box) -> float:
    """Return the distance between the middles of a line and a zone, or the nearest of the zone's lines."""
    lines = max(zone.height - HIGH, 0.0) / 2
    return max(abs(middle - zone.cy) - lines, 0.0)


def _middle(box: Box) -> float:
    """Return the middle of a line of usual height on this one's baseline: large letters rise above their row."""
    return max(box.cy, box.y1 - TALL / 2)


def _reach(zone: _Zone, zones: list[_Zone], below: bool, sure: bool) -> float:
    """Return the maximum distance (points) of a value from its line: schools wrap below, top names rise above."""
    if below:
        return BELOW if sure or zone.kind in (FieldKind.SCHOOL, FieldKind.EMAIL) else REACH
    over_all = all(zone.box.y0 <= z.box.y0 for z in zones if z.box.x0 < zone.box.x1 and z.wide.x1 > zone.wide.x0)
    return ABOVE if over_all and zone.kind is FieldKind.PERSON else REACH


def _read(zone: _Zone, runs: list[Line], method: str) -> FieldReading | None:
    ordered = [run for line in _rows(runs) for run in line]
    tokens = [t for run in ordered for t in run]
    return reading_of(zone.kind, tokens, method, _doubt(zone, runs, tokens), zone.field)


def _rows(runs: list[Line]) -> list[list[Line]]:
    """Group runs into rows: runs side by side share a row; a run below or above another begins a new one."""
    rows: list[list[Line]] = []
    for run in sorted(runs, key=lambda r: box_of(r).cy):
        box = box_of(run)
        if rows and all(_beside(box, box_of(other)) for other in rows[-1]):
            rows[-1].append(run)
        else:
            rows.append([run])
    return [sorted(row, key=lambda r: box_of(r).x0) for row in rows]


def _beside(a: Box, b: Box) -> bool:
    shared = min(a.x1, b.x1) - max(a.x0, b.x0)
    return abs(a.cy - b.cy) < 0.6 * max(a.height, b.height) and shared < 0.2 * min(a.width, b.width)


def _doubt(zone: _Zone, runs: list[Line], tokens: list[Token]) -> float:
    """Return a factor (0-1), below 1 where the position suggests a value that is cut off, mixed or misplaced."""
    box = box_of(tokens)
    doubt = 1.0
    typed = all(t.source is not Source.OCR for t in tokens)
    if typed and box.x1 > zone.box.x1 - EDGE:
        doubt = min(doubt, 0.75)
    if box.x0 < zone.box.x0 - 8:
        doubt = min(doubt, 0.75)
    if len(_rows(runs)) > 1 and zone.kind is FieldKind.PERSON:
        doubt = min(doubt, 0.7)
    return doubt


# Text boxes laid over a page.
#
# People fill forms without fields with text boxes, and teachers write remarks with them. A box is an answer if the
# place of a field, or the page, is otherwise empty; any other is left to the reviewer, who sees it on the page.


#: With fewer words an essay's place is empty, and a box is not an essay.
_ESSAY_WORDS = 15
#: Least share of an answer's words in the place of a field.
_INSIDE = 0.7
#: Greatest distance (points) of an answer outside its place.
_AROUND = 5.0
_TEXTS = (FieldKind.ESSAY, FieldKind.REACTION)


def with_text_boxes(reading: PageReading) -> PageContent | None:
    """Return the page with the text boxes that are answers among its words; None if there are none.

    `reading` is that of the page without them.
    """
    page = reading.page
    boxes = [note for note in page.notes if note.may_fill and note.words]
    answers = [note for note in boxes if _is_answer(reading, note)]
    if not answers:
        return None
    words = [*page.words, *(word for note in answers for word in note.words)]
    rest = [note for note in page.notes if note not in answers]
    return replace(page, words=words, notes=rest, source=page.source or Source.TEXT_LAYER)


def noted_fields(reading: PageReading) -> frozenset[str]:
    """Return the fields, of a form that keeps its layout, in whose places there is a note next to the value."""
    if not reading.fixed:
        return frozenset()
    found = set()
    for note in reading.page.notes:
        tokens = _on_form(reading, note)
        for name, zone, kind in _places(reading):
            if (
                kind not in _TEXTS
                and _share_inside(tokens, zone) >= _INSIDE
                and not _repeats(reading, zone, tokens)
            ):
                found.add(name)
    return frozenset(found)


def _is_answer(reading: PageReading, note: Note) -> bool:
    if reading.fixed:
        tokens = _on_form(reading, note)
        return any(
            _share_inside(tokens, zone) >= _INSIDE and _is_free(reading, zone, kind, len(tokens))
            for _, zone, kind in _places(reading)
        )
    return _fills_page(reading, note)


def _fills_page(reading: PageReading, note: Note) -> bool:
    """Whether nothing else is written on the page, or on the part (header or body) that a box is on."""
    written, bottom = reading.written_tokens(), reading.bottom
    if reading.profile is None or bottom is None:
        return len(written) < _ESSAY_WORDS
    in_header = all(token.box.cy < bottom for token in _as_tokens(reading.page, note))
    if in_header:
        return not any(c.isalnum() for token in written if token.box.cy < bottom for c in token.text)
    return len(note.words) >= _ESSAY_WORDS > sum(token.box.cy >= bottom for token in written)


def _places(reading: PageReading) -> Iterable[tuple[str, Box, FieldKind]]:
    """Yield the fields of a form with the places of their values."""
    for name, spec in reading.form.fields.items():
        if spec.zone is not None and spec.kind in (*ZONE_KINDS, *_TEXTS):
            yield name, spec.zone, spec.kind


def _is_free(reading: PageReading, zone: Box, kind: FieldKind, words: int) -> bool:
    inside = [token for token in reading.form_tokens() if _is_inside(token.box, zone)]
    if any(
        widget.value and _is_inside(_widget_on_form(reading, widget.box), zone) for widget in reading.page.widgets
    ):
        return False
    if kind is FieldKind.ESSAY:
        return len(inside) < _ESSAY_WORDS <= words
    return not any(c.isalnum() for token in inside for c in token.text)


def _repeats(reading: PageReading, zone: Box, tokens: Sequence[Token]) -> bool:
    inside = [token for token in reading.form_tokens() if _is_inside(token.box, zone)]
    return not inside or squeezed(token_text(tokens)) in squeezed(token_text(inside))


def _as_tokens(page: PageContent, note: Note) -> list[Token]:
    return all_tokens(replace(page, words=list(note.words)))


def _on_form(reading: PageReading, note: Note) -> list[Token]:
    to_form = reading.placed.box_to_form
    return [token.moved(to_form(token.box)) for token in _as_tokens(reading.page, note)]


def _widget_on_form(reading: PageReading, box: Box) -> Box:
    width, height = reading.page.letter
    return reading.placed.box_to_form(Box(box.x0 * width, box.y0 * height, box.x1 * width, box.y1 * height))


def _share_inside(tokens: Sequence[Token], zone: Box) -> float:
    return sum(_is_inside(token.box, zone) for token in tokens) / max(len(tokens), 1)


def _is_inside(box: Box, zone: Box) -> bool:
    return zone.x0 - _AROUND <= box.cx <= zone.x1 + _AROUND and zone.y0 - _AROUND <= box.cy <= zone.y1 + _AROUND
