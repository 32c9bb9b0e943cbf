"""Values of a form that keeps its layout: each run of written words is assigned to the field whose zone it is in.

Works in points of the form, so a scan's skew and size do not matter. Zones are generous: values may be above their
line, overlap the label, or hang below the field.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from pipeline.extraction.arranged.filled_notes import noted_fields
from pipeline.extraction.fields import reading_of
from pipeline.extraction.page_reading import PageReading
from pipeline.extraction.tokens import Line, Token, box_of, lines_by_source, runs_of, text_of, visual_lines
from pipeline.extraction.values.contacts import ends_in_public_suffix, find_email, find_phone
from pipeline.extraction.values.mending import mended
from pipeline.extraction.values.text import squeezed
from pipeline.pages.page_model import Box, Source
from pipeline.pages.recent import recalled
from pipeline.profiles import ZONE_KINDS, FieldKind, PrintedRole, Profile
from pipeline.schema import FieldReading

#: Maximum distance (points) of a run from the centre of a zone's line.
REACH = 13.0
#: Maximum distance of a value below its field where nothing else is printed, and above the topmost field.
BELOW = 22.0
ABOVE = 27.0
#: Maximum distance of a number from its field, under the prompts that follow the header.
FAR = 80.0
#: Space between words (points) that separates two values.
GAP = 14.0
#: How much farther (points) a value counts from a field that it stands behind, in that beside it.
ASIDE = 8.0
#: A zone higher than this (points) has room for several lines.
HIGH = 36.0
#: A line higher than this (points) is written in large letters.
TALL = 24.0
#: A word of so many letters with this similarity (0-100) to one of a label, at the label's place, is the label's.
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


def _zones(profile: Profile) -> list[_Zone]:
    labels = {
        p.field: p.at
        for p in profile.printed
        if p.role is PrintedRole.LABEL and p.at is not None and p.field and not p.repeat
    }
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
    assert reading.profile is not None
    readings = read_lines(reading.profile, _lines(reading))
    noted = noted_fields(reading) & readings.keys() if reading.page.notes else ()
    return readings | {name: readings[name].model_copy(update={"unaccounted": True}) for name in noted}


def read_lines(profile: Profile, lines: Sequence[Line], method: str = "zone") -> dict[str, FieldReading]:
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
    """Return the recognised lines where the page was recognised, as rows of handwriting overlap."""
    tokens = reading.form_tokens()
    return lines_by_source(tokens) if reading.page.source is Source.OCR else visual_lines(tokens)


def _join_address(assigned: dict[str, list[Line]], zones: list[_Zone]) -> None:
    """Give an address its rest where it goes on behind the label of the number beside it."""
    email = _of_kind(zones, FieldKind.EMAIL)
    phone = _phone_behind(zones, email) if email else None
    if email is None or phone is None or not (begun := assigned.get(email.field)):
        return
    rest = assigned.get(phone.field, [])
    letters = [t for run in rest for t in run if any(c.isalpha() for c in t.text)]
    address = find_email(mended(FieldKind.EMAIL, text_of(t for run in begun for t in run)))
    whole = address is not None and ends_in_public_suffix(address)
    if letters and not whole and find_phone(text_of(t for run in rest for t in run)) is None:
        assigned[email.field] = begun + assigned.pop(phone.field)


def _phone_behind(zones: list[_Zone], email: _Zone) -> _Zone | None:
    """Return the zone of the number that follows an address on its row."""
    behind = (z for z in zones if z.kind is FieldKind.PHONE and z.box.x0 >= email.box.cx)
    return next((z for z in behind if abs(z.box.cy - email.box.cy) <= REACH), None)


def _add_number(assigned: dict[str, list[Line]], zones: list[_Zone], loose: list[Line]) -> None:
    """Take a line that is only a number for the only field of a number, if that is empty and one line is."""
    phones = [z for z in zones if z.kind is FieldKind.PHONE]
    if len(phones) != 1 or phones[0].field in assigned:
        return
    phone = phones[0]
    top = min(z.box.y0 for z in zones)
    near = [run for run in loose if top <= box_of(run).cy <= phone.box.y1 + FAR and _is_number(text_of(run))]
    if len(near) == 1:
        assigned[phone.field] = near


def _is_number(text: str) -> bool:
    return find_phone(text) is not None and not any(c.isalpha() for c in text)


def _of_kind(zones: list[_Zone], kind: FieldKind) -> _Zone | None:
    return next((z for z in zones if z.kind is kind), None)


def _labels(profile: Profile) -> list[tuple[Box, frozenset[str]]]:
    """Return the place of each label and its words."""
    return [
        (p.at, frozenset(filter(None, map(squeezed, p.texts[0].replace("/", " ").split()))))
        for p in profile.printed
        if p.role is PrintedRole.LABEL and p.at is not None and not p.repeat
    ]


def _without_labels(line: Line, labels: list[tuple[Box, frozenset[str]]]) -> Line:
    """Return a line without the recognised words that are a label's, also misread, at the label's place."""
    return [t for t in line if t.source is not Source.OCR or not any(_is_of(t, *label) for label in labels)]


def _is_of(token: Token, at: Box, words: frozenset[str]) -> bool:
    across = min(token.box.x1, at.x1) - max(token.box.x0, at.x0)
    if across < 0.7 * token.box.width or not at.y0 - 4 <= token.box.cy <= at.y1 + 4:
        return False
    bare = squeezed(token.text)
    return len(bare) >= LABEL_LETTERS and any(fuzz.ratio(bare, word) >= LABEL_LIKENESS for word in words)


def _cut(run: Line, zones: list[_Zone]) -> list[Line]:
    """Split a run that spans two fields of one row where the second field's label begins.

    Recognised words that go on over that label belong to the first field: only those behind it are cut off.
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
    box, text = box_of(run), text_of(run)
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
    """Whether a line that begins behind a zone is where the zone beside it has its values."""
    return box.x0 >= zone.box.x1 and any(
        z.box.x0 <= box.cx <= z.box.x1 and abs(z.box.cy - zone.box.cy) <= REACH for z in zones if z is not zone
    )


def _apart(middle: float, zone: Box) -> float:
    """Return how far the middle of a line is from that of a zone, or of the nearest of its several lines."""
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
    """Group runs into rows: runs side by side share a row; one below or above another begins a new row."""
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
