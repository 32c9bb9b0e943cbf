"""Entries by hand on the forms of 2022 and 2023, and on paper without a form."""

from __future__ import annotations

from random import Random

from core.confined.mupdf import pymupdf
from lab.samples.canvas import Canvas
from lab.samples.entry import Entry
from lab.samples.forms import form_2022, form_2023, sheets_2025
from lab.samples.forms.sheets_2023 import write_by_hand
from lab.samples.freeform_header import Line, draw_header
from lab.samples.hand import hand_fields
from lab.samples.hand.handwriting import Hand, draw_hand
from lab.samples.part import Part
from lab.samples.truth import Truth
from lab.samples.typed_essay import PRINT_SLACK, write_typed

_HAND_SLACK = 0.15
_WORDS = (50, 110)
#: Share of the essays that are typed under a header by hand.
_TYPED_ESSAY = 0.4


def draw_2022(rng: Random, part: Part, doc: pymupdf.Document) -> Truth:
    """Add a page of 2022: the name above the essay, father and contact at the foot."""
    entry, hand = sheets_2025.entry_by_hand(rng, part, _WORDS), draw_hand(rng, part, (12, 15))
    canvas, truth = _begin(doc, hand)
    form_2022.draw_printed(canvas)
    for name, value, x, y in (
        ("student_name", entry.name, 125.0, 121.0),
        ("father_figure_name", entry.father, 168.0, 728.0),
        ("email", entry.email, 70.0, 747.0),
        ("phone", entry.phone, 335.0, 747.0),
    ):
        if value:
            size = min(hand.size, 12.0) if y > 700 else hand.size
            while hand.width(value, size) > (220 if name == "email" else 330) and size > 8:
                size -= 0.5
            truth.put(name, value, canvas, [hand.write(canvas, x, y + rng.gauss(-1, 1), value, size)])
    _write_essay(rng, canvas, truth, entry, hand, (176, 576))
    return truth


def draw_2023(rng: Random, part: Part, doc: pymupdf.Document) -> Truth:
    """Add a page of 2023."""
    entry = sheets_2025.entry_by_hand(rng, part, _WORDS)
    canvas, truth = _begin(doc)
    form_2023.draw_printed(canvas)
    hand = write_by_hand(rng, part, canvas, truth, entry)
    _write_essay(rng, canvas, truth, entry, hand, (form_2023.ESSAY_TOP + 12, form_2023.ESSAY_BOTTOM - 6))
    return truth


def draw_freeform(rng: Random, part: Part, doc: pymupdf.Document) -> Truth:
    """Add a page with header lines by hand, without any form."""
    entry, hand = sheets_2025.entry_by_hand(rng, part, _WORDS), draw_hand(rng, part)
    canvas, truth = _begin(doc, hand)
    header = draw_header(rng, entry)
    margin, y, leading = rng.uniform(44, 80), rng.uniform(56, 76), hand.size * rng.uniform(1.35, 1.6)
    for line in header.lines:
        _write_line(canvas, truth, entry, hand, line, (margin, y))
        y += leading
    if header.title:
        y += leading * 0.3
        truth.optional_words += len(header.title.split())
        hand.write(canvas, (canvas.width - hand.width(header.title)) / 2, y, header.title)
        y += leading
    for line in header.under_title:
        _write_line(canvas, truth, entry, hand, line, (margin, y))
        y += leading
    _write_essay(rng, canvas, truth, entry, hand, (y + leading * 0.5, 740))
    return truth


def _begin(doc: pymupdf.Document, hand: Hand | None = None) -> tuple[Canvas, Truth]:
    canvas = Canvas(doc)
    truth = Truth(canvas.number, canvas.number, "SINGLE_SCANNED", typed=False)
    truth.handwriting_font = hand.face if hand else None
    return canvas, truth


def _write_line(
    canvas: Canvas, truth: Truth, entry: Entry, hand: Hand, line: Line, at: tuple[float, float]
) -> None:
    x, y = at
    whole, size = "".join(piece.text for piece in line), hand.size
    while hand.width(whole, size) > canvas.width - x - 30 and size > 9:
        size -= 0.5
    for piece in line:
        place = hand.write(canvas, x, y, piece.text, size)
        x = place.x1
        if piece.field == "school_name":
            truth.put_school(entry, canvas, [place])
        elif piece.field:
            truth.put(piece.field, piece.value, canvas, [place])


def _write_essay(
    rng: Random, canvas: Canvas, truth: Truth, entry: Entry, hand: Hand, span: tuple[float, float]
) -> None:
    """Write the essay in type or by hand."""
    if rng.random() < _TYPED_ESSAY:
        truth.count_slack = PRINT_SLACK
        write_typed(rng, canvas, truth, entry, span, "serif")
    else:
        truth.count_slack = _HAND_SLACK
        hand_fields.write_essay(rng, canvas, truth, entry, hand, *span)
