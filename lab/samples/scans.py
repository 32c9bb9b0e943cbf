"""Office scans of one entry, and how a drawn document goes through the scanner."""

from __future__ import annotations

from random import Random

from core.confined.mupdf import pymupdf
from lab.samples.canvas import Canvas
from lab.samples.damage.scan import Scanner, append_scan, draw_scanner, scan, turn
from lab.samples.forms import form_2025, form_2026, instructions, sheets_2025
from lab.samples.hand import hand_fields
from lab.samples.hand.handwriting import draw_hand
from lab.samples.part import Part, aside
from lab.samples.sample import Sample, to_bytes
from lab.samples.truth import Truth
from lab.samples.typed_essay import PRINT_SLACK, write_typed, write_typed_page


def draw_hand_header(rng: Random, part: Part) -> Sample:
    """A 2026 form with a handwritten header and a typed essay on it or behind it."""
    doc = pymupdf.open()
    truth = add_hand_header(rng, part, doc)
    return scanned(rng, part, "scan_form_26_hand_header_typed_essay", doc, [truth], draw_scanner(rng, part))


def add_hand_header(rng: Random, part: Part, doc: pymupdf.Document) -> Truth:
    """Add the form and its typed essay or its instructions."""
    entry, hand = sheets_2025.entry_by_hand(rng, part, (110, 330)), draw_hand(rng, part, (12, 15))
    canvas = Canvas(doc)
    truth = Truth(canvas.number, doc_class="MULTI_PAGE_SINGLE", typed=False, count_slack=PRINT_SLACK)
    truth.handwriting_font = hand.face
    form_2026.draw_printed(canvas)
    hand_fields.write_header(rng, canvas, truth, entry, hand, form_2025.FORM_2026)
    if rng.random() < 0.6:
        write_typed_page(rng, doc, truth, entry)
    else:
        write_typed(rng, canvas, truth, entry, (238, 636), "serif")
        instructions.draw(doc)
    truth.page_end = doc.page_count
    return truth


def draw_single(rng: Random, part: Part) -> Sample:
    """One handwritten 2025 page."""
    doc = pymupdf.open()
    truth = sheets_2025.draw_page(rng, part, doc)
    return scanned(rng, part, "scan_single_25_hand", doc, [truth], draw_scanner(rng, part))


def scanned(
    rng: Random,
    part: Part,
    kind: str,
    doc: pymupdf.Document,
    truths: list[Truth],
    scanner: Scanner,
    stem: str = "entry",
) -> Sample:
    """Every page as the scanner sees it, here and there one fed the wrong way round; the boxes follow."""
    result = pymupdf.open()
    lying = _lying(aside(rng, "lying")) if part.rare else 0
    for number, page in enumerate(doc, 1):
        turns = _quarters(rng, part)
        picture, move = turn(*scan(rng, page, scanner), turns)
        append_scan(result, picture, scanner, lying)
        for truth in truths:
            truth.move_boxes(number, move)
            if turns and truth.page_start <= number <= (truth.page_end or number):
                truth.hazards.append("turned_page")
    for truth in truths:
        truth.damage += scanner.damage
        truth.hazards += ["turned_by_flag"] if lying else []
    return Sample(kind, ".pdf", to_bytes(result, rng), truths, stem)


def _quarters(rng: Random, part: Part) -> int:
    """By how many quarters a sheet is turned."""
    chance = aside(rng, "quarters")
    turns = rng.choices((0, 2, 1), (95, 3, 2))[0]
    if part.rare and not turns and chance.random() < 0.03:
        return chance.choice((1, 2, 3, 3))
    return turns


def _lying(rng: Random) -> int:
    """Some machines store every picture turned, with a note on the page that turns it back for display."""
    return rng.choice((1, 2, 3)) if rng.random() < 0.08 else 0
