"""Pages of native text that lie on their side, are stored lying, or show only a part of their sheet."""

from __future__ import annotations

from random import Random

from core.confined.mupdf import pymupdf
from lab.samples.part import Part
from lab.samples.truth import Truth, UnitBox

_SHARE = 0.06


def turn_native(rng: Random, part: Part, doc: pymupdf.Document, truths: list[Truth]) -> None:
    """Now and then turn every page for display, or crop its sheet; the boxes follow what is displayed."""
    if not part.rare or rng.random() > _SHARE:
        return
    if rng.random() < 0.4:
        _crop(rng, doc, truths)
        return
    quarters = rng.choice((1, 2, 3))
    for number, page in enumerate(doc, 1):
        page.set_rotation(90 * quarters)
        for truth in truths:
            truth.move_boxes(number, lambda box: turned_clockwise(box, quarters))
    for truth in truths:
        truth.hazards.append("displayed_sideways")


def turned_clockwise(box: UnitBox, quarters: int) -> UnitBox:
    """A box after the page was turned clockwise by so many quarters."""
    x0, y0, x1, y1 = box
    for _ in range(quarters):
        x0, y0, x1, y1 = 1 - y1, x0, 1 - y0, x1
    return (x0, y0, x1, y1)


def _crop(rng: Random, doc: pymupdf.Document, truths: list[Truth]) -> None:
    """A sheet larger than what is shown of it: what is shown stays the same."""
    left, top, right, bottom = (rng.randrange(10, 60) for _ in range(4))
    for page in doc:
        width, height = page.rect.width, page.rect.height
        doc.xref_set_key(page.xref, "MediaBox", f"[{-left} {-bottom} {width + right} {height + top}]")
        doc.xref_set_key(page.xref, "CropBox", f"[0 0 {width} {height}]")
    for truth in truths:
        truth.hazards.append("cropped_sheet")
