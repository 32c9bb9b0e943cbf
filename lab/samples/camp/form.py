"""Draw the empty form: as plain print, and with live fields over it."""

from __future__ import annotations

from core.confined.mupdf import pymupdf
from lab.samples.camp import layout
from lab.samples.canvas import Canvas, Colour, wrap_all
from lab.samples.forms import widgets
from lab.samples.hand import fonts

_GREY: Colour = (0.35, 0.35, 0.35)


def draw_printed(canvas: Canvas) -> None:
    """Draw everything that the form prints."""
    canvas.text(36, 44, layout.TITLE, 20, "serif-bold")
    canvas.text(36, 66, layout.SUBTITLE, 12, "serif")
    for number, line in enumerate(layout.DEADLINE):
        canvas.text(560, 44 + 14 * number, line, 9, "sans-bold" if number == 0 else "sans-italic")
    canvas.rule(36, 74, 756, 74, width=1.5)
    for x, y, text in layout.SECTIONS:
        canvas.text(x, y, text, 9.5, "sans-bold")
    for cell in layout.CELLS:
        _draw_cell(canvas, cell)
    _draw_rules(canvas)
    for (x0, y, x1), text in zip((layout.SIGNATURE_LINE, layout.DATE_LINE), layout.SIGNATURE, strict=True):
        canvas.rule(x0, y, x1, y, width=0.7)
        canvas.text(x0, y + 10, text, 7)
    for number, line in enumerate(layout.PICTURE_NOTE):
        canvas.text(36, 396 + 11 * number, line, 8, "sans-italic" if number else "sans")


def add_fields(canvas: Canvas, answers: dict[str, str] | None = None) -> None:
    """Add a live field for each cell, filled with the answers or empty."""
    given = answers or {}
    for cell in layout.CELLS:
        if cell.way == layout.TICKED:
            chosen = next((n for n, o in enumerate(cell.options) if o.value == given.get(cell.name)), None)
            widgets.add_radio_group(canvas, f"camp_{cell.name}", [o.mark for o in cell.options], chosen)
            continue
        comb = cell.way == layout.COMB
        rect = (layout.COMB_LEFT[0], layout.COMB_TOP, 224.0, layout.COMB_BOTTOM) if comb else cell.answer
        widgets.add_text(
            canvas,
            f"camp_{cell.name}",
            rect,
            given.get(cell.name),
            multiline=cell.name == "allergies",
            size=11,
            max_length=10 if comb else 0,
        )


def blank(*, live: bool) -> pymupdf.Document:
    """The empty form, with live fields or as plain print."""
    document = pymupdf.open()
    canvas = Canvas(document, layout.PAGE)
    draw_printed(canvas)
    if live:
        add_fields(canvas)
    return document


def _draw_cell(canvas: Canvas, cell: layout.Cell) -> None:
    x0, y0, x1, _ = cell.box
    canvas.box(cell.box, width=0.8)
    canvas.text(x0 + 4, y0 + 8, cell.english, 7.5, "sans-bold")
    beside = cell.way == layout.TICKED or x1 - x0 > 300
    across = x0 + 4 + fonts.width("sans-bold", cell.english, 7.5) + 6 if beside else x0 + 4
    canvas.text(across, y0 + (8 if beside else 15.5), cell.spanish, 7, "sans-italic", _GREY)
    for option in cell.options:
        canvas.box(option.mark, width=0.8)
        canvas.text(option.x + 13, option.y + 8, option.text, 8.5)
    if cell.way == layout.COMB:
        for x in layout.COMB_LEFT:
            canvas.box((x, layout.COMB_TOP, x + layout.COMB_WIDTH, layout.COMB_BOTTOM), _GREY, 0.6)


def _draw_rules(canvas: Canvas) -> None:
    y = 322.0
    for number, rule in enumerate(layout.RULES, 1):
        lines = wrap_all([f"{number}. {rule}"], 344, 8)
        canvas.lines(412, y, lines, 8, 10)
        y += 10 * len(lines) + 4
