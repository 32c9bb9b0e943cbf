"""Compute the part of a page that shows one value, as the view box of an SVG in which the page stands upright."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.extraction.tokens import displayed, upright
from pipeline.pages.page_model import Box
from services.pages.document_pages import Document, PageView, Place

#: Margins around the box in points, wide enough for the label, which forms print to the left or above.
_BEFORE, _AFTER = 110.0, 40.0
_AROUND = 9.0
#: Largest share of the page's height for a close-up; the page viewer shows larger parts better.
_MAX_SHARE = 0.3
#: Margins around a line of writing in points, because letters extend beyond the line's box.
_BESIDE_LINE, _OVER_LINE = 6.0, 5.0


@dataclass(frozen=True)
class Crop:
    """A rectangle of a page as it came in, in points."""

    page: PageView
    x: float
    y: float
    width: float
    height: float
    places: list[Place]

    @property
    def view_box(self) -> tuple[float, float, float, float]:
        """The rectangle after the page was turned about its upper left corner: left, top, width, height."""
        x, y, width, height = self.x, self.y, self.width, self.height
        if self.page.turned == 90:
            return -(y + height), x, height, width
        if self.page.turned == 180:
            return -(x + width), -(y + height), width, height
        if self.page.turned == 270:
            return y, -(x + width), height, width
        return x, y, width, height


def crop_of(document: Document, places: list[Place]) -> Crop | None:
    """Return the rectangle around those of the places that are on the first one's page.

    None if there are no places, the page is not the entry's or the part is too large for a close-up.
    """
    page = document.page(places[0].page) if places else None
    if page is None:
        return None
    here = [place for place in places if place.page == page.number]
    box = _around(page, here)
    if box.height > _MAX_SHARE:
        return None
    return _crop(page, here, box, before=_BEFORE, after=_AFTER, around=_AROUND)


def line_crop(document: Document, place: Place) -> Crop | None:
    """Return the rectangle around one line of writing; None if its page is not one of the entry's."""
    page = document.page(place.page)
    if page is None:
        return None
    box = _around(page, [place])
    return _crop(page, [place], box, before=_BESIDE_LINE, after=_BESIDE_LINE, around=_OVER_LINE)


def _around(page: PageView, places: Sequence[Place]) -> Box:
    """Return the smallest box around all places, 0-1 of the upright page."""
    boxes = [upright(Box(place.x0, place.y0, place.x1, place.y1), page.turned) for place in places]
    found = boxes[0]
    for box in boxes[1:]:
        found = found.union(box)
    return found


def _crop(page: PageView, places: list[Place], box: Box, *, before: float, after: float, around: float) -> Crop:
    """Return the rectangle with these margins, in points of the upright page, as far as it is on the page."""
    width, height = (page.height, page.width) if page.turned % 180 else (page.width, page.height)
    wider = Box(
        max(0.0, box.x0 - before / width),
        max(0.0, box.y0 - around / height),
        min(1.0, box.x1 + after / width),
        min(1.0, box.y1 + around / height),
    )
    x0, y0, x1, y1 = displayed(wider, page.turned)
    return Crop(
        page,
        x0 * page.width,
        y0 * page.height,
        (x1 - x0) * page.width,
        (y1 - y0) * page.height,
        places,
    )
