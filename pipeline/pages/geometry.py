"""From MuPDF's coordinates to the displayed page, 0-1, and between turned pictures."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.mupdf.plain import PageShape
from pipeline.pages.page_model import Box

#: A page that is not rotated.
_UPRIGHT = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


class Displayed:
    """Maps points of MuPDF's unrotated, cropped page into the displayed page."""

    __slots__ = ("height", "matrix", "upright", "width")

    def __init__(self, shape: PageShape) -> None:
        self.matrix, self.width, self.height = shape
        self.upright = shape.matrix == _UPRIGHT

    def box(self, rect: Sequence[float]) -> Box:
        """The rectangle in displayed-page space; it may reach over the page's edges."""
        x0, y0, x1, y1 = rect
        if self.upright and x0 <= x1 and y0 <= y1:
            return Box(x0 / self.width, y0 / self.height, x1 / self.width, y1 / self.height)
        a, b, c, d, e, f = self.matrix
        left, right = (a * x0 + c * y0 + e) / self.width, (a * x1 + c * y1 + e) / self.width
        top, bottom = (b * x0 + d * y0 + f) / self.height, (b * x1 + d * y1 + f) / self.height
        return Box(min(left, right), min(top, bottom), max(left, right), max(top, bottom))

    def turned(self, direction: Sequence[float]) -> int:
        """Clockwise degrees by which text that runs in `direction` must be turned to be read."""
        a, b, c, d, _, _ = self.matrix
        x, y = direction[0] * a + direction[1] * c, direction[0] * b + direction[1] * d
        if abs(x) >= abs(y):
            return 0 if x >= 0 else 180
        return 270 if y > 0 else 90


def turn_box(box: Box, degrees: int) -> Box:
    """Where a box lies once its page was turned clockwise by 0, 90, 180 or 270 degrees."""
    x0, y0, x1, y1 = box
    match degrees % 360:
        case 90:
            return Box(1 - y1, x0, 1 - y0, x1)
        case 180:
            return Box(1 - x1, 1 - y1, 1 - x0, 1 - y0)
        case 270:
            return Box(y0, 1 - x1, y1, 1 - x0)
        case _:
            return box


def inside(box: Box) -> Box:
    """The part of a box that lies on the page."""
    x0, y0, x1, y1 = box
    if 0.0 <= x0 <= x1 <= 1.0 and 0.0 <= y0 <= y1 <= 1.0:
        return box
    return Box(*(min(max(value, 0.0), 1.0) for value in box))
