"""Stacks of several entries that went through the scanner together."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import cv2
import numpy as np

from core.confined.mupdf import pymupdf
from lab.samples import scans
from lab.samples.canvas import Canvas
from lab.samples.damage.scan import Scanner, draw_scanner
from lab.samples.forms import sheets_2023, sheets_2025
from lab.samples.part import Part, aside
from lab.samples.sample import Sample
from lab.samples.truth import Truth

_DrawOne = Callable[[pymupdf.Document], Truth]


def draw_batch(rng: Random, part: Part, entries: int) -> Sample:
    """A stack of handwritten 2025 pages, one an entry."""
    scanner = draw_scanner(rng, part)
    return _stack(
        rng, part, "scan_batch_25_hand", entries, lambda doc: sheets_2025.draw_page(rng, part, doc), scanner
    )


def draw_one_school(rng: Random, part: Part, entries: int) -> Sample:
    """A stack of handwritten 2025 pages of one school, each by another hand, as a school's office sends it."""
    scanner = draw_scanner(rng, part)
    school = rng.choice(part.schools.schools)
    return _stack(
        rng,
        part,
        "scan_stack_one_school",
        entries,
        lambda doc: sheets_2025.draw_page(rng, part, doc, school),
        scanner,
    )


def draw_pairs(rng: Random, part: Part, entries: int) -> Sample:
    """A stack of 2025 pairs: a header sheet, then the essay page; a few stacks lay upside down in the tray."""
    swapped = part.rare and aside(rng, "tray").random() < 0.12
    scanner = draw_scanner(rng, part)
    return _stack(
        rng,
        part,
        "scan_batch_25_hand_pairs",
        entries,
        lambda doc: sheets_2025.draw_pair(rng, part, doc, swapped=swapped),
        scanner,
    )


def draw_typed_batch(rng: Random, part: Part, entries: int) -> Sample:
    """A stack of 2023 pages, typed, printed and scanned in grey."""
    scanner = draw_scanner(rng, part, one_bit=False)
    return _stack(
        rng, part, "scan_batch_23_typed", entries, lambda doc: sheets_2023.draw_page(rng, part, doc), scanner
    )


def draw_mixed(rng: Random, part: Part, entries: int) -> Sample:
    """A stack of whatever lay in the tray: pages, pairs in either order, forms with a typed sheet, years mixed."""
    draw_one = rng.choices(
        (
            lambda doc: sheets_2025.draw_page(rng, part, doc),
            lambda doc: sheets_2025.draw_pair(rng, part, doc, swapped=rng.random() < 0.4),
            lambda doc: sheets_2023.draw_page(rng, part, doc),
            lambda doc: scans.add_hand_header(rng, part, doc),
        ),
        (3, 3, 2, 2),
        k=entries,
    )
    turns = iter(draw_one)
    return _stack(
        rng, part, "scan_batch_mixed", entries, lambda doc: next(turns)(doc), draw_scanner(rng, part), blanks=0.35
    )


def draw_two_sided(rng: Random, part: Part, entries: int) -> Sample:
    """One-page entries of which the machine read the empty backs too; on some the front shines through."""
    doc = pymupdf.open()
    truths: list[Truth] = []
    strength = rng.choice((0.0, 0.05, 0.1, 0.16))
    by_hand = rng.random() < 0.5
    for _ in range(entries):
        page = sheets_2025.draw_page if by_hand else sheets_2023.draw_page
        truths.append(page(rng, part, doc))
        _add_back(doc, strength)
        truths[-1].hazards.append("show_through_back" if strength else "blank_back")
    scanner = draw_scanner(rng, part, one_bit=None if by_hand else False)
    sample = scans.scanned(rng, part, "scan_two_sided", doc, truths, scanner, stem="scan")
    sample.blank_pages = [2 * number for number in range(1, entries + 1)]
    return sample


def _stack(
    rng: Random, part: Part, kind: str, entries: int, draw_one: _DrawOne, scanner: Scanner, blanks: float = 0.2
) -> Sample:
    """One entry after the other; in some stacks a blank sheet got between them."""
    doc = pymupdf.open()
    truths: list[Truth] = []
    blank: list[int] = []
    between = rng.randrange(1, entries) if entries > 2 and rng.random() < blanks else None
    for number in range(entries):
        if number == between:
            blank.append(Canvas(doc).number)
        truths.append(draw_one(doc))
    sample = scans.scanned(rng, part, kind, doc, truths, scanner, stem="scan")
    sample.blank_pages = blank
    return sample


def _add_back(doc: pymupdf.Document, strength: float) -> None:
    """The back of the last page: empty paper, through which the front shines mirrored."""
    pixels = doc[-1].get_pixmap(dpi=110, colorspace=pymupdf.csGRAY, alpha=False)
    front = np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width)
    back = Canvas(doc)
    if strength:
        shine = 255 - (255 - cv2.GaussianBlur(front[:, ::-1], (0, 0), 1.6).astype(np.float32)) * strength
        ok, data = cv2.imencode(".png", shine.astype(np.uint8))
        if not ok:
            raise RuntimeError("PNG encoding failed")
        back.page.insert_image(back.page.rect, stream=data.tobytes())
