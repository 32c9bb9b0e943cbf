"""A page interpreted once for its text, its rendering and the rectangles of pictures and vector graphics."""

from __future__ import annotations

import numpy as np

from core.mupdf import pymupdf
from pipeline.mupdf.library import unmanaged_colours
from pipeline.mupdf.plain import Grey, Paint, Rect

#: Types of the blocks that MuPDF's structured text gives beside text: pictures and vector graphics.
_PICTURE, _VECTOR = 1, 3
_PAINT = pymupdf.TEXT_PRESERVE_IMAGES | pymupdf.TEXT_COLLECT_VECTORS


class DisplayList:
    """The drawing commands of a page as it was when this was made."""

    def __init__(self, page: pymupdf.Page) -> None:
        self._page = page
        self._list = page.get_displaylist()

    def textpage(self, flags: int) -> pymupdf.TextPage:
        """Structured text in the unrotated page."""
        if self._page.rotation:
            # The list is of the page as it is displayed.
            return self._page.get_textpage(flags=flags)
        return pymupdf.TextPage(self._list.get_textpage(flags))

    def paint(self) -> Paint:
        """Pictures and vector graphics."""
        with unmanaged_colours():
            blocks = self.textpage(_PAINT).extractBLOCKS()
        by_type: dict[int, list[Rect]] = {_PICTURE: [], _VECTOR: []}
        for x0, y0, x1, y1, _, _, kind in blocks:
            by_type.setdefault(kind, []).append((x0, y0, x1, y1))
        pictures = self._page.get_images(full=True)
        one_bit = any(picture[4] == 1 for picture in pictures)
        return Paint(by_type[_PICTURE], by_type[_VECTOR], one_bit or len(pictures) > len(by_type[_PICTURE]))

    def grey(self, scale: float) -> Grey:
        """The page as it is displayed, in grey, so many pixels a point."""
        return grey_of(self._list.get_pixmap(pymupdf.Matrix(scale, scale), pymupdf.csGRAY, 0))


def grey_of(pixels: pymupdf.Pixmap) -> Grey:
    """Return the shades of a grey pixmap."""
    return np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width)
