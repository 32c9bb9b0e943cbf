"""Find the sheets on a page on which several were printed or scanned: side by side, or one above the other.

Sheets are told from columns by what is printed twice: two copies of a form begin with the same line and repeat
others, at the same distance from each other, and nothing crosses the gap between them.
"""

from __future__ import annotations

from typing import NamedTuple

from core.mupdf import pymupdf
from pipeline.mupdf.plain import Rect
from pipeline.mupdf.repeated_lines import WordAt, parted

#: A page so much wider than high lies.
_LIES = 1.15
#: From this share of the page on, pictures are the page.
_PICTURED = 0.6


class Looked(NamedTuple):
    """What is known of a page without its picture."""

    #: The places of the sheets in the order of reading, in points of the displayed page; none for an ordinary page.
    sheets: list[Rect]
    #: Whether a picture is the page, so that only its look tells.
    is_pictured: bool = False


def looked_at(page: pymupdf.Page) -> Looked:
    """Look for sheets on a page.

    Standing pages with a text layer are looked at only where they are put together of others, which costs little.
    """
    width, height = page.rect.width, page.rect.height
    lies = width > _LIES * height
    pictures = page.get_images(full=True)
    if not (lies or pictures or len(page.get_xobjects()) > 1):
        return Looked([])
    is_pictured = bool(pictures) and _pictured(page) >= _PICTURED
    if is_pictured and not (lies and page.get_text().strip()):
        return Looked([], is_pictured=True)
    if not (lies or _is_put_together(page, pictures)):
        return Looked([])
    sheets = parted(_words(page), (0.0, 0.0, width, height))
    return Looked(sheets, is_pictured=is_pictured and not sheets)


def _is_put_together(page: pymupdf.Page, pictures: list[tuple[int, ...]]) -> bool:
    """Whether the page draws other pages, or the same picture twice, as a logo at the head of two forms."""
    drawn = [picture[0] for picture in pictures]
    return len(page.get_xobjects()) > 1 or len(set(drawn)) < len(drawn)


def _pictured(page: pymupdf.Page) -> float:
    """Return the share of the page that its largest picture covers."""
    area = page.rect.width * page.rect.height
    found = [pymupdf.Rect(info["bbox"]) & page.rect for info in page.get_image_info()]
    return max((abs(rect.width * rect.height) for rect in found if not rect.is_empty), default=0.0) / area


def _words(page: pymupdf.Page) -> list[WordAt]:
    turn = page.rotation_matrix
    return [
        WordAt(word[4], tuple((pymupdf.Rect(word[:4]) * turn).normalize())) for word in page.get_text("words")
    ]
