"""Filled forms: with live fields, typed onto the print, and by hand."""

from __future__ import annotations

from random import Random

from core.confined.mupdf import pymupdf
from lab.samples.camp import form, layout
from lab.samples.camp.people import Camper
from lab.samples.canvas import Canvas, wrap
from lab.samples.hand import fonts
from lab.samples.hand.handwriting import Hand
from lab.samples.hand.handwriting import wrap as wrap_by_hand


def live(camper: Camper) -> pymupdf.Document:
    """The form with its live fields filled in."""
    document = pymupdf.open()
    canvas = Canvas(document, layout.PAGE)
    form.draw_printed(canvas)
    form.add_fields(canvas, camper.given)
    return document


def typed(rng: Random, camper: Camper) -> pymupdf.Document:
    """The form with its answers typed onto it, as a browser prints it."""
    document = pymupdf.open()
    canvas = Canvas(document, layout.PAGE)
    form.draw_printed(canvas)
    face = rng.choice(("sans", "sans", "serif", "mono"))
    for name, value in camper.given.items():
        cell = layout.BY_NAME[name]
        if cell.way == layout.TICKED:
            _cross(canvas, _chosen(cell, value))
        elif cell.way == layout.COMB:
            for x, digit in zip(layout.COMB_LEFT, camper.digits, strict=True):
                canvas.text(x + 7, layout.COMB_BOTTOM - 6, digit, 11, face)
        else:
            _type(canvas, cell, value, face)
    return document


def by_hand(rng: Random, camper: Camper, hand: Hand) -> pymupdf.Document:
    """The form with its answers written by hand, signed."""
    document = pymupdf.open()
    canvas = Canvas(document, layout.PAGE)
    form.draw_printed(canvas)
    for name, value in camper.given.items():
        cell = layout.BY_NAME[name]
        if cell.way == layout.TICKED:
            _tick(rng, canvas, hand, _chosen(cell, value))
        elif cell.way == layout.COMB:
            for x, digit in zip(layout.COMB_LEFT, camper.digits, strict=True):
                hand.write(canvas, x + rng.uniform(4, 7), layout.COMB_BOTTOM - rng.uniform(4, 6), digit, 14)
        else:
            _write(rng, canvas, hand, cell, value)
    _sign(rng, canvas, hand, camper.given["guardian_name"])
    return document


def _chosen(cell: layout.Cell, value: str) -> layout.Option:
    return next(option for option in cell.options if option.value == value)


def _cross(canvas: Canvas, option: layout.Option) -> None:
    x0, y0, x1, y1 = option.mark
    canvas.rule(x0 + 1.5, y0 + 1.5, x1 - 1.5, y1 - 1.5, width=1.3)
    canvas.rule(x1 - 1.5, y0 + 1.5, x0 + 1.5, y1 - 1.5, width=1.3)


def _type(canvas: Canvas, cell: layout.Cell, value: str, face: str) -> None:
    x0, y0, x1, y1 = cell.answer
    if y1 - y0 > 40:
        canvas.lines(x0 + 4, y0 + 14, wrap(value, x1 - x0 - 10, 11, face), 11, 14, face)
        return
    size = 11.0
    while fonts.width(face, value, size) > x1 - x0 - 8:
        size -= 0.5
    canvas.text(x0 + 4, y1 - 6, value, size, face)


def _write(rng: Random, canvas: Canvas, hand: Hand, cell: layout.Cell, value: str) -> None:
    x0, y0, x1, y1 = cell.answer
    x = x0 + rng.uniform(3, 9)
    if y1 - y0 > 40:
        for number, line in enumerate(wrap_by_hand(hand, value, x1 - x0 - 20)):
            hand.write(canvas, x + rng.uniform(-1, 2), y0 + 17 + 19 * number, line)
        return
    size = hand.size
    while hand.width(value, size) > x1 - x - 4 and size > 8:
        size -= 0.5
    hand.write(canvas, x, y1 - rng.uniform(4, 8), value, size)


def _tick(rng: Random, canvas: Canvas, hand: Hand, option: layout.Option) -> None:
    """A cross, a check mark that leaves its box, or a box that is filled in."""
    x0, y0, x1, y1 = option.mark
    cx, cy, out = (x0 + x1) / 2, (y0 + y1) / 2, rng.uniform(4, 6.5)
    shape = canvas.page.new_shape()
    roll = rng.random()
    if roll < 0.45:
        shape.draw_line((cx - out, cy - out), (cx + out, cy + out))
        shape.draw_line((cx + out, cy - out), (cx - out, cy + out))
    elif roll < 0.8:
        shape.draw_line((cx - out + 1, cy), (cx - 1, cy + out - 1))
        shape.draw_line((cx - 1, cy + out - 1), (cx + out + 2, cy - out - 1))
    else:
        for step in range(5):
            shape.draw_line((x0 + 0.5, y0 + 1 + 1.8 * step), (x1 - 0.5, y0 + 2 + 1.6 * step))
    shape.finish(color=hand.ink, width=rng.uniform(1.2, 1.8), closePath=False)
    shape.commit()


def _sign(rng: Random, canvas: Canvas, hand: Hand, name: str) -> None:
    """A scrawl on the line, and the day of May beside it."""
    x0, y, _ = layout.SIGNATURE_LINE
    shape = canvas.page.new_shape()
    x = x0 + rng.uniform(8, 20)
    for _ in range(len(name) // 2):
        step = rng.uniform(7, 13)
        high = y - rng.uniform(4, 18)
        shape.draw_bezier((x, y - 3), (x + step * 0.3, high), (x + step * 0.7, high), (x + step, y - 3))
        x += step
    shape.finish(color=hand.ink, width=1.1, closePath=False)
    shape.commit()
    hand.write(canvas, layout.DATE_LINE[0] + 6, y - 4, f"5/{rng.randint(1, 15)}/26", min(hand.size, 13))
