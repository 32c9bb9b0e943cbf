"""Find the sheets on a page on which several were printed or scanned: side by side, or one above the other.

Sheets are told from columns by what is printed twice: two copies of a form begin with the same line and repeat
others, at the same distance from each other, and nothing crosses the gap between them.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from core.mupdf import pymupdf
from pipeline.mupdf.plain import Rect
from pipeline.mupdf.whole_file.copies import WordAt
from pipeline.mupdf.whole_file.repeated_lines import LEAST_SAME, parted

#: A page so much wider than high lies.
_LIES = 1.15
#: From this share of the page on, pictures are the page. With fewer pixels they are logos.
_PICTURED, _PIXELS = 0.6, 400_000
#: On a page without text, as one of a text document with a photo in it, a smaller share suffices.
_ALONE = 0.3
#: What is written at once in a page's contents (PDF 32000-1, 9.4.3): letters, their codes in hexadecimal digits,
#: several with spaces between them. What is too short to be a label is left out.
_WRITTEN = re.compile(
    rb"(?:\(((?:[^()\\]|\\.){4,})\)|<([0-9A-Fa-f]{16,})>)\s*Tj|\[([^\[\]]{12,})\]\s*TJ", re.DOTALL
)
#: The first bytes of it, by which a label is compared that is written with its value.
_LETTERS, _CODES = 12, 24
#: Other pages that a page is put together of, with what they draw in turn. More are letters drawn as outlines.
_MOST_DRAWN = 40
#: Pages that draw more bytes are no forms.
_MOST_CONTENTS = 1 << 20


class Looked(NamedTuple):
    """What is known of a page without its picture."""

    #: The places of the sheets in the order of reading, in points of the displayed page; none for one sheet.
    sheets: list[Rect]
    #: The place of the picture that is the page, so that only its look tells; None where none is.
    picture: Rect | None = None


def looked_at(page: pymupdf.Page) -> Looked:
    """Look for sheets on a page.

    Standing pages with a text layer are looked at only where they are put together of others, which costs little.
    """
    width, height = page.rect.width, page.rect.height
    lies = width > _LIES * height
    pictures = page.get_images(full=True)
    picture = _picture_of(page) if _pixels(pictures) >= _PIXELS else None
    if picture is not None and not (lies and page.get_text().strip()):
        return Looked([], picture)
    if not (lies or _is_put_together(page, pictures)):
        return Looked([])
    sheets = parted(_words(page), (0.0, 0.0, width, height))
    return Looked(sheets, None if sheets else picture)


def _is_put_together(page: pymupdf.Page, pictures: list[tuple[int, ...]]) -> bool:
    """Whether the page draws other pages, or the same again: a logo at the head of two forms, several labels."""
    drawn = [picture[0] for picture in pictures]
    if len(set(drawn)) < len(drawn) or 1 < len(page.get_xobjects()) <= _MOST_DRAWN:
        return True
    contents = page.read_contents()
    if len(contents) > _MOST_CONTENTS:
        return False
    starts = Counter(
        letters[:_LETTERS] or (codes or several)[:_CODES] for letters, codes, several in _WRITTEN.findall(contents)
    )
    return sum(times > 1 for times in starts.values()) >= LEAST_SAME


def _pixels(pictures: list[tuple[int, ...]]) -> int:
    return sum(picture[2] * picture[3] for picture in pictures)


def _picture_of(page: pymupdf.Page) -> Rect | None:
    """Return the place of the picture that a page is, which may be strips; nearly all of the page is all of it."""
    turn = page.rotation_matrix
    found = [(pymupdf.Rect(info["bbox"]) * turn).normalize() & page.rect for info in page.get_image_info()]
    share = sum(abs(rect.width * rect.height) for rect in found if not rect.is_empty) / abs(page.rect)
    if share < _ALONE or (share < _PICTURED and page.get_text().strip()):
        return None
    if share >= _PICTURED:
        return (0.0, 0.0, page.rect.width, page.rect.height)
    whole = pymupdf.Rect()
    for rect in found:
        whole |= rect
    return (whole.x0, whole.y0, whole.x1, whole.y1)


def _words(page: pymupdf.Page) -> list[WordAt]:
    turn = page.rotation_matrix
    return [WordAt(word[4], tuple((pymupdf.Rect(word[:4]) * turn).normalize())) for word in page.get_text("words")]
