"""Office scans: single forms and stacks, handwritten, typed, in pairs."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pymupdf

from scripts.samples import fonts, form_2023, form_2025, form_2026, hand_fields, instructions
from scripts.samples.canvas import Canvas, wrap_all
from scripts.samples.damage.scan import Scanner, append_scan, draw_scanner, scan, turn
from scripts.samples.entry import Entry, draw_entry
from scripts.samples.essays import misspell
from scripts.samples.handwriting import Hand, arrow, draw_hand, wrap
from scripts.samples.sample import Sample, to_bytes
from scripts.samples.truth import Truth

_HAND_SLACK = 0.15
_PRINT_SLACK = 0.07


def draw_hand_header(rng: Random) -> Sample:
    """A 2026 form with a handwritten header and a typed essay on it or behind it."""
    entry, hand = _entry_by_hand(rng, (110, 330)), draw_hand(rng, (12, 15))
    doc = pymupdf.open()
    canvas = Canvas(doc)
    truth = Truth(doc_class="MULTI_PAGE_SINGLE", typed=False, count_slack=_PRINT_SLACK)
    form_2026.draw_printed(canvas)
    hand_fields.write_header(rng, canvas, truth, entry, hand, form_2025.FORM_2026)
    if rng.random() < 0.6:
        _write_typed_page(rng, doc, truth, entry)
    else:
        _write_typed(rng, canvas, truth, entry, (238, 636), "serif")
        instructions.draw(doc)
    truth.page_end = doc.page_count
    return _scanned(rng, "scan_form_26_hand_header_typed_essay", doc, [truth], draw_scanner(rng))


def draw_single(rng: Random) -> Sample:
    """One handwritten 2025 page."""
    doc = pymupdf.open()
    truth = _hand_page(rng, doc, draw_hand(rng))
    return _scanned(rng, "scan_single_25_hand", doc, [truth], draw_scanner(rng))


def draw_batch(rng: Random, entries: int) -> Sample:
    """A stack of handwritten 2025 pages, one an entry."""
    return _stack(
        rng, "scan_batch_25_hand", entries, lambda doc: _hand_page(rng, doc, draw_hand(rng)), draw_scanner(rng)
    )


def draw_pairs(rng: Random, entries: int) -> Sample:
    """A stack of 2025 pairs: a header sheet, then the essay page."""
    return _stack(rng, "scan_batch_25_hand_pairs", entries, lambda doc: _pair(rng, doc), draw_scanner(rng))


def draw_typed_batch(rng: Random, entries: int) -> Sample:
    """A stack of 2023 pages, typed, printed and scanned in grey."""
    scanner = draw_scanner(rng, one_bit=False)
    return _stack(rng, "scan_batch_23_typed", entries, lambda doc: _page_2023(rng, doc), scanner)


def _stack(
    rng: Random, kind: str, entries: int, draw_one: Callable[[pymupdf.Document], Truth], scanner: Scanner
) -> Sample:
    """One entry after the other; in some stacks a blank sheet got between them."""
    doc = pymupdf.open()
    truths: list[Truth] = []
    blank: list[int] = []
    between = rng.randrange(1, entries) if entries > 2 and rng.random() < 0.2 else None
    for number in range(entries):
        if number == between:
            blank.append(Canvas(doc).number)
        truths.append(draw_one(doc))
    sample = _scanned(rng, kind, doc, truths, scanner, stem="scan")
    sample.blank_pages = blank
    return sample


def draw_hand_page(rng: Random) -> tuple[pymupdf.Document, Truth]:
    """One handwritten 2025 page, not yet scanned."""
    doc = pymupdf.open()
    return doc, _hand_page(rng, doc, draw_hand(rng))


def _scanned(
    rng: Random, kind: str, doc: pymupdf.Document, truths: list[Truth], scanner: Scanner, stem: str = "entry"
) -> Sample:
    """Every page as the scanner sees it, here and there one fed the wrong way round; the boxes follow."""
    result = pymupdf.open()
    for number, page in enumerate(doc, 1):
        turns = rng.choices((0, 2, 1), (95, 3, 2))[0]
        picture, move = turn(*scan(rng, page, scanner), turns)
        append_scan(result, picture, scanner)
        for truth in truths:
            truth.move_boxes(number, move)
            if turns and truth.page_start <= number <= (truth.page_end or number):
                truth.hazards.append("turned_page")
    return Sample(kind, ".pdf", to_bytes(result, rng), truths, stem)


def _entry_by_hand(rng: Random, words: tuple[int, int]) -> Entry:
    entry = draw_entry(rng, spanish_share=0.15, count=words)
    if rng.random() < 0.4:
        entry.essay = misspell(rng, entry.essay, entry.spanish)
    if entry.school.aliases and rng.random() < 0.5:
        entry.school_written = rng.choice(entry.school.aliases)
    roll = rng.random()
    if roll < 0.05:
        entry.grade = None
    elif roll < 0.1:
        entry.school_written = None
    return entry


def _hand_page(rng: Random, doc: pymupdf.Document, hand: Hand) -> Truth:
    entry = _entry_by_hand(rng, (35, 120))
    canvas = Canvas(doc)
    truth = Truth(canvas.number, canvas.number, "SINGLE_SCANNED", typed=False, count_slack=_HAND_SLACK)
    form_2025.draw_printed(canvas)
    hand_fields.write_header(rng, canvas, truth, entry, hand, form_2025.FORM_2025)
    hand_fields.write_essay(rng, canvas, truth, entry, hand, 246, 628)
    if entry.reaction and rng.random() < 0.6:
        parent = draw_hand(rng, (11, 13))
        _write_reaction(canvas, truth, entry, parent, 690, 745)
    return truth


def _write_reaction(canvas: Canvas, truth: Truth, entry: Entry, hand: Hand, top: float, bottom: float) -> None:
    lines = wrap(hand, entry.reaction or "", 530)
    lines = lines[: int((bottom - top) / (hand.size * 1.3)) + 1]
    rects = [hand.write(canvas, 34, top + i * hand.size * 1.3, line) for i, line in enumerate(lines)]
    truth.put("parent_reaction", " ".join(lines), canvas, rects)


def _pair(rng: Random, doc: pymupdf.Document) -> Truth:
    entry, hand = _entry_by_hand(rng, (45, 150)), draw_hand(rng)
    header = Canvas(doc)
    truth = Truth(header.number, header.number + 1, "MULTI_PAGE_SINGLE", typed=False, count_slack=_HAND_SLACK)
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
        _write_reaction(second, truth, entry, draw_hand(rng, (11, 13)), 664, 684)
    return truth


def _page_2023(rng: Random, doc: pymupdf.Document) -> Truth:
    entry = draw_entry(rng, spanish_share=0.12, count=(90, 340))
    canvas = Canvas(doc)
    truth = Truth(canvas.number, canvas.number, "SINGLE_SCANNED", typed=False, count_slack=_PRINT_SLACK)
    form_2023.draw_printed(canvas)
    if rng.random() < 0.15:
        truth.hazards.append("hand_header")
        _write_2023_by_hand(rng, canvas, truth, entry)
    else:
        _write_2023_typed(rng, canvas, truth, entry)
    _write_typed(rng, canvas, truth, entry, (form_2023.ESSAY_TOP, form_2023.ESSAY_BOTTOM), "sans")
    if entry.reaction:
        rects = canvas.lines(31, form_2023.REACTION_TOP, wrap_all([entry.reaction], 540, 11), 11, 13)
        truth.put("parent_reaction", entry.reaction, canvas, rects)
    return truth


def _write_2023_typed(rng: Random, canvas: Canvas, truth: Truth, entry: Entry) -> None:
    truth.put("student_name", entry.name, canvas, [canvas.text(204, form_2023.NAME_Y - 1, entry.name or "", 11)])
    if entry.father:
        truth.put(
            "father_figure_name",
            entry.father,
            canvas,
            [canvas.text(290, form_2023.FATHER_Y - 1, entry.father, 11)],
        )
    if entry.email:
        room = 210 if rng.random() < 0.7 else 110
        email = entry.email
        while fonts.width("sans", email, 11) > room:
            email = email[:-1]
        truth.put("email", email, canvas, [canvas.text(64, form_2023.CONTACT_Y - 1, email, 11)])
    if entry.phone:
        truth.put("phone", entry.phone, canvas, [canvas.text(376, form_2023.CONTACT_Y - 1, entry.phone, 11)])


def _write_2023_by_hand(rng: Random, canvas: Canvas, truth: Truth, entry: Entry) -> None:
    hand = draw_hand(rng, (11, 14))
    truth.put(
        "student_name", entry.name, canvas, [hand.write(canvas, 204, form_2023.NAME_Y - 1, entry.name or "")]
    )
    if entry.father:
        truth.put(
            "father_figure_name",
            entry.father,
            canvas,
            [hand.write(canvas, 290, form_2023.FATHER_Y - 1, entry.father)],
        )
    if entry.email:
        truth.put("email", entry.email, canvas, [hand.write(canvas, 64, form_2023.CONTACT_Y, entry.email, 11)])
    if entry.phone:
        truth.put("phone", entry.phone, canvas, [hand.write(canvas, 376, form_2023.CONTACT_Y, entry.phone)])


def _write_typed(
    rng: Random, canvas: Canvas, truth: Truth, entry: Entry, span: tuple[float, float], face: str
) -> None:
    """The essay in type between two heights."""
    top, bottom = span
    paragraphs = truth.essay_with_title(rng, entry)
    for size in (12, 11, 10, 9, 8):
        lines = wrap_all(paragraphs, 540, size, face, gap=True)
        if len(lines) * size * 1.17 < bottom - top:
            break
    truth.put_essay(entry, canvas, canvas.lines(35, top, lines, size, size * 1.17, face))


def _write_typed_page(rng: Random, doc: pymupdf.Document, truth: Truth, entry: Entry) -> None:
    """The essay on a sheet of its own behind the form, sometimes under the writer's name."""
    canvas = Canvas(doc)
    y = 84.0
    if rng.random() < 0.5:
        canvas.text(72, y, entry.name or "", 12, "serif")
        y += 28
    size, leading = 12, rng.choice((1.3, 1.6))
    lines = wrap_all(entry.essay, 468, size, "serif")
    if len(lines) * size * leading > 640:
        leading = 1.2
    truth.put_essay(entry, canvas, canvas.lines(72, y, lines, size, size * leading, "serif"))
