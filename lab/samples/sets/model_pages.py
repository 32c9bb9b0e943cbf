"""Scanned forms written by hand, with short essays: what a vision model transcribes. A corpus of its own."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from core.confined.mupdf import pymupdf
from lab.samples.canvas import Canvas
from lab.samples.damage.scan import draw_scanner
from lab.samples.entry import Entry
from lab.samples.forms import form_2022, form_2023, form_2025, form_2026, sheets_2025
from lab.samples.hand import hand_fields
from lab.samples.hand.handwriting import Hand, draw_hand
from lab.samples.part import Part
from lab.samples.sample import Sample
from lab.samples.scans import scanned
from lab.samples.truth import Truth

#: Words of an essay: short, because every letter of the page is transcribed by hand.
_WORDS = (24, 40)
_SPANISH = 0.35
_HAND_SLACK = 0.15
#: Where the answers of the forms with one column begin: x, y, in points.
_PLACES: dict[int, dict[str, tuple[float, float]]] = {
    2022: {"student_name": (118, 122), "father_figure_name": (168, 728), "email": (70, 747), "phone": (338, 747)},
    2023: {
        "student_name": (204, form_2023.NAME_Y - 1),
        "father_figure_name": (290, form_2023.FATHER_Y - 1),
        "email": (64, form_2023.CONTACT_Y),
        "phone": (376, form_2023.CONTACT_Y),
    },
}
#: The forms, in turn: two with columns for each one without.
_YEARS = (2025, 2026, 2025, 2026, 2023, 2022)
_PRINT: dict[int, Callable[[Canvas], None]] = {
    2022: form_2022.draw_printed,
    2023: form_2023.draw_printed,
    2025: form_2025.draw_printed,
    2026: form_2026.draw_printed,
}
_ROWS = {2025: form_2025.FORM_2025, 2026: form_2025.FORM_2026}
#: Where essays begin and end, in points.
_ESSAY = {2022: (176, 570), 2023: (240, 628), 2025: (248, 628), 2026: (248, 628)}


def draw_model_pages(part: Part, seed: int, entries: int) -> list[tuple[str, Sample]]:
    """Return file names and samples of so many entries of a part, a page each."""
    found = []
    for number in range(1, entries + 1):
        rng = Random(f"{seed}:{part.name}:model page:{number}")
        sample = _draw(rng, part, _YEARS[(number - 1) % len(_YEARS)])
        sample.part = part.name
        found.append((f"page-{number:02d}.pdf", sample))
    return found


def _draw(rng: Random, part: Part, year: int) -> Sample:
    doc, hand = pymupdf.open(), draw_hand(rng, part)
    entry = sheets_2025.entry_by_hand(rng, part, _WORDS, spanish_share=_SPANISH)
    canvas = Canvas(doc)
    truth = Truth(doc_class="SINGLE_SCANNED", typed=False, count_slack=_HAND_SLACK)
    truth.handwriting_font = hand.face
    _PRINT[year](canvas)
    if year in _ROWS:
        hand_fields.write_header(rng, canvas, truth, entry, hand, _ROWS[year])
    else:
        _write_header(rng, canvas, truth, entry, hand, year)
    hand_fields.write_essay(rng, canvas, truth, entry, hand, *_ESSAY[year])
    return scanned(rng, part, f"model_page_{year}", doc, [truth], draw_scanner(rng, part))


def _write_header(rng: Random, canvas: Canvas, truth: Truth, entry: Entry, hand: Hand, year: int) -> None:
    values = {
        "student_name": entry.name,
        "father_figure_name": entry.father,
        "email": entry.email,
        "phone": entry.phone,
    }
    for field, (x, y) in _PLACES[year].items():
        if value := values[field]:
            size = min(hand.size, 11.5) if field in ("email", "phone") else min(hand.size, 14)
            truth.put(field, value, canvas, [hand.write(canvas, x, y + rng.gauss(0, 1.5), value, size)])
