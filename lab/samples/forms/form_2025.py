"""The 2025 form as scans show it: like 2026, a little lower, with a black deadline box; and its essay page."""

from __future__ import annotations

from dataclasses import dataclass

from core.confined.mupdf import pymupdf
from lab.samples.canvas import Canvas
from lab.samples.forms import form_2026, logo

TITLE = "2025 IFI Fatherhood Essay Contest"
WHITE = (1.0, 1.0, 1.0)


@dataclass(frozen=True)
class Rows:
    """Baselines of the header's rows, in points; values are written on or near them."""

    name: float
    father: float
    email: float
    grade: float
    school: float
    essay_top: float
    essay_bottom: float
    reaction: float


FORM_2025 = Rows(130.4, 148.6, 162.6, 129.0, 147.2, 238, 636, 684)
FORM_2026 = Rows(123.2, 142.1, 161.0, 122.8, 140.5, 238, 640, 701)


def draw_printed(canvas: Canvas) -> None:
    """Draw what the header page prints."""
    canvas.text(152.6, 74, TITLE, 21.5, "sans-bold")
    canvas.page.insert_image(pymupdf.Rect(30, 40, 140.8, 99), stream=logo.png(True))
    canvas.box((530, 74, 588, 107), width=1, fill=(0, 0, 0))
    canvas.text(533, 87, "Deadline:", 11.4, "sans-bold", WHITE)
    canvas.text(533, 100.4, "March 14", 11.4, "sans-bold", WHITE)
    rows = FORM_2025
    canvas.text(34.8, rows.name, form_2026.NAME_LABEL, 9)
    canvas.text(34.8, rows.father, form_2026.FATHER_LABEL, 9)
    canvas.text(34.8, rows.email, form_2026.EMAIL_LABEL, 9)
    canvas.text(214.8, rows.email, form_2026.PHONE_LABEL, 9)
    canvas.text(424.2, rows.grade, form_2026.GRADE_LABEL, 9)
    canvas.text(424.2, rows.school, form_2026.SCHOOL_LABEL, 9)
    canvas.box((496.4, 117, 578.6, 135))
    canvas.box((496.4, 136, 578.6, 153.5))
    canvas.text(424.2, 162, form_2026.ABOUT_LABEL, 9)
    for about, y in form_2026.RADIO_Y.items():
        canvas.text(444, y + 5, form_2026.RADIO_LABELS[about], 9)
        canvas.page.draw_circle((433, y + 1.8), 5.4, width=1)
    for y, line in zip((203, 219.5), form_2026.PROMPTS, strict=True):
        canvas.text(36.3, y, line, 11)
    _draw_foot(canvas)


def _draw_foot(canvas: Canvas) -> None:
    canvas.text(410.9, 645, form_2026.ESSAY_LIMIT, 7)
    for y, line in zip((655.0, 672.0), form_2026.REACTION, strict=True):
        canvas.text(31.2, y, line, 11)
    canvas.text(413.8, 755.3, form_2026.REACTION_LIMIT, 7)
    for y, line in zip((766.2, 776.6), form_2026.FOOTNOTES, strict=True):
        canvas.text_right(571.5, y, line, 6.5, "sans-italic")


def draw_essay_page(canvas: Canvas) -> None:
    """Draw what the second page of a pair prints."""
    canvas.text(120, 92, TITLE, 21.5, "sans-bold")
    canvas.page.insert_image(pymupdf.Rect(30, 38, 112, 82), stream=logo.png(True))
    canvas.text(36, 111.5, "Student’s Name", 10)
    canvas.text(36, 138.5, "Father’s-Figure Name", 10)
    canvas.text(36, 171.5, form_2026.PROMPTS[0], 11)
    canvas.text(36, 645, form_2026.REACTION[0], 11)
    canvas.text(
        36, 699.5, "By providing a response, you agree that it may be published together with the essay.", 10
    )
    canvas.text(36, 714.5, "Father/Father-Figure Name", 10)
    canvas.text(36, 741.5, "Email", 10)
    canvas.text(298, 741.5, "Phone:", 10)
