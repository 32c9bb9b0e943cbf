"""The form as a person marks it in the studio: labels, zones, options and printed texts on the empty sheet.

The places of texts are those of the empty PDF; zones are drawn by an unsteady hand, some points off. Nothing here
knows what any copy says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from core.mupdf import pymupdf
from scripts.samples.camp import form, layout

KEY = "summer_camp"
#: Kinds of the fields; every cell with tick boxes is a choice, every other one a text.
_KINDS = {
    "student_name": "person",
    "birth_date": "date",
    "age": "number",
    "grade": "grade",
    "phone": "phone",
    "email": "email",
    "guardian_name": "person",
    "emergency_name": "person",
    "emergency_phone": "phone",
}
#: Points by which a hand misses the edge that it means to mark.
_OFF = 2.0
_SIGNED = "signature"


def marked_profile() -> dict[str, Any]:
    """Return the form's profile as JSON, without a version."""
    document = form.blank(live=False)
    sheet = document[0]
    return {
        "key": KEY,
        "label": "Summer camp",
        "kind": "form",
        "page": list(layout.PAGE),
        "fields": {**{cell.name: _field(cell) for cell in layout.CELLS}, _SIGNED: _signature()},
        "printed": list(_printed(sheet)),
    }


def _field(cell: layout.Cell) -> dict[str, Any]:
    comb = cell.way == layout.COMB
    rect = (layout.COMB_LEFT[0], layout.COMB_TOP, 224.0, layout.COMB_BOTTOM) if comb else cell.answer
    return {
        "kind": "choice" if cell.way == layout.TICKED else _KINDS.get(cell.name, "text"),
        "zone": _by_hand(cell.name, rect),
        "widgets": [f"camp_{cell.name}"],
        "label": {"en": cell.english, "es": cell.spanish},
        "required": cell.required,
        "language": "en",
    }


def _signature() -> dict[str, Any]:
    x0, y, x1 = layout.SIGNATURE_LINE
    return {"kind": "ignored", "zone": _by_hand(_SIGNED, (x0, y - 24, x1, y))}


def _by_hand(name: str, rect: layout.Rect) -> list[float]:
    chance = Random(f"mark:{name}")
    return [round(edge + chance.uniform(-_OFF, _OFF)) for edge in rect]


def _printed(sheet: pymupdf.Page) -> Iterator[dict[str, Any]]:
    yield from _texts(sheet, "title", (layout.TITLE,))
    yield from _texts(sheet, "note", (layout.SUBTITLE, *layout.PICTURE_NOTE))
    yield from _texts(sheet, "note", (text for _, _, text in layout.SECTIONS))
    yield from _texts(sheet, "deadline", layout.DEADLINE)
    for cell in layout.CELLS:
        x0, y0, x1, y1 = cell.box
        place = pymupdf.Rect(x0 - 2, y0 - 2, x1 + 2, y1 + 2)
        for text in (cell.english, cell.spanish):
            yield _text(sheet, "label", text, place) | {"field": cell.name}
        for option in cell.options:
            mark = [round(edge) for edge in option.mark]
            told = _text(sheet, "option", option.text, place)
            yield told | {"field": cell.name, "value": option.value, "mark": mark}
    yield _text(sheet, "label", layout.SIGNATURE[0]) | {"field": _SIGNED}
    yield _text(sheet, "note", layout.SIGNATURE[1])
    for number, rule in enumerate(layout.RULES, 1):
        yield {"role": "rule", "texts": [f"{number}. {rule}"], "at": _block(sheet, f"{number}. {rule}")}


def _block(sheet: pymupdf.Page, text: str) -> list[int]:
    """Return the place of a text of several lines."""
    lines = sheet.search_for(text)
    around = [
        min(r.x0 for r in lines),
        min(r.y0 for r in lines),
        max(r.x1 for r in lines),
        max(r.y1 for r in lines),
    ]
    return [round(edge) for edge in around]


def _texts(sheet: pymupdf.Page, role: str, texts: Iterable[str]) -> Iterator[dict[str, Any]]:
    return (_text(sheet, role, text) for text in texts)


def _text(sheet: pymupdf.Page, role: str, text: str, place: pymupdf.Rect | None = None) -> dict[str, Any]:
    """Return one printed text at the place where the sheet has it, the first within `place`."""
    # Text layers give a hyphen as a soft one.
    found = next(hit for dash in "-\u00ad\u2010" for hit in sheet.search_for(text.replace("-", dash), clip=place))
    return {"role": role, "texts": [" ".join(text.split())], "at": [round(edge) for edge in found]}
