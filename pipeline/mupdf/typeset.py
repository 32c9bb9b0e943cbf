"""Set HTML on letter pages."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence

from core.errors import TooManyPagesError
from core.mupdf import pymupdf
from pipeline.mupdf.letters_drawn import JOINED, Glyphs, with_letters

_WIDTH, _HEIGHT, _MARGIN = 612, 792, 72
#: Room for text on a page, in points.
BODY_WIDTH, BODY_HEIGHT = _WIDTH - 2 * _MARGIN, _HEIGHT - 2 * _MARGIN
_CSS = "body {font-family: sans-serif; font-size: 11pt} p {margin: 0 0 6pt 0} td {padding: 0 6pt 0 0}"


def typeset(texts: Sequence[str], pictures: Mapping[str, bytes], max_pages: int) -> bytes:
    """Return HTML texts as one PDF, each from a new page on; pictures are those of that name.

    Raises TooManyPagesError where a text takes more pages.
    """
    archive = pymupdf.Archive()
    for name, picture in pictures.items():
        archive.add(picture, name)
    out = io.BytesIO()
    writer = pymupdf.DocumentWriter(out)
    glyphs = Glyphs() if any(JOINED.search(html) for html in texts) else None
    for html in texts:
        _place(pymupdf.Story(html, user_css=_CSS, archive=archive), writer, max_pages, glyphs)
    writer.close()
    return out.getvalue() if glyphs is None else with_letters(out.getvalue(), glyphs.letters)


def _place(story: pymupdf.Story, writer: pymupdf.DocumentWriter, max_pages: int, glyphs: Glyphs | None) -> None:
    sheet = pymupdf.Rect(0, 0, _WIDTH, _HEIGHT)
    body = pymupdf.Rect(_MARGIN, _MARGIN, _WIDTH - _MARGIN, _HEIGHT - _MARGIN)
    more, pages = True, 0
    while more:
        pages += 1
        if pages > max_pages:
            raise TooManyPagesError(f"more than {max_pages} pages")
        device = writer.begin_page(sheet)
        more, _ = story.place(body)
        if glyphs is None:
            story.draw(device)
        else:
            glyphs.draw(story, device)
        writer.end_page()
