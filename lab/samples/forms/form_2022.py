"""The 2022 form: one page, English only, no grade and no school."""

from __future__ import annotations

from core.confined.mupdf import pymupdf
from lab.samples.canvas import Canvas
from lab.samples.forms import logo

PROMPT = '"What my father or an important father-figure* means to me"'
NOTE = "* Father-Figure can be a stepdad, grandfather, uncle, pastor, God, or an ideal vision of a father."
CONSENT = "By providing a response, you agree that it may be published together with the essay."
ESSAY_BOX = (34.0, 158.0, 577.0, 580.0)
REACTION_BOX = (34.0, 611.0, 577.0, 696.0)


def draw_printed(canvas: Canvas) -> None:
    """Draw all that the form prints; the foot comes before the head in the stream."""
    canvas.text(36, 771, NOTE, 8, "sans-italic")
    canvas.text(36, 604, "Father/Father-Figure reaction to this essay:", 11)
    canvas.text(36, 711, CONSENT, 10)
    canvas.text(160, 72, "2022 IFI Fatherhood Essay Contest", 21, "sans-bold")
    canvas.page.insert_image(pymupdf.Rect(30, 39, 141, 98), stream=logo.png())
    canvas.text(36, 729, "Father/Father-Figure Name", 10)
    canvas.text(36, 748, "Email", 10)
    canvas.text(298, 748, "Phone", 10)
    canvas.text(36, 123, "Student’s Name", 11)
    canvas.text(36, 151, PROMPT, 11)
    canvas.box(ESSAY_BOX)
    canvas.box(REACTION_BOX)
