"""Compute the part of a page that shows one value, as the view box of an SVG."""

from __future__ import annotations

from dataclasses import dataclass

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
    """A rectangle of a page, in points."""

    page: PageView
    x: float
    y: float
    width: float
    height: float
    places: list[Place]


def crop_of(document: Document, places: list[Place]) -> Crop | None:
    """Return the rectangle around those of the places that are on the first one's page.

    None if there are no places, the page is not the entry's or the part is too large for a close-up.
    """
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
    x, end = max(0.0, left * page.width - _BEFORE), min(page.width, right * page.width + _AFTER)
    y, foot = max(0.0, top * page.height - _AROUND), min(page.height, bottom * page.height + _AROUND)
    return Crop(page, x, y, end - x, foot - y, here)


def line_crop(document: Document, place: Place) -> Crop | None:
    """Return the rectangle around one line of writing; None if its page is not one of the entry's."""
    page = document.page(place.page)
    if page is None:
        return None
    x, end = max(0.0, place.x0 * page.width - _BESIDE_LINE), min(page.width, place.x1 * page.width + _BESIDE_LINE)
    y, foot = max(0.0, place.y0 * page.height - _OVER_LINE), min(page.height, place.y1 * page.height + _OVER_LINE)
    return Crop(page, x, y, end - x, foot - y, [place])
