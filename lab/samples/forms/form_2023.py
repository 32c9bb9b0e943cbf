"""The 2023 form as scans show it: no grade, no school, no radios, no deadline."""

from __future__ import annotations

from core.confined.mupdf import pymupdf
from lab.samples.canvas import Canvas
from lab.samples.forms import logo
from lab.samples.forms.form_2026 import FATHER_LABEL, FOOTNOTES, NAME_LABEL, PROMPTS, REACTION

NAME_Y, FATHER_Y, CONTACT_Y = 112.5, 131.5, 150.0
ESSAY_TOP, ESSAY_BOTTOM = 234.0, 632.0
REACTION_TOP = 692.0


def draw_printed(canvas: Canvas) -> None:
    """Draw what the page prints."""
    canvas.text(152.6, 58, "2023 IFI Fatherhood Essay Contest", 21.5, "sans-bold")
    canvas.page.insert_image(pymupdf.Rect(30, 32, 141, 91), stream=logo.png(True))
    canvas.text(34.8, NAME_Y, NAME_LABEL, 9)
    canvas.text(34.8, FATHER_Y, FATHER_LABEL, 9)
    canvas.text(34.8, CONTACT_Y, "Email", 9)
    canvas.text(298, CONTACT_Y, "Phone / Teléfono", 9)
    for y, line in zip((188.5, 206.0), PROMPTS, strict=True):
        canvas.text(36, y, line, 11)
    canvas.text_right(571, 648.5, "3000 Character Maximum / Máximo de Caracteres", 7)
    for y, line in zip((656.5, 674.0), REACTION, strict=True):
        canvas.text(31, y, line, 11)
    canvas.text_right(571, 740.5, "2000 Character Maximum / Máximo de Caracteres", 7)
    for y, line in zip((757.5, 767.0), FOOTNOTES, strict=True):
        canvas.text_right(571, y, line, 6.5, "sans-italic")
