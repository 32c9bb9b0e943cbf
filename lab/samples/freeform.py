"""Typed essays without any form: a few header lines, a title perhaps, the essay."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from core.confined.mupdf import pymupdf
from lab.samples.canvas import Canvas, wrap
from lab.samples.damage.garble import spaces_to_zero_width
from lab.samples.entry import Entry, draw_entry
from lab.samples.forms import sideways
from lab.samples.freeform_header import Header, Line, draw_header
from lab.samples.hand import fonts
from lab.samples.part import Part, aside
from lab.samples.sample import Sample, to_bytes
from lab.samples.truth import Truth


def draw(rng: Random, part: Part) -> Sample:
    """A freeform essay as text."""
    doc, truth = compose(rng, part)
    sideways.turn_native(aside(rng, "sideways"), part, doc, [truth])
    data = to_bytes(doc, rng)
    if rng.random() < 0.15:
        truth.hazards.append("zero_width_spaces")
        data = spaces_to_zero_width(data)
    return Sample("freeform_native", ".pdf", data, [truth], stem="essay")


def compose(rng: Random, part: Part) -> tuple[pymupdf.Document, Truth]:
    """The pages of a freeform essay."""
    entry = draw_entry(rng, part, spanish_share=0.25, count=(60, 420))
    header = draw_header(rng, entry)
    style = _Style.drawn(rng, part)
    truth = Truth(optional_words=len((header.title or "").split()))
    doc = pymupdf.open()
    canvas, y = _write_head(doc, truth, entry, header, style)
    _write_body(canvas, truth, entry, y, style)
    truth.page_end = doc.page_count
    truth.doc_class = "SINGLE_TYPED" if doc.page_count == 1 else "MULTI_PAGE_SINGLE"
    if doc.page_count > 1 and style.running_head:
        _write_running_head(doc, truth, entry, style)
    return doc, truth


@dataclass(frozen=True)
class _Style:
    face: str
    size: float
    leading: float
    margin: float
    right_header: bool
    indent: float
    #: "Ruiz 2" at the top of the pages, as older pupils learn it.
    running_head: bool

    @classmethod
    def drawn(cls, rng: Random, part: Part) -> _Style:
        return cls(
            face=rng.choice(part.typefaces),
            size=rng.choice((11, 12, 12, 13, 14)),
            leading=rng.choice((1.2, 1.5, 2.0)),
            margin=rng.choice((72, 72, 54, 60)),
            right_header=rng.random() < 0.12,
            indent=rng.choice((0, 36)),
            running_head=rng.random() < 0.3,
        )


def _write_head(
    doc: pymupdf.Document, truth: Truth, entry: Entry, header: Header, style: _Style
) -> tuple[Canvas, float]:
    """Header lines and title; returns the page and the baseline of the essay's first line."""
    canvas = Canvas(doc)
    y = style.margin + style.size
    for line in header.lines:
        _write_line(canvas, truth, entry, line, y, style)
        y += style.size * min(style.leading, 1.5)
    y += style.size * 0.6
    if header.title:
        width = fonts.width(style.face, header.title, style.size + 2)
        canvas.text((canvas.width - width) / 2, y, header.title, style.size + 2, style.face)
        y += style.size * 1.8
    for line in header.under_title:
        _write_line(canvas, truth, entry, line, y, style)
        y += style.size * 1.4
    return canvas, y


def _write_line(canvas: Canvas, truth: Truth, entry: Entry, line: Line, y: float, style: _Style) -> None:
    whole = fonts.width(style.face, "".join(piece.text for piece in line), style.size)
    x = canvas.width - style.margin - whole if style.right_header else style.margin
    for piece in line:
        rect = canvas.text(x, y, piece.text, style.size, style.face)
        x += fonts.width(style.face, piece.text, style.size)
        if piece.field == "school_name":
            truth.put_school(entry, canvas, [rect])
        elif piece.field:
            truth.put(piece.field, piece.value, canvas, [rect])


def _write_body(canvas: Canvas, truth: Truth, entry: Entry, y: float, style: _Style) -> None:
    """The essay over as many pages as it needs; its box is that on the first."""
    step, first_page, doc = style.size * style.leading, canvas, canvas.page.parent
    rects: list[pymupdf.Rect] = []
    for paragraph in entry.essay:
        for i, line in enumerate(wrap(paragraph, 612 - 2 * style.margin, style.size, style.face, style.indent)):
            if y > canvas.height - style.margin:
                canvas, y = Canvas(doc), style.margin + style.size
            x = style.margin + (style.indent if i == 0 else 0)
            rect = canvas.text(x, y, line, style.size, style.face)
            if canvas.number == 1:
                rects.append(rect)
            y += step
        y += 0 if style.indent else style.size * 0.6
    truth.put_essay(entry, first_page, rects)


def _write_running_head(doc: pymupdf.Document, truth: Truth, entry: Entry, style: _Style) -> None:
    truth.hazards.append("running_head")
    truth.optional_words += 2 * doc.page_count
    for number, page in enumerate(doc, 1):
        canvas = Canvas.over(page, number)
        canvas.text_right(canvas.width - style.margin, 36, f"{entry.family[-1]} {number}", style.size, style.face)
