"""Handwritten sheets of 2025: a page an entry, or a header sheet with its essay sheet."""

from __future__ import annotations

from random import Random

from core.confined.mupdf import pymupdf
from lab.samples.canvas import Canvas
from lab.samples.entry import Entry, draw_entry
from lab.samples.forms import form_2025
from lab.samples.hand import hand_fields
from lab.samples.hand.handwriting import Hand, arrow, draw_hand, wrap
from lab.samples.part import Part
from lab.samples.truth import Truth
from lab.samples.words.essays import misspell
from lab.samples.words.schools import School

_HAND_SLACK = 0.15


def entry_by_hand(
    rng: Random, part: Part, words: tuple[int, int], school: School | None = None, spanish_share: float = 0.15
) -> Entry:
    """An entry as somebody who writes by hand gives it: misspelt, schools cut short, grade or school forgotten.

    With a `school` it is that one's.
    """
    entry = draw_entry(rng, part, spanish_share=spanish_share, count=words)
    if school is not None:
        entry.school, entry.school_written = school, school.name
    if rng.random() < 0.4:
        entry.essay = misspell(rng, entry.essay, part.essays(entry.spanish))
    if entry.school.aliases and rng.random() < 0.5:
        entry.school_written = rng.choice(entry.school.aliases)
    roll = rng.random()
    if roll < 0.05:
        entry.grade = None
    elif roll < 0.1:
        entry.school_written = None
    return entry


def draw_page(rng: Random, part: Part, doc: pymupdf.Document, school: School | None = None) -> Truth:
    """Add a page that holds a whole entry."""
    hand = draw_hand(rng, part)
    entry = entry_by_hand(rng, part, (35, 120), school)
    canvas = Canvas(doc)
    truth = Truth(canvas.number, canvas.number, "SINGLE_SCANNED", typed=False, count_slack=_HAND_SLACK)
    truth.handwriting_font = hand.face
    form_2025.draw_printed(canvas)
    hand_fields.write_header(rng, canvas, truth, entry, hand, form_2025.FORM_2025)
    hand_fields.write_essay(rng, canvas, truth, entry, hand, 246, 628)
    if entry.reaction and rng.random() < 0.6:
        parent = draw_hand(rng, part, (11, 13))
        _write_reaction(canvas, truth, entry, parent, 690, 745)
    return truth


def draw_pair(rng: Random, part: Part, doc: pymupdf.Document, *, swapped: bool = False) -> Truth:
    """Add a header sheet and its essay sheet; swapped ones were fed the other way round."""
    entry, hand = entry_by_hand(rng, part, (45, 150)), draw_hand(rng, part)
    header = Canvas(doc)
    truth = Truth(header.number, header.number + 1, "MULTI_PAGE_SINGLE", typed=False, count_slack=_HAND_SLACK)
    truth.handwriting_font = hand.face
    form_2025.draw_printed(header)
    hand_fields.write_header(rng, header, truth, entry, hand, form_2025.FORM_2025)
    if rng.random() < 0.85:
        arrow(header, rng.uniform(180, 300), 330, rng.uniform(480, 560), rng.uniform(360, 480), hand.ink)
    second = Canvas(doc)
    form_2025.draw_essay_page(second)
    hand.write(second, 130, 110 + rng.gauss(0, 1.5), entry.name or "", min(hand.size, 14))
    if entry.father and rng.random() < 0.8:
        hand.write(second, 150, 137 + rng.gauss(0, 1.5), entry.father, min(hand.size, 13))
    hand_fields.write_essay(rng, second, truth, entry, hand, 196, 626)
    if entry.reaction:
        _write_reaction(second, truth, entry, draw_hand(rng, part, (11, 13)), 664, 684)
    if swapped:
        _swap(doc, truth, header.number, second.number)
    return truth


def _swap(doc: pymupdf.Document, truth: Truth, first: int, second: int) -> None:
    doc.move_page(second - 1, first - 1)
    other = {first: second, second: first}
    truth.boxes = {name: (other[page], box) for name, (page, box) in truth.boxes.items()}
    truth.hazards.append("sheets_swapped")


def _write_reaction(canvas: Canvas, truth: Truth, entry: Entry, hand: Hand, top: float, bottom: float) -> None:
    lines = wrap(hand, entry.reaction or "", 530)
    lines = lines[: int((bottom - top) / (hand.size * 1.3)) + 1]
    rects = [hand.write(canvas, 34, top + i * hand.size * 1.3, line) for i, line in enumerate(lines)]
    truth.put("parent_reaction", " ".join(lines), canvas, rects)
