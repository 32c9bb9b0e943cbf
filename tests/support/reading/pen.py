"""What somebody writes with a tablet's pen, as strokes."""

from __future__ import annotations

import cv2
import numpy as np

from core.confined.mupdf import pymupdf

#: Pixels a point at which letters are traced.
_SCALE = 8

Strokes = list[list[tuple[float, float]]]


def strokes(x: float, y: float, text: str, size: float = 14.0) -> Strokes:
    """The letters of a text, traced; it begins at x, y (points from the page's top left), on its baseline."""
    with pymupdf.open() as sheet:
        page = sheet.new_page(width=612, height=792)
        page.insert_text((x, y), text, fontsize=size, fontname="helv")
        pixels = page.get_pixmap(matrix=pymupdf.Matrix(_SCALE, _SCALE), colorspace=pymupdf.csGRAY)
    ink = (np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width) < 128).astype(np.uint8)
    outlines, _ = cv2.findContours(ink, cv2.RETR_LIST, cv2.CHAIN_APPROX_TC89_L1)
    return [
        [(float(px) / _SCALE, float(py) / _SCALE) for ((px, py),) in line] for line in outlines if len(line) > 2
    ]


def ink(page: pymupdf.Page, lines: Strokes, width: float = 0.7) -> None:
    """Strokes as an Ink annotation."""
    annotation = page.add_ink_annot(lines)
    annotation.set_colors(stroke=(0.7, 0.1, 0.1))
    annotation.set_border(width=width)
    annotation.update()


def drawn_in(page: pymupdf.Page, lines: Strokes, width: float = 0.7) -> None:
    """Strokes in the page's own content."""
    for line in lines:
        page.draw_polyline([*line, line[0]], color=(0.1, 0.1, 0.6), width=width)
