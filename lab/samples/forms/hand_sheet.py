"""One sheet whose header is written by hand: the form of 2026 with a typed essay, that of 2025 without."""

from __future__ import annotations

from random import Random

from core.confined.mupdf import pymupdf
from lab.samples.canvas import Canvas
from lab.samples.entry import Entry
from lab.samples.forms import form_2025, form_2026, sheets_2025
from lab.samples.hand import hand_fields
from lab.samples.hand.handwriting import Hand
from lab.samples.hand.overflow import WAYS, Scene, draw_second, write_out_of_place
from lab.samples.part import Part
from lab.samples.truth import Truth
from lab.samples.typed_essay import PRINT_SLACK, write_typed

#: Share of the sheets whose essay is typed; the others are written by hand as a whole.
_TYPED_ESSAY = 0.35
_HAND_SLACK = 0.15
#: Share of the writers who leave the field of the phone empty, which frees its place for other answers.
_WITHOUT_PHONE = 0.4


def draw_sheet(rng: Random, part: Part, doc: pymupdf.Document, hand: Hand, way: str | None = None) -> Truth:
    """Add the sheet; with a `way` of `WAYS` one answer leaves its field so, and sometimes another one does."""
    typed = rng.random() < _TYPED_ESSAY
    form, rows = (form_2026, form_2025.FORM_2026) if typed else (form_2025, form_2025.FORM_2025)
    entry = _entry(rng, part, (60, 200) if typed else (50, 110), hand, way)
    canvas = Canvas(doc)
    truth = Truth(doc_class="SINGLE_SCANNED", typed=False, count_slack=PRINT_SLACK if typed else _HAND_SLACK)
    truth.handwriting_font = hand.face
    form.draw_printed(canvas)
    ways = [way, *draw_second(rng, way, entry, hand)] if way else []
    write_out_of_place(Scene(rng, canvas, entry, hand, rows), truth, ways)
    hand_fields.write_header(rng, canvas, truth, entry, hand, rows, {WAYS[way].field for way in ways})
    if typed:
        write_typed(rng, canvas, truth, entry, (rows.essay_top + 4, 636), "serif")
    else:
        hand_fields.write_essay(rng, canvas, truth, entry, hand, rows.essay_top + 10, 628)
    return truth


def _entry(rng: Random, part: Part, words: tuple[int, int], hand: Hand, way: str | None) -> Entry:
    """Return an entry whose answer can leave its field in this way."""
    while True:
        entry = sheets_2025.entry_by_hand(rng, part, words)
        if rng.random() < _WITHOUT_PHONE:
            entry.phone = None
        if way is None or WAYS[way].suits(entry, hand):
            return entry
