"""Pages as pictures, as they are displayed."""

from __future__ import annotations

import pymupdf
from PIL import Image

from core.errors import DamagedDocumentError
from pipeline.files.pdf import MUPDF_ERRORS
from pipeline.pages.page_model import Box

#: A sheet larger than legal paper (14 inches) is drawn smaller: a photo that was made a page of 56 inches
#: holds no more detail for it.
_LONGEST_INCHES = 14.0


def scale_of(width: float, height: float, dpi: int) -> float:
    """Pixels a point at which a page of that size in points is drawn."""
    return dpi / 72 * min(1.0, _LONGEST_INCHES * 72 / max(width, height))


def render(page: pymupdf.Page, dpi: int, clip: Box | None = None, *, turned: int = 0) -> Image.Image:
    """The page, or the part of it in `clip`, turned clockwise by `turned` degrees.

    Raises DamagedDocumentError where it cannot be drawn.
    """
    scale = scale_of(page.rect.width, page.rect.height, dpi)
    rect = None
    if clip:
        width, height = page.rect.width, page.rect.height
        rect = pymupdf.Rect(clip.x0 * width, clip.y0 * height, clip.x1 * width, clip.y1 * height)
    try:
        pixels = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), alpha=False, clip=rect)
    except MUPDF_ERRORS as exc:
        raise DamagedDocumentError("a page cannot be drawn") from exc
    picture = Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples)
    return picture.rotate(-turned, expand=True) if turned else picture
