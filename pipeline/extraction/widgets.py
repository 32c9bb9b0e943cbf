"""Values of live AcroForm fields: by name or place on a known form, as words next to labels on any other."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from textwrap import wrap

from pipeline.extraction.page_reading import PageReading
from pipeline.extraction.tokens import upright
from pipeline.extraction.values.fields import parse_value
from pipeline.extraction.values.text import plain_text, tidied
from pipeline.pages.page_model import Box, PageContent, Source, Widget, Word
from pipeline.pages.widgets import WRITTEN_KINDS
from pipeline.profiles import FieldKind, FormSpec, PrintedRole, form_profiles
from pipeline.schema import EvidenceBox, FieldReading

#: What programs append to the name of a field when they join files: " [103]", "_2", "#1", "-3", "(2)".
_APPENDED = re.compile(r"(?<!\s)\s*+[\[(]\d++[\])]$|(?<![\s_#.\-\d])[\s_#.\-]*+\d++$")

#: Kinds of fields that are marked, and least such fields side by side that are a row.
_MARKED, _A_ROW = ("radio", "checkbox"), 3
#: Confidence of a value if the page and the file differ.
_DOUBTED = 0.5


def profile_of_widgets(page: PageContent) -> FormSpec | None:
    """Return the profile with the most of the page's widgets by name, including the entrant's if it has one.

    None if none has two: "School", "Grade" and "Essay" are common names.
    """
    if not page.widgets:
        return None
    known = frozenset().union(*map(_known, form_profiles()))
    names = {name for w in page.widgets if (name := name_on_form(w.name, known))}
    # Newer forms have all fields of older ones: among equals the form with the fewest unused fields wins.
    ranked = sorted(form_profiles(), key=lambda p: (len(_known(p) & names), -len(_known(p) - names)), reverse=True)
    return next((p for p in ranked[:1] if len(_known(p) & names) >= 2 and _has_entrant(p, names)), None)


def _has_entrant(profile: FormSpec, names: Collection[str]) -> bool:
    """Whether the entrant's field is among the names, if the form has one."""
    spec = profile.fields.get(profile.entrant or "")
    return spec is None or not spec.widgets or any(plain_text(name) in names for name in spec.widgets)


def with_values_written(page: PageContent) -> PageContent | None:
    """Return a page of an unknown form with the contents of its fields among its words.

    A row of boxes keeps only the word of the marked one, if one is. None if no field shows anything.
    """
    options = {id(word): keep for row in _rows_of_boxes(page.widgets) for word, keep in _options(page, row)}
    words = [word for word in page.words if options.get(id(word), True)]
    number = max((word.line for word in page.words), default=0)
    for widget in page.widgets:
        if widget.kind in WRITTEN_KINDS and widget.value.strip():
            lines = _lines_in(widget, page)
            words += [word for n, line in enumerate(lines, number + 1) for word in _set(line, n, widget)]
            number += len(lines)
    if len(words) == len(page.words) and not options:
        return None
    return replace(page, words=words, widgets=[], source=page.source or Source.TEXT_LAYER)


#: A word of a field and its place.
_Placed = tuple[str, Box]
#: Approximate distance (points) between the lines of a field, and width of a letter.
_LINE, _LETTER = 12.0, 5.0


def _lines_in(widget: Widget, page: PageContent) -> list[list[_Placed]]:
    """Place the words of a field in its box, in lines from the top; only their order and row are exact."""
    box = widget.box
    letter, step = _LETTER / page.width, _LINE / page.height
    across = max(int(box.width / letter), 1) if box.height >= 2 * step else len(widget.value)
    texts = [line for part in widget.value.splitlines() for line in wrap(part, across, break_long_words=False)]
    high = min(step, box.height / len(texts)) if len(texts) > 1 else box.height
    lines = []
    for n, text in enumerate(texts):
        wide, top = min(letter, box.width / len(text)), box.y0 + n * high
        spots = [(word.group(), word.span()) for word in re.finditer(r"\S+", text)]
        lines.append(
            [(word, Box(box.x0 + a * wide, top, box.x0 + b * wide, top + high)) for word, (a, b) in spots]
        )
    return lines


def _set(line: list[_Placed], number: int, widget: Widget) -> list[Word]:
    sure = 1.0 if widget.other is None and not widget.illegible else _DOUBTED
    return [Word(text, box, sure, Source.ACROFORM, number) for text, box in line]


def _rows_of_boxes(widgets: Sequence[Widget]) -> list[list[Widget]]:
    """Return rows of three or more boxes side by side, each from left to right."""
    rows: list[list[Widget]] = []
    for box in sorted((w for w in widgets if w.kind in _MARKED), key=lambda w: (w.box.cy, w.box.x0)):
        if rows and abs(rows[-1][0].box.cy - box.box.cy) < box.box.height / 2:
            rows[-1].append(box)
        else:
            rows.append([box])
    return [sorted(row, key=lambda w: w.box.x0) for row in rows if len(row) >= _A_ROW]


def _options(page: PageContent, row: Sequence[Widget]) -> Iterator[tuple[Word, bool]]:
    """Yield the words that belong to the boxes of a row, and whether their box is the only marked one.

    They follow their boxes, or precede them if the row ends with a box.
    """
    middle, high = row[0].box.cy, row[0].box.height
    beside = [word for word in page.words if abs(word.box.cy - middle) < max(high, word.box.height) / 2]
    edges = [widget.box.cx for widget in row]
    usual = max(b - a for a, b in pairwise(edges))
    behind = any(edges[-1] < word.box.cx < edges[-1] + usual for word in beside)
    marked = [n for n, widget in enumerate(row) if widget.checked]
    places = [*edges, edges[-1] + usual] if behind else [edges[0] - usual, *edges]
    cells = [[word for word in beside if left < word.box.cx < right] for left, right in pairwise(places)]
    if not behind:
        # The label of the row precedes its first option.
        cells[0] = sorted(cells[0], key=lambda word: word.box.x0)[-max(map(len, cells[1:])) :]
    for n, words in enumerate(cells):
        yield from ((word, marked == [n]) for word in words)


def name_on_form(name: str, known: Collection[str]) -> str | None:
    """Return the name in `known` that a field had on its original form; None if it had none of them.

    Fields with the same name share a value, so programs that join filled forms rename them.
    """
    return next((one for one in _own_names(name) if one in known), None)


def _own_names(name: str) -> Iterator[str]:
    """Yield the name as plain text: as it is, without suffixes, and without the prefixes of groups."""
    for part in (name, name.rpartition(".")[2]):
        yield plain_text(part)
        yield plain_text(_APPENDED.sub("", part))


def _known(profile: FormSpec) -> set[str]:
    return {plain_text(name) for spec in profile.fields.values() for name in spec.widgets}


def widgets_by_field(page: PageContent, profile: FormSpec, reading: PageReading | None) -> dict[str, list[Widget]]:
    """Map each field to its widgets: by name, else by position on the form."""
    names = {plain_text(name): field for field, spec in profile.fields.items() for name in spec.widgets}
    fields: dict[str, list[Widget]] = {}
    for widget in page.widgets:
        name = name_on_form(widget.name, names)
        field = names[name] if name else _by_place(page, widget, profile, reading)
        if field:
            fields.setdefault(field, []).append(widget)
    return fields


def _by_place(page: PageContent, widget: Widget, profile: FormSpec, reading: PageReading | None) -> str | None:
    box = _points(page, widget.box)
    if reading is not None and reading.placement is not None and reading.fixed:
        box = reading.placement.box_to_form(box)
    inside = [
        (_overlap(box, spec.zone), name)
        for name, spec in profile.fields.items()
        if spec.zone and _overlap(box, spec.zone) > 0.5
    ]
    return max(inside)[1] if inside else None


def _points(page: PageContent, box: Box) -> Box:
    """Return a box of the displayed page in points of its letter page."""
    (width, height), (x0, y0, x1, y1) = page.letter, upright(box, page.turned)
    return Box(x0 * width, y0 * height, x1 * width, y1 * height)


def _overlap(box: Box, zone: Box) -> float:
    w, h = box.shared(zone)
    return max(w, 0) * max(h, 0) / max(box.width * box.height, 1e-6)


def read_widgets(page: PageContent, profile: FormSpec, reading: PageReading | None) -> dict[str, FieldReading]:
    """Return the readings of the fields that were filled in, as the page shows them.

    If the file holds another value, the confidence is low and `disagrees_with` has the other value.
    """
    readings: dict[str, FieldReading] = {}
    for field, widgets in widgets_by_field(page, profile, reading).items():
        spec = profile.fields[field]
        found = (
            _choice(page, profile, field, widgets)
            if spec.kind is FieldKind.CHOICE
            else _text(page, field, spec.kind, widgets)
        )
        if found is not None:
            readings[field] = found
    return readings


def _text(page: PageContent, field: str, kind: FieldKind, widgets: list[Widget]) -> FieldReading | None:
    filled = [w for w in widgets if tidied(w.value)]
    if not filled:
        return None
    raw = "\n".join(w.value for w in filled)
    evidence = [EvidenceBox(page=page.number, box=w.box) for w in filled]
    # The other value of the file is shown to a person, who chooses.
    other = "\n".join(w.other or w.value for w in filled) if any(w.other is not None for w in filled) else None
    certainty = 1.0 if other is None else _DOUBTED
    if kind in (FieldKind.ESSAY, FieldKind.REACTION):
        lines = (tidied(line) for line in raw.splitlines())
        return FieldReading(
            value="\n".join(lines).strip(),
            confidence=certainty,
            source=Source.ACROFORM,
            evidence=evidence,
            method="widget",
        )
    value = parse_value(kind, raw, field)
    if value.text is None and other and parse_value(kind, other, field).text is not None:
        value, other = parse_value(kind, other, field), raw
    method = f"widget: {value.why}" if value.why else "widget"
    return FieldReading(
        value=value.text,
        confidence=value.certainty * certainty if value.text else 0.0,
        source=Source.ACROFORM,
        evidence=evidence,
        method=method,
        disagrees_with=tidied(other) if other and tidied(other) != value.text else None,
    )


def _choice(page: PageContent, profile: FormSpec, field: str, widgets: list[Widget]) -> FieldReading | None:
    on = [w for w in widgets if w.checked]
    if len(on) != 1:
        return None
    marks = [p for p in profile.printed if p.role is PrintedRole.OPTION and p.field == field and p.mark]
    if not marks:
        return None
    box = _points(page, on[0].box)
    x, y = box.cx, box.cy
    nearest = min(marks, key=lambda p: abs(p.mark.cy - y) + abs(p.mark.cx - x) if p.mark else 1e9)
    evidence = [EvidenceBox(page=page.number, box=on[0].box)]
    return FieldReading(
        value=nearest.value, confidence=1.0, source=Source.ACROFORM, evidence=evidence, method="widget"
    )
