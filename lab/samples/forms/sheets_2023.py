"""Sheets of 2023: typed and printed, some with a header by hand, some corrected by hand."""

from __future__ import annotations

from random import Random

from core.confined.mupdf import pymupdf
from lab.samples.canvas import Canvas, wrap_all
from lab.samples.entry import Entry, draw_entry
from lab.samples.forms import form_2023
from lab.samples.hand import corrections, fonts
from lab.samples.hand.handwriting import Hand, draw_hand
from lab.samples.part import Part, aside
from lab.samples.truth import Truth
from lab.samples.typed_essay import PRINT_SLACK, write_typed


def draw_page(rng: Random, part: Part, doc: pymupdf.Document) -> Truth:
    """Add a page that holds a whole entry."""
    entry = draw_entry(rng, part, spanish_share=0.12, count=(90, 340))
    canvas = Canvas(doc)
    truth = Truth(canvas.number, canvas.number, "SINGLE_SCANNED", typed=False, count_slack=PRINT_SLACK)
    chance = aside(rng, "corrections")
    form_2023.draw_printed(canvas)
    if rng.random() < 0.15:
        truth.hazards.append("hand_header")
        write_by_hand(rng, part, canvas, truth, entry)
    else:
        _write_in_type(rng, part, canvas, truth, entry, chance)
    span = (form_2023.ESSAY_TOP, form_2023.ESSAY_BOTTOM)
    lines = write_typed(rng, canvas, truth, entry, span, "carlito" if part.held_out else "sans")
    if part.rare and chance.random() < 0.2:
        corrections.correct_essay(chance, part, canvas, truth, lines)
    if entry.reaction:
        rects = canvas.lines(31, form_2023.REACTION_TOP, wrap_all([entry.reaction], 540, 11), 11, 13)
        truth.put("parent_reaction", entry.reaction, canvas, rects)
    return truth


def _write_in_type(rng: Random, part: Part, canvas: Canvas, truth: Truth, entry: Entry, chance: Random) -> None:
    """The header in type; the field's edge cuts long addresses; now and then a value is corrected by hand."""
    corrected = chance.choice(("student_name", "father_figure_name", "phone")) if chance.random() < 0.1 else None
    for field, value, x, y in (
        ("student_name", entry.name, 204.0, form_2023.NAME_Y - 1),
        ("father_figure_name", entry.father, 290.0, form_2023.FATHER_Y - 1),
        ("email", _clipped(rng, entry.email) if entry.email else None, 64.0, form_2023.CONTACT_Y - 1),
        ("phone", entry.phone, 376.0, form_2023.CONTACT_Y - 1),
    ):
        if value and part.rare and field == corrected:
            corrections.correct_value(chance, part, canvas, truth, field, value, (x, y))
        elif value:
            truth.put(field, value, canvas, [canvas.text(x, y, value, 11)])


def _clipped(rng: Random, email: str) -> str:
    room = 210 if rng.random() < 0.7 else 110
    while fonts.width("sans", email, 11) > room:
        email = email[:-1]
    return email


def write_by_hand(rng: Random, part: Part, canvas: Canvas, truth: Truth, entry: Entry) -> Hand:
    """Write the header by hand; return the hand."""
    hand = draw_hand(rng, part, (11, 14))
    truth.handwriting_font = hand.face
    boxes: dict[str, pymupdf.Rect] = {
        "student_name": hand.write(canvas, 204, form_2023.NAME_Y - 1, entry.name or "")
    }
    if entry.father:
        boxes["father_figure_name"] = hand.write(canvas, 290, form_2023.FATHER_Y - 1, entry.father)
    if entry.email:
        boxes["email"] = hand.write(canvas, 64, form_2023.CONTACT_Y, entry.email, 11)
    if entry.phone:
        boxes["phone"] = hand.write(canvas, 376, form_2023.CONTACT_Y, entry.phone)
    values = {"student_name": entry.name, "father_figure_name": entry.father, "email": entry.email}
    for field, box in boxes.items():
        truth.put(field, values.get(field, entry.phone), canvas, [box])
    return hand
