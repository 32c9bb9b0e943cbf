"""Small entries drawn for a test: which of them goes which way through the graph."""

from __future__ import annotations

import io
import uuid

from PIL import Image, ImageDraw
from PIL.PngImagePlugin import PngInfo

from core.confined.mupdf import pymupdf

ESSAY = (
    "My father gets up before the sun and packs my lunch with a note inside. He works at the bakery and still "
    "comes to every game I play. When I was afraid of the deep water he held my hands and counted to ten with me "
    "until I could float alone. He says that being brave is being afraid and doing it all the same. I want to be "
    "patient and kind like him when I am grown up, because he never once laughed at my questions."
)
COMPLETE = {"Student's Name": "Marisol Quintero", "Grade": "4", "School": "Lakeview Elementary School"}
_BOXES = {
    "Student's Name": (201, 112, 419, 129),
    "Grade": (496, 111, 560, 127),
    "School": (497, 131, 600, 147),
    "Essay": (32, 223, 577, 647),
}
_LABELS = {
    (35, 122): "Student's Name / Nombre del Estudiante",
    (424, 122): "Grade / Grado",
    (424, 140): "School / Escuela",
    (35, 140): "Father/Father-Figure Name / Nombre del Padre/Figura Paterna",
    (35, 160): "Email",
    (215, 160): "Phone / Teléfono",
}


def acroform(values: dict[str, str], essay: str = ESSAY) -> bytes:
    """A one-page form with live widgets, filled in."""
    with pymupdf.open() as document:
        page = document.new_page(width=612, height=792)
        for place, label in _LABELS.items():
            page.insert_text(place, label, fontsize=9)
        for name, value in {**values, "Essay": essay}.items():
            widget = pymupdf.Widget()
            widget.field_name = name
            widget.field_type = pymupdf.PDF_WIDGET_TYPE_TEXT
            widget.rect = pymupdf.Rect(_BOXES[name])
            widget.field_value = value
            widget.text_fontsize = 9
            if name == "Essay":
                widget.field_flags = pymupdf.PDF_TX_FIELD_IS_MULTILINE
            page.add_widget(widget)
        return bytes(document.tobytes())


def two_names() -> bytes:
    """A form that names two children where one is asked for: a proposal asks a person to confirm what was read."""
    return acroform({**COMPLETE, "Student's Name": "Marisol Quintero / Ana Ruiz"})


def doodle() -> bytes:
    """A picture with ink on it and not one word, as PNG: nothing can be read, everything is missing.

    No two are alike: the same bytes would be a duplicate.
    """
    picture = Image.new("L", (850, 1100), 255)
    pen = ImageDraw.Draw(picture)
    for step in range(0, 700, 35):
        pen.arc((60 + step // 3, 80 + step, 700, 300 + step), 20, 320, fill=30, width=6)
    buffer = io.BytesIO()
    picture.save(buffer, "PNG", pnginfo=_nonce())
    return buffer.getvalue()


def _nonce() -> PngInfo:
    info = PngInfo()
    info.add_text("Comment", uuid.uuid4().hex)
    return info


def entry_that_reaches(node: str) -> bytes:
    """A file whose only entry passes through this node of the orchestrator."""
    if node == "review_agent":
        return acroform({**COMPLETE, "Grade": ""})
    if node in ("mark_for_human", "retry_with_llm"):
        return doodle()
    return acroform(COMPLETE)
