"""Live form fields: text fields, and a radio group with one parent field as the official file has it."""

from __future__ import annotations

from core.confined.mupdf import pymupdf
from lab.samples.canvas import Canvas

_MULTILINE = 4096
_ON = "q 0 0 0 rg 4 5.5 m 4 8 9.5 8 9.5 5.5 c 9.5 3 4 3 4 5.5 c f Q"


def add_text(
    canvas: Canvas,
    name: str,
    rect: tuple[float, float, float, float],
    value: str | None,
    *,
    multiline: bool = False,
    size: float = 12,
    max_length: int = 0,
) -> pymupdf.Rect:
    """Add a text field, filled or empty."""
    field = pymupdf.Widget()
    field.field_name = name
    field.field_type = pymupdf.PDF_WIDGET_TYPE_TEXT
    field.rect = pymupdf.Rect(rect)
    field.text_font = "Helv"
    field.text_fontsize = size
    field.text_maxlen = max_length
    field.field_flags = _MULTILINE if multiline else 0
    field.field_value = value or ""
    canvas.page.add_widget(field)
    return pymupdf.Rect(rect)


def add_radio_group(
    canvas: Canvas, name: str, rects: list[tuple[float, float, float, float]], chosen: int | None
) -> None:
    """Add a group of radio buttons whose on-states are "0", "1", … in the order given."""
    doc: pymupdf.Document = canvas.page.parent
    parent = doc.get_new_xref()
    kids = [_radio(doc, canvas, parent, rect, i, chosen == i) for i, rect in enumerate(rects)]
    references = " ".join(f"{kid} 0 R" for kid in kids)
    state = f"/{chosen}" if chosen is not None else "/Off"
    doc.update_object(parent, f"<</FT/Btn/Ff 49152/T({name})/V{state}/Kids[{references}]>>")
    _append(doc, canvas.page.xref, "Annots", references)
    _append_to_form(doc, f"{parent} 0 R")


def _radio(
    doc: pymupdf.Document,
    canvas: Canvas,
    parent: int,
    rect: tuple[float, float, float, float],
    state: int,
    on: bool,
) -> int:
    on_look, off_look = _look(doc, _ON), _look(doc, "")
    x0, y0, x1, y1 = rect[0], canvas.height - rect[3], rect[2], canvas.height - rect[1]
    kid: int = doc.get_new_xref()
    doc.update_object(
        kid,
        f"<</Type/Annot/Subtype/Widget/Rect[{x0} {y0} {x1} {y1}]/F 4/Parent {parent} 0 R/MK<</CA(l)>>"
        f"/AS/{state if on else 'Off'}/AP<</N<</{state} {on_look} 0 R/Off {off_look} 0 R>>>>>>",
    )
    return kid


def _look(doc: pymupdf.Document, content: str) -> int:
    xref: int = doc.get_new_xref()
    doc.update_object(xref, "<</Type/XObject/Subtype/Form/BBox[0 0 13.7 11.3]>>")
    doc.update_stream(xref, content.encode() or b" ", new=True)
    return xref


def _append(doc: pymupdf.Document, xref: int, key: str, references: str) -> None:
    kind, value = doc.xref_get_key(xref, key)
    inside = value.strip()[1:-1] if kind == "array" else ""
    doc.xref_set_key(xref, key, f"[{inside} {references}]")


def _append_to_form(doc: pymupdf.Document, reference: str) -> None:
    kind, value = doc.xref_get_key(doc.pdf_catalog(), "AcroForm")
    if kind == "xref":
        form = int(value.split()[0])
        _append(doc, form, "Fields", reference)
        return
    kind, value = doc.xref_get_key(doc.pdf_catalog(), "AcroForm/Fields")
    inside = value.strip()[1:-1] if kind == "array" else ""
    doc.xref_set_key(doc.pdf_catalog(), "AcroForm/Fields", f"[{inside} {reference}]")
