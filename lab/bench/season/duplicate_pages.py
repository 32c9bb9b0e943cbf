"""Drawn pages, scanned twice: whether two pictures are known for one sheet."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from PIL import Image

from core.confined.mupdf import pymupdf
from lab.bench.measure import Measure, measured
from lab.samples.damage.scan import draw_scanner, scan
from lab.samples.forms import sheets_2025
from lab.samples.part import PARTS, Part
from pipeline.duplicates.pictures import DPI, Fingerprint, fingerprint, same_sheet

SHEETS = 40


def measure_pages(sheets: int = SHEETS) -> list[Measure]:
    """Scan handwritten sheets of one form on two machines each, and compare each picture with all others."""
    known, wrong = {}, {}
    for name, part in PARTS.items():
        known[name], wrong[name] = _compared(part, sheets)
    return [
        measured(
            "same_sheet_recall",
            known["held_out"],
            "share",
            None,
            f"{sheets} handwritten sheets of one form scanned on two machines, held-out hands and damage "
            f"(development {known['development']:.3f}); by the picture alone",
        ),
        measured(
            "other_sheet_taken_for_it",
            wrong["held_out"],
            "share",
            None,
            "of all pairs of different sheets of the form, for which reason a picture is never enough by itself "
            f"(development {wrong['development']:.4f})",
        ),
    ]


def _compared(part: Part, sheets: int) -> tuple[float, float]:
    """Return the share of sheets that are known again, and of pairs of others that are taken for one."""
    rng = Random(470)
    drawn = [_sheet(rng, part) for _ in range(sheets)]
    pairs = [(_scanned(rng, page, part), _scanned(rng, page, part)) for page in drawn]
    right = sum(same_sheet(one, other) for one, other in pairs)
    others = [(a, b) for a in range(sheets) for b in range(sheets) if a != b]
    return right / sheets, sum(same_sheet(pairs[a][0], pairs[b][1]) for a, b in others) / len(others)


def _sheet(rng: Random, part: Part) -> pymupdf.Document:
    document = pymupdf.open()
    sheets_2025.draw_page(rng, part, document)
    return document


def _scanned(rng: Random, document: pymupdf.Document, part: Part) -> Fingerprint:
    grey: np.ndarray[Any, Any] = scan(rng, document[0], draw_scanner(rng, part))[0]
    inches = document[0].rect.width / 72, document[0].rect.height / 72
    small = Image.fromarray(grey).resize((round(inches[0] * DPI), round(inches[1] * DPI)), Image.Resampling.BOX)
    found = fingerprint(small)
    assert found is not None, "a filled sheet is not blank"
    return found
