"""Handwritten answers on a printed header, with the ways in which they miss their fields."""

from __future__ import annotations

from collections.abc import Container
from random import Random

from core.confined.mupdf import pymupdf
from lab.samples.canvas import Canvas
from lab.samples.entry import Entry, grade_in_words
from lab.samples.forms import form_2026
from lab.samples.forms.form_2025 import Rows
from lab.samples.hand.handwriting import Hand, wrap
from lab.samples.truth import Truth


def write_header(
    rng: Random, canvas: Canvas, truth: Truth, entry: Entry, hand: Hand, rows: Rows, elsewhere: Container[str] = ()
) -> None:
    """Write all header answers by hand, except those of the fields that were written `elsewhere`."""
    if "student_name" not in elsewhere:
        _write_name(rng, canvas, truth, entry, hand, rows)
    if entry.father and "father_figure_name" not in elsewhere:
        _write_father(rng, canvas, truth, entry.father, hand, rows)
    _write_contact(rng, canvas, truth, entry, hand, rows, elsewhere)
    _write_grade(rng, canvas, truth, entry, hand, rows)
    if "school_name" not in elsewhere:
        _write_school(rng, canvas, truth, entry, hand, rows)
    _mark_radio(rng, canvas, truth, entry, hand, rows)


def _write_name(rng: Random, canvas: Canvas, truth: Truth, entry: Entry, hand: Hand, rows: Rows) -> None:
    """Mostly behind the label; sometimes riding high, or running into the right block's labels."""
    name, y = entry.name or "", rows.name + rng.gauss(-2.5, 2)
    size = hand.size
    while hand.width(name, size) > 222 and size > 9:
        size -= 0.5
    x = rng.uniform(200, 212)
    if rng.random() < 0.08:
        truth.hazards.append("name_over_label_line")
        x, y = rng.uniform(60, 120), rows.name - rng.uniform(11, 14)
    truth.put("student_name", name, canvas, [hand.write(canvas, x, y, name, size)])
    if rng.random() < 0.1:
        truth.hazards.append("name_repeated")
        hand.write(canvas, rng.uniform(380, 420), 28, name, min(size, 12))


def _write_father(rng: Random, canvas: Canvas, truth: Truth, father: str, hand: Hand, rows: Rows) -> None:
    size = min(hand.size, 13)
    while hand.width(father, size) > 138 and size > 8.5:
        size -= 0.5
    truth.put(
        "father_figure_name",
        father,
        canvas,
        [hand.write(canvas, 288, rows.father + rng.gauss(-2, 1.5), father, size)],
    )


def _write_contact(
    rng: Random, canvas: Canvas, truth: Truth, entry: Entry, hand: Hand, rows: Rows, elsewhere: Container[str]
) -> None:
    """The e-mail behind its label, under it, or split around "Phone"."""
    size = min(hand.size, 11.5)
    if entry.phone and "phone" not in elsewhere:
        rect = hand.write(canvas, 290, rows.email + rng.gauss(-1, 1.5), entry.phone, size)
        truth.put("phone", entry.phone, canvas, [rect])
    if not entry.email or "email" in elsewhere:
        return
    while hand.width(entry.email, size) > 148 and size > 8:
        size -= 0.5
    roll = rng.random()
    if roll < 0.2:
        truth.hazards.append("email_under_label")
        rects = [hand.write(canvas, 40, rows.email + 14, entry.email, min(hand.size, 12))]
    elif roll < 0.3 and not entry.phone:
        truth.hazards.append("email_split")
        local, domain = entry.email.split("@")
        rects = [
            hand.write(canvas, 64, rows.email - 1, local, 11),
            hand.write(canvas, 288, rows.email - 1, "@" + domain, 11),
        ]
    else:
        rects = [hand.write(canvas, 63, rows.email + rng.gauss(-1, 1), entry.email, size)]
    truth.put("email", entry.email, canvas, rects)


def _write_grade(rng: Random, canvas: Canvas, truth: Truth, entry: Entry, hand: Hand, rows: Rows) -> None:
    grade = grade_in_words(rng, entry, short=True)
    if not grade:
        return
    x, y = rng.uniform(500, 512), rows.grade + rng.gauss(-1, 1.5)
    size = min(hand.size, 15)
    if rng.random() < 0.12 and not grade.isdigit():
        truth.hazards.append("room_by_grade")
        x = hand.write(canvas, x, y, entry.room, size).x1 + 7
    truth.put("grade", entry.grade, canvas, [hand.write(canvas, x, y, grade, size)])


def _write_school(rng: Random, canvas: Canvas, truth: Truth, entry: Entry, hand: Hand, rows: Rows) -> None:
    """In its narrow box: squeezed, over the edges, or in two lines that run below."""
    school = entry.school_written
    if not school:
        return
    size = min(hand.size, 13)
    if rng.random() < 0.8:
        while hand.width(school, size) > 104 and size > 9.5:
            size -= 0.5
    lines = wrap(hand, school, 104, size)
    y = rows.school + rng.gauss(-1, 1) - (3 if len(lines) > 1 else 0)
    rects: list[pymupdf.Rect] = [
        hand.write(canvas, 498 - (2 * i), y + i * size * 0.95, line, size) for i, line in enumerate(lines)
    ]
    truth.put_school(entry, canvas, rects)


def _mark_radio(rng: Random, canvas: Canvas, truth: Truth, entry: Entry, hand: Hand, rows: Rows) -> None:
    if not entry.about:
        return
    y = form_2026.RADIO_Y[entry.about] - 3.2 + (5 if rows.name > 125 else 0)
    shape = canvas.page.new_shape()
    if rng.random() < 0.5:
        shape.draw_line((427, y - 6), (439, y + 6))
        shape.draw_line((438, y - 7), (428, y + 6))
    else:
        shape.draw_circle((433, y), 3.6)
    shape.finish(color=hand.ink, fill=hand.ink, width=1.6)
    shape.commit()
    truth.put("writing_about", entry.about, canvas, [pymupdf.Rect(426, y - 7, 440, y + 7)])


def write_essay(
    rng: Random, canvas: Canvas, truth: Truth, entry: Entry, hand: Hand, top: float, bottom: float
) -> None:
    """Write the essay by hand over ruled lines or none; what does not fit was never written."""
    size = hand.size
    leading = size * rng.uniform(1.35, 1.6)
    if rng.random() < 0.35:
        for i in range(int((bottom - top) / leading)):
            canvas.rule(34, top + i * leading + 3, 577, top + i * leading + 3, (0.7, 0.7, 0.75), 0.5)
    written: list[str] = []
    rects: list[pymupdf.Rect] = []
    y = top
    for paragraph in entry.essay:
        lines = list(wrap(hand, paragraph, 525, size))
        kept = lines[: max(0, int((bottom - y) / leading) + 1)]
        for line in kept:
            rects.append(hand.write(canvas, 38 + rng.gauss(0, 1.5), y, line, size))
            y += leading
        if kept:
            written.append(" ".join(kept))
    entry.essay = written
    truth.put_essay(entry, canvas, rects)
    if y < bottom - 130 and rng.random() < 0.3:
        truth.hazards.append("drawing")
        draw_picture(rng, canvas, hand, (rng.uniform(60, 380), y + 10))


def draw_picture(rng: Random, canvas: Canvas, hand: Hand, at: tuple[float, float]) -> None:
    """A child's drawing: two stick people, a sun, a heart."""
    shape = canvas.page.new_shape()
    for dx, tall in ((0, 70), (50, 45)):
        x, y = at[0] + dx, at[1] + 80 - tall
        shape.draw_circle((x, y), 9)
        shape.draw_line((x, y + 9), (x, y + tall * 0.65))
        shape.draw_line((x - 14, y + 24), (x + 14, y + 20))
        shape.draw_line((x, y + tall * 0.65), (x - 9, y + tall))
        shape.draw_line((x, y + tall * 0.65), (x + 10, y + tall))
    sun = pymupdf.Point(at[0] + 120 + rng.uniform(0, 20), at[1] + 20)
    shape.draw_circle(sun, 13)
    for dx, dy in ((0, 24), (24, 0), (17, 17), (-17, 17), (17, -17), (-24, 0), (0, -24), (-17, -17)):
        shape.draw_line((sun.x + dx * 0.7, sun.y + dy * 0.7), (sun.x + dx, sun.y + dy))
    shape.finish(color=hand.ink, width=1.3, closePath=False)
    shape.commit()
