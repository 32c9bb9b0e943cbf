"""Pages drawn in shades of grey."""

from __future__ import annotations

import numpy as np

from core.mupdf import pymupdf
from pipeline.mupdf.plain import Grey


def grey_of(page: pymupdf.Page, scale: float) -> Grey:
    """Return a page as it is displayed, `scale` pixels a point."""
    pixels = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), colorspace=pymupdf.csGRAY, alpha=False)
    return np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width)
