"""Essays in type on sheets that are scanned afterwards."""

from __future__ import annotations

from random import Random

from core.confined.mupdf import pymupdf
from lab.samples.canvas import Canvas, wrap_all
from lab.samples.entry import Entry
from lab.samples.truth import Truth

#: Share by which the count of recognised print may be off.
PRINT_SLACK = 0.07


def write_typed(
    rng: Random, canvas: Canvas, truth: Truth, entry: Entry, span: tuple[float, float], face: str
) -> list[tuple[str, pymupdf.Rect]]:
    """The essay in type between two heights; returns its lines and where they stand."""
    top, bottom = span
    paragraphs = truth.essay_with_title(rng, entry)
    for size in (12, 11, 10, 9, 8):
        lines = wrap_all(paragraphs, 540, size, face, gap=True)
        if len(lines) * size * 1.17 < bottom - top:
            break
    rects = canvas.lines(35, top, lines, size, size * 1.17, face)
    truth.put_essay(entry, canvas, rects)
    return list(zip([line for line in lines if line], rects, strict=True))


def write_typed_page(rng: Random, doc: pymupdf.Document, truth: Truth, entry: Entry) -> None:
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
