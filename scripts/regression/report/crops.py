"""Crop the place of a value from a page, for the report."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from core.config import get_settings
from core.confined.mupdf import pymupdf
from pipeline.files.intake import to_pdf
from scripts.regression.prediction import Box

#: Margin around a value, as shares of the page's width and height.
_MARGIN = (0.1, 0.025)
#: No crop shows less of the page than this.
_LEAST = (0.4, 0.08)
#: Widest picture in pixels, and the sharpest rendering.
_PIXELS = 560
_ZOOM = 150 / 72
_QUALITY = 60
#: Width of a page in the strip that shows a wrong split.
_STRIP_PIXELS = 110


@dataclass(frozen=True)
class Picture:
    """A piece of a page."""

    #: `data:` address: the report needs no other file.
    address: str
    page: int
    width: int
    height: int
    #: The part of the page that it shows.
    view: Box

    def place(self, box: Box) -> dict[str, float]:
        """Where a box of the page lies on the picture, in percent of its size."""
        across, down = self.view[2] - self.view[0], self.view[3] - self.view[1]
        return {
            "left": round(100 * (box[0] - self.view[0]) / across, 2),
            "top": round(100 * (box[1] - self.view[1]) / down, 2),
            "width": round(100 * (box[2] - box[0]) / across, 2),
            "height": round(100 * (box[3] - box[1]) / down, 2),
        }


@contextmanager
def opened(path: Path) -> Iterator[pymupdf.Document]:
    """The file as the pipeline sees it. Raises what the intake raises."""
    with pymupdf.open("pdf", to_pdf(path.read_bytes(), path.name, get_settings()).pdf) as document:
        yield document


def crop(document: pymupdf.Document, page: int, box: Box) -> Picture:
    """The neighbourhood of a box; pages count from 1."""
    left, right = _widened(box[0], box[2], _MARGIN[0], _LEAST[0])
    top, bottom = _widened(box[1], box[3], _MARGIN[1], _LEAST[1])
    return _picture(document, page, (left, top, right, bottom), _PIXELS)


def small_page(document: pymupdf.Document, page: int) -> Picture:
    """A whole page, stamp-sized."""
    return _picture(document, page, (0.0, 0.0, 1.0, 1.0), _STRIP_PIXELS)


def _widened(low: float, high: float, margin: float, least: float) -> tuple[float, float]:
    """A stretch with its margin, at least so long, kept on the page."""
    middle, half = (low + high) / 2, max((high - low) / 2 + margin, least / 2)
    start = min(max(0.0, middle - half), max(0.0, 1 - 2 * half))
    return start, min(1.0, start + 2 * half)


def _picture(document: pymupdf.Document, number: int, view: Box, pixels: int) -> Picture:
    page = document[number - 1]
    width, height = page.rect.width, page.rect.height
    clip = pymupdf.Rect(view[0] * width, view[1] * height, view[2] * width, view[3] * height)
    zoom = min(_ZOOM, pixels / clip.width)
    pixmap = page.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), clip=clip, alpha=False)
    data = base64.b64encode(pixmap.tobytes("jpeg", jpg_quality=_QUALITY)).decode("ascii")
    return Picture(f"data:image/jpeg;base64,{data}", number, pixmap.width, pixmap.height, view)
