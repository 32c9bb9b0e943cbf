"""Pages as pictures, as they are displayed."""

from __future__ import annotations

from PIL import Image

from pipeline.mupdf.file import PdfFile
from pipeline.pages.page_model import Box

#: A sheet larger than legal paper (14 inches) is drawn smaller: a photo that was made a page of 56 inches
#: holds no more detail for it.
_LONGEST_INCHES = 14.0


def scale_of(width: float, height: float, dpi: int) -> float:
    """Pixels a point at which a page of that size in points is drawn."""
    return dpi / 72 * min(1.0, _LONGEST_INCHES * 72 / max(width, height))


def render(
    file: PdfFile,
    number: int,
    dpi: int,
    clip: Box | None = None,
    *,
    turned: int = 0,
    managed_colours: bool = True,
) -> Image.Image:
    """A page, or the part of it in `clip`, turned clockwise by `turned` degrees.

    Without managed colours, ICC profiles are ignored. Raises DamagedDocumentError where it cannot be drawn.
    """
    _, width, height = file.shape(number)
    rect = (clip.x0 * width, clip.y0 * height, clip.x1 * width, clip.y1 * height) if clip else None
    picture = Image.fromarray(
        file.draw(number, scale_of(width, height, dpi), rect, managed_colours=managed_colours)
    )
    return picture.rotate(-turned, expand=True) if turned else picture
