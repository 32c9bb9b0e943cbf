"""Options marked with a sign beside their text, on re-flowed forms, which have no circles to tick."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pipeline.extraction.fields import evidence_of
from pipeline.extraction.page_reading import PageReading
from pipeline.extraction.printed import Found, find_texts
from pipeline.extraction.reflowed.cell_lines import lines_in
from pipeline.extraction.tokens import Line, Token
from pipeline.pages.page_model import Source
from pipeline.profiles import Printed, PrintedRole, ProfileKind
from pipeline.schema import FieldReading

SIGN = re.compile(r"[(\[]?(?:[xX×✕✖✗✘✓✔√☑☒]|[●⬤⚫◉⦿■])[\ufe0e\ufe0f]?[)\]]?")
#: A sign at the beginning or end of a word; a letter there belongs to the word.
_GLUED = re.compile(r"^[(\[]?[✕✖✗✘✓✔√☑☒●⬤⚫◉⦿■]|[✕✖✗✘✓✔√☑☒●⬤⚫◉⦿■][)\]]?$")
#: Space between a sign and its option, in points.
_BESIDE = 10.0
_TYPED, _RECOGNISED = 0.95, 0.79


def marked_options(readings: Sequence[PageReading]) -> dict[str, FieldReading]:
    """Return for each choice of an entry's form the only option with a sign; omit choices with several.

    A re-flow scatters the options over the pages, also over pages that hold nothing else of the form.
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


def _signs(cell: Line, option: Found) -> Iterator[Token]:
    own, box = option.tokens, option.box
    yield from (token for token in own if _GLUED.search(token.text))
    for token in (token for line in lines_in(cell) if not set(own).isdisjoint(line) for token in line):
        gap = max(box.x0 - token.box.x1, token.box.x0 - box.x1)
        if token not in own and gap <= _BESIDE and SIGN.fullmatch(token.text):
            yield token


def _reading(option: Printed, place: Found, signs: Sequence[Token]) -> FieldReading:
    tokens = sorted({*signs, *place.tokens}, key=lambda token: token.box.x0)
    recognised = any(token.source is Source.OCR for token in tokens)
    return FieldReading(
        value=option.value,
        confidence=_RECOGNISED if recognised else _TYPED,
        source=Source.OCR if recognised else tokens[0].source,
        evidence=evidence_of(tokens),
        method="sign beside the option",
    )
