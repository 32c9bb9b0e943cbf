"""Values of a form that keeps its layout: each run of written words is assigned to the field whose zone it is in.

Works in points of the form, so a scan's skew and size do not matter. Zones are generous: values may be above their
line, overlap the label, or hang below the field.
"""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.extraction.fields import reading_of
from pipeline.extraction.page_reading import PageReading
from pipeline.extraction.tokens import Line, Token, box_of, recognised_lines, runs_of, text_of, visual_lines
from pipeline.extraction.values.contacts import find_email, find_phone
from pipeline.pages.page_model import Box, Source
from pipeline.pages.recent import recalled
from pipeline.profiles import HEADER_KINDS, FieldKind, PrintedRole, Profile
from pipeline.schema import FieldReading

#: Maximum distance (points) of a run from the centre of a zone's line.
REACH = 13.0
#: Maximum distance of a value below its field where nothing else is printed, and above the topmost field.
BELOW = 22.0
ABOVE = 27.0
#: Space between words (points) that separates two values.
GAP = 14.0
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
        if spec.zone is not None and spec.kind in HEADER_KINDS:
            label = labels.get(name)
            wide = spec.zone._replace(x0=min(label.x0, spec.zone.x0)) if label else spec.zone
            zones.append(_Zone(name, spec.kind, spec.zone, wide))
    return zones


@recalled
def read_zones(reading: PageReading) -> dict[str, FieldReading]:
    """Read the header fields of a page whose form keeps its layout."""
    assert reading.profile is not None
    zones = _zones(reading.profile)
    runs = [run for line in _lines(reading) for run in runs_of(line, GAP)]
    assigned: dict[str, list[Line]] = {}
    for piece in (piece for run in runs for piece in _cut(run, zones)):
        if (zone := _zone_for(piece, zones)) is not None:
            assigned.setdefault(zone.field, []).append(piece)
    by_field = {z.field: z for z in zones}
    readings = {name: _read(by_field[name], parts) for name, parts in assigned.items()}
    return {name: reading for name, reading in readings.items() if reading is not None}


def _lines(reading: PageReading) -> list[Line]:
    """Return the recognised lines where the page was recognised, as rows of handwriting overlap."""
    tokens = reading.form_tokens()
    return recognised_lines(tokens) if reading.page.source is Source.OCR else visual_lines(tokens)


def _cut(run: Line, zones: list[_Zone]) -> list[Line]:
    """Split a run that spans two fields of one row where the second field's label begins."""
    box = box_of(run)
    row = sorted((z for z in zones if abs(z.box.cy - box.cy) <= REACH), key=lambda z: z.box.x0)
    edges = [z.wide.x0 for z in row[1:] if box.x0 + 20 < z.wide.x0 < box.x1 - 20]
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
        apart = abs(box.cy - zone.box.cy)
        mail = zone.kind is FieldKind.EMAIL and find_email(text) is not None
        phone = zone.kind is FieldKind.PHONE and find_phone(text) is not None
        if apart > _reach(zone, zones, below=box.cy > zone.box.cy, sure=mail or phone):
            continue
        # An e-mail address or telephone number is identified by its form, which outweighs half a row of distance.
        cost = apart - (8.0 if mail or phone else 0.0)
        if best is None or cost < best[0]:
            best = (cost, zone)
    return best[1] if best else None


def _reach(zone: _Zone, zones: list[_Zone], below: bool, sure: bool) -> float:
    """Return the maximum distance (points) of a value from its line: schools wrap below, top names rise above."""
    if below:
        return BELOW if sure or zone.kind is FieldKind.SCHOOL else REACH
    over_all = all(zone.box.y0 <= z.box.y0 for z in zones if z.box.x0 < zone.box.x1 and z.wide.x1 > zone.wide.x0)
    return ABOVE if over_all and zone.kind is FieldKind.PERSON else REACH


def _read(zone: _Zone, runs: list[Line]) -> FieldReading | None:
    ordered = [run for line in _rows(runs) for run in line]
    tokens = [t for run in ordered for t in run]
    return reading_of(zone.kind, tokens, "zone", _doubt(zone, runs, tokens), zone.field)


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
