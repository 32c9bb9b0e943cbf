"""Poor copies of header pages: a corpus of its own, beside the mix of `corpus.py`.

Essays are short, because recognising them takes time and nothing of them is judged here.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from core.confined.mupdf import pymupdf
from lab.samples.canvas import Canvas
from lab.samples.damage.poor_copy import draw_damage, poor_copy
from lab.samples.entry import draw_entry
from lab.samples.forms import flattened, form_2025, form_2026, sheets_2025
from lab.samples.hand import hand_fields
from lab.samples.hand.handwriting import draw_hand
from lab.samples.part import Part
from lab.samples.sample import Sample, to_bytes
from lab.samples.truth import Truth
from lab.samples.typed_essay import PRINT_SLACK, write_typed

#: Words of an essay.
_WORDS = (50, 70)


def draw_poor_copies(part: Part, seed: int, entries: int) -> list[tuple[str, Sample]]:
    """File names and samples of so many entries of a part, one in each file."""
    found = []
    for number in range(1, entries + 1):
        rng = Random(f"{seed}:{part.name}:poor copy:{number}")
        kind, draw = _DRAWN[number % len(_DRAWN)]
        found.append((f"copy-{number:03d}.pdf", _copied(rng, part, kind, draw)))
    return found


def _copied(rng: Random, part: Part, kind: str, draw: Callable[[Random, Part, pymupdf.Document], Truth]) -> Sample:
    """The first page as a poor copy; its boxes follow."""
    damage = draw_damage(rng, part)
    document = pymupdf.open()
    truth = draw(rng, part, document)
    document.select([0])
    copied, (move,) = poor_copy(rng, part, document, damage)
    truth.typed, truth.page_end, truth.doc_class = False, 1, "SINGLE_SCANNED"
    truth.damage += damage
    truth.move_boxes(1, move)
    return Sample(kind, ".pdf", to_bytes(copied, rng), [truth], part=part.name)


def _written(rng: Random, part: Part, document: pymupdf.Document) -> Truth:
    """A form of 2026 with a header by hand."""
    entry, hand = sheets_2025.entry_by_hand(rng, part, _WORDS), draw_hand(rng, part, (12, 15))
    canvas = Canvas(document)
    truth = Truth(canvas.number, count_slack=PRINT_SLACK, handwriting_font=hand.face)
    form_2026.draw_printed(canvas)
    hand_fields.write_header(rng, canvas, truth, entry, hand, form_2025.FORM_2026)
    write_typed(rng, canvas, truth, entry, (238, 636), "serif")
    return truth


def _typed(rng: Random, part: Part, document: pymupdf.Document) -> Truth:
    """A form of 2026 that was filled in on a screen and printed."""
    truth = Truth(count_slack=PRINT_SLACK)
    flattened.draw_filled(rng, document, draw_entry(rng, part, spanish_share=0.25, count=_WORDS), truth)
    return truth


#: What is copied, in turn.
_DRAWN = (
    ("copy_form_26_hand_header", _written),
    ("copy_form_26_typed", _typed),
    ("copy_form_25_hand", sheets_2025.draw_page),
)
