"""The 2026 form printed from a browser: no widgets, the values are text of the page."""

from __future__ import annotations

from random import Random

from core.confined.mupdf import pymupdf
from lab.samples.canvas import Canvas, wrap_all
from lab.samples.damage.garble import spaces_to_zero_width
from lab.samples.entry import Entry, draw_entry, grade_in_words
from lab.samples.forms import form_2026, instructions, sideways
from lab.samples.hand import fonts
from lab.samples.part import Part, aside
from lab.samples.sample import Sample, to_bytes
from lab.samples.truth import Truth


def draw(rng: Random, part: Part) -> Sample:
    """A flattened form; some with an empty header, a few lacking grade or school."""
    entry = draw_entry(rng, part, spanish_share=0.25, count=(70, 460))
    doc = pymupdf.open()
    truth = Truth(page_end=2, doc_class="MULTI_PAGE_SINGLE")
    draw_filled(rng, doc, entry, truth, empty_header=rng.random() < 0.1)
    chance = aside(rng, "print")
    sideways.turn_native(chance, part, doc, [truth])
    data = to_bytes(doc, rng)
    if part.rare and chance.random() < 0.08:
        truth.hazards.append("zero_width_spaces")
        data = spaces_to_zero_width(data)
    return Sample("flattened_form_26", ".pdf", data, [truth])


def draw_filled(
    rng: Random, doc: pymupdf.Document, entry: Entry, truth: Truth, *, empty_header: bool = False
) -> None:
    """Draw both pages with their values onto an empty document."""
    canvas = Canvas(doc)
    form_2026.draw_printed(canvas)
    face = rng.choice(("sans", "sans", "sans", "serif"))
    if empty_header:
        truth.hazards.append("empty_header")
        _write_essay(rng, canvas, truth, entry, face)
    else:
        _write_name(canvas, truth, entry, face)
        _write_essay(rng, canvas, truth, entry, face)
        _write_reaction(canvas, truth, entry, face)
        _write_father_row(rng, canvas, truth, entry, face)
        _write_right_block(rng, canvas, truth, entry, face)
        _mark_radio(rng, canvas, truth, entry)
    instructions.draw(doc)


def _write_name(canvas: Canvas, truth: Truth, entry: Entry, face: str) -> None:
    if entry.name:
        size = _shrunk(entry.name, face, 12, 214)
        truth.put("student_name", entry.name, canvas, [canvas.text(203, 119.3, entry.name, size, face)])


def _write_essay(rng: Random, canvas: Canvas, truth: Truth, entry: Entry, face: str) -> None:
    paragraphs = truth.essay_with_title(rng, entry)
    for size in (12, 11, 10, 9, 8):
        lines = wrap_all(paragraphs, 541, size, face, gap=True)
        if len(lines) * size * 1.16 < 418:
            break
    truth.put_essay(entry, canvas, canvas.lines(34, 236, lines, size, size * 1.16, face))


def _write_reaction(canvas: Canvas, truth: Truth, entry: Entry, face: str) -> None:
    if entry.reaction:
        rects = canvas.lines(31, 700, wrap_all([entry.reaction], 540, 11, face), 11, 12.8, face)
        truth.put("parent_reaction", entry.reaction, canvas, rects)


def _write_father_row(rng: Random, canvas: Canvas, truth: Truth, entry: Entry, face: str) -> None:
    """Father's name, e-mail and phone; the field's edge may cut the text itself."""
    if entry.father:
        father = _cut(entry.father, face, 12, 126) if rng.random() < 0.5 else entry.father
        size = _shrunk(father, face, 12, 128)
        truth.put("father_figure_name", father, canvas, [canvas.text(290.7, 138.2, father, size, face)])
    if entry.email:
        email = _cut(entry.email, face, 12, 137)
        if email != entry.email:
            truth.hazards.append("cut_email")
        truth.put("email", email, canvas, [canvas.text(66, 157.4, email, 12, face)])
    if entry.phone:
        truth.put("phone", entry.phone, canvas, [canvas.text(290.4, 156.2, entry.phone, 12, face)])


def _write_right_block(rng: Random, canvas: Canvas, truth: Truth, entry: Entry, face: str) -> None:
    roll = rng.random()
    grade = grade_in_words(rng, entry)
    if roll < 0.04:
        truth.hazards.append("room_in_grade")
        canvas.text(498.4, 119.0, f"Room {entry.room}", 11, face)
    elif roll > 0.1 and grade:
        rect = canvas.text(498.4, 119.0, grade, _shrunk(grade, face, 12, 78), face)
        truth.put("grade", entry.grade, canvas, [rect])
    if rng.random() < 0.95 and entry.school_written:
        size = _shrunk(entry.school_written, face, 12, 79)
        truth.put_school(entry, canvas, [canvas.text(498.6, 137.2, entry.school_written, size, face)])


def _mark_radio(rng: Random, canvas: Canvas, truth: Truth, entry: Entry) -> None:
    """Fill the chosen circle, as a drawing or as a character."""
    if not entry.about:
        return
    y = form_2026.RADIO_Y[entry.about]
    if rng.random() < 0.5:
        canvas.page.draw_circle((433, y - 3.2), 2.9, fill=(0, 0, 0))
        rect = pymupdf.Rect(428, y - 9, 439, y + 2)
    else:
        rect = canvas.text(430.1, y - 0.6, "●", 7.5, "dejavu")
    truth.put("writing_about", entry.about, canvas, [rect])


def _shrunk(text: str, face: str, size: float, room: float) -> float:
    """The size at which a long value still fits its field, as viewers with automatic size choose it."""
    return min(size, max(3.5, size * room / max(1.0, fonts.width(face, text, size))))


def _cut(text: str, face: str, size: float, room: float) -> str:
    while fonts.width(face, text, size) > room:
        text = text[:-1]
    return text.rstrip()
