"""The piece of a page that shows one value, as the view box of an SVG."""

from __future__ import annotations

from dataclasses import dataclass

from services.queries.document_pages import Document, PageView, Place

#: Points of the page around the box that are shown with it.
_MARGIN_X = 28.0
_MARGIN_Y = 12.0
#: A piece narrower than this would be blown up beyond reading.
_MIN_WIDTH = 200.0
#: Beyond this share of the page a piece is no close-up: the viewer shows it better.
_MAX_SHARE = 0.3


@dataclass(frozen=True)
class Crop:
    """A window on a page, in points."""

    page: PageView
    x: float
    y: float
    width: float
    height: float
    places: list[Place]


def crop_of(document: Document, places: list[Place]) -> Crop | None:
    """The window around the places on the first page they stand on; None where there is nothing to show."""
    if not places:
        return None
    page = document.page(places[0].page)
    if page is None:
        return None
    here = [place for place in places if place.page == page.number]
    top, bottom = min(place.y0 for place in here), max(place.y1 for place in here)
    if bottom - top > _MAX_SHARE:
        return None
    left, right = min(place.x0 for place in here), max(place.x1 for place in here)
    x, width = _window(left * page.width, right * page.width, _MARGIN_X, _MIN_WIDTH, page.width)
    y, height = _window(top * page.height, bottom * page.height, _MARGIN_Y, 0.0, page.height)
    return Crop(page, x, y, width, height, here)


def _window(start: float, end: float, margin: float, least: float, size: float) -> tuple[float, float]:
    """Start and length of a window around [start, end] that stays on the page."""
    grow = max(margin, (least - (end - start)) / 2)
    low, high = max(0.0, start - grow), min(size, end + grow)
    return low, high - low
