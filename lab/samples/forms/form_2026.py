"""The 2026 official form, page 1: what it prints, and where its values stand."""

from __future__ import annotations

from dataclasses import dataclass

from core.confined.mupdf import pymupdf
from lab.samples.canvas import Canvas, Colour
from lab.samples.forms import logo

RED: Colour = (1.0, 0.0, 0.0)
TITLE = "2026 IFI Fatherhood Essay Contest"
NAME_LABEL = "Student’s Name / Nombre del Estudiante"
FATHER_LABEL = "Father/Father-Figure Name / Nombre del Padre/Figura Paterna"
EMAIL_LABEL = "Email"
PHONE_LABEL = "Phone / Teléfono"
GRADE_LABEL = "Grade / Grado"
SCHOOL_LABEL = "School / Escuela"
ABOUT_LABEL = "Writing About / Escribiendo Sobre:"
RADIO_LABELS = {
    "Father": "Father / Padre",
    "Grandfather": "Grandfather / Abuelo",
    "Stepdad": "Stepdad / Padrasto",
    "Father-Figure": "Father-Figure / Figura Paterna",
}
PROMPTS = (
    '"What my father or an important father-figure* means to me"',
    '"Lo que mi padre o una figura paterna importante* significa para mí"',
)
REACTION = (
    "Father/Grandfather/Step-Dad/Father-Figure reaction to this essay:",
    "Reacción de padre/abuelo/padrastro/figura paterna a este ensayo:",
)
ESSAY_LIMIT = "3000 Character Maximum / Máximo de Caracteres"
REACTION_LIMIT = "2000 Character Maximum / Máximo de Caracteres"
FOOTNOTES = (
    "* Father-Figure can be a stepdad, grandfather, uncle, pastor/rabbi/shaman, God, or an ideal "
    "vision of a father.",
    "*Una figura paterna puede ser un padrastro, un abuelo, un tío, un pastor/rabino/chamán, Dios, "
    "o un visión ideal de un padre.",
)
#: Baselines of the four radio buttons' labels, from the top.
RADIO_Y = {"Father": 171.3, "Grandfather": 186.4, "Stepdad": 201.4, "Father-Figure": 216.5}
ESSAY_BOX = (32.0, 223.0, 577.0, 647.0)
REACTION_BOX = (29.0, 688.4, 574.6, 747.6)
BOXED = ((496.4, 111.4, 578.6, 129.4), (496.6, 130.6, 578.5, 147.8))


@dataclass(frozen=True)
class Look:
    """What differs between a form of 2026 and its look-alikes of other years."""

    title: str = TITLE
    deadline: str = "March 19"
    deadline_colour: Colour = RED
    deadline_filled: bool = False
    grey_logo: bool = False


def draw_printed(canvas: Canvas, look: Look = Look()) -> None:
    """Draw all that the form prints, in the order of the real file's text stream: not that of the eye."""
    canvas.text(152.6, 71.2, look.title, 21.5, "sans-bold")
    canvas.page.insert_image(pymupdf.Rect(30, 38.9, 140.8, 98.2), stream=logo.png(look.grey_logo))
    for y, line in zip((667.1, 686.6), REACTION, strict=True):
        canvas.text(31.2, y, line, 11)
    canvas.text(410.9, 655.7, ESSAY_LIMIT, 7)
    canvas.text(413.8, 755.3, REACTION_LIMIT, 7)
    for y, line in zip((766.2, 776.6), FOOTNOTES, strict=True):
        canvas.text_right(571.5, y, line, 6.5, "sans-italic")
    canvas.text(34.8, 123.2, NAME_LABEL, 9)
    canvas.text(34.8, 142.1, FATHER_LABEL, 9)
    canvas.text(34.8, 161.0, EMAIL_LABEL, 9)
    canvas.text(214.8, 160.4, PHONE_LABEL, 9)
    for y, line in zip((199.1, 216.4), PROMPTS, strict=True):
        canvas.text(36.3, y, line, 11)
    _draw_right_block(canvas)
    _draw_deadline(canvas, look)


def _draw_right_block(canvas: Canvas) -> None:
    canvas.text(424.2, 122.8, GRADE_LABEL, 9)
    canvas.text(424.2, 140.5, SCHOOL_LABEL, 9)
    canvas.text(424.2, 156.2, ABOUT_LABEL, 9)
    for about, y in RADIO_Y.items():
        canvas.text(444.0, y, RADIO_LABELS[about], 9)
        canvas.page.draw_circle((433, y - 3.2), 5.4, width=1)
    for rect in BOXED:
        canvas.box(rect)


def _draw_deadline(canvas: Canvas, look: Look) -> None:
    rect = (530.1, 71.7, 588.5, 104.5)
    ink = (1.0, 1.0, 1.0) if look.deadline_filled else look.deadline_colour
    canvas.box(rect, look.deadline_colour, 1, look.deadline_colour if look.deadline_filled else None)
    canvas.text(532.9, 84.4, "Deadline:", 11.4, "sans-bold", ink)
    canvas.text(532.9, 97.8, look.deadline, 11.4, "sans-bold", ink)
