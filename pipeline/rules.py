"""Ruled lines and drawn boxes of a native page: they bound the zones that people write in."""

from __future__ import annotations

import pymupdf

from pipeline.geometry import Displayed, inside
from pipeline.page_model import Box

#: More paths than this and the page is a drawing, or text as outlines.
_MAX_PATHS = 1500
#: Shorter lines (points) are ticks and letters.
_MIN_LENGTH = 24.0


def drawn_rules(page: pymupdf.Page) -> list[Box]:
    """Boxes of the page's long lines and rectangles, from the top; none where it has very many paths."""
    paths = sum(kind.endswith("path") for kind, _ in page.get_bboxlog())
    if not 0 < paths <= _MAX_PATHS:
        return []
    displayed = Displayed.of(page)
    boxes = {
        inside(displayed.box(drawing["rect"]))
        for drawing in page.get_drawings()
        if max(drawing["rect"].width, drawing["rect"].height) >= _MIN_LENGTH
    }
    return sorted(boxes, key=lambda box: (box.y0, box.x0))
