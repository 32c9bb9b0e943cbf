"""Set HTML on letter pages."""

from __future__ import annotations

import io
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from html import unescape

from core.errors import TooManyPagesError
from core.mupdf import pymupdf
from pipeline.mupdf.letters_drawn import JOINED, Glyphs, with_letters

_WIDTH, _HEIGHT, _MARGIN = 612, 792, 72
#: Room for text on a page, in points.
BODY_WIDTH, BODY_HEIGHT = _WIDTH - 2 * _MARGIN, _HEIGHT - 2 * _MARGIN
_CSS = "body {font-family: sans-serif; font-size: 11pt} p {margin: 0 0 6pt 0} td {padding: 0 6pt 0 0}"
#: Letters and their marks; joiners and marks of direction.
_WORD = re.compile(
    "(?:[^\\W\\d_]|[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0900-\u109f])+"
)
_SILENT = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069]")


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


def words_lost(pdf: bytes, html: str) -> int:
    """Return how many words of joined letters in the HTML are not among the words of the PDF.

    Letters that change places when they are drawn, as Indic vowels do, are read in the order of their places.
    """
    if not JOINED.search(html):
        return 0
    written = Counter(_words(unescape(re.sub(r"<[^<>]*+>", " ", html))))
    with pymupdf.open("pdf", pdf) as document:
        for page in document:
            for word in page.get_text("words"):
                written.subtract(_words(word[4]))
    return sum(count for count in written.values() if count > 0)


def _words(text: str) -> list[str]:
    """The words with joined letters, without signs and marks of direction."""
    return [
        word for word in _WORD.findall(unicodedata.normalize("NFKC", _SILENT.sub("", text))) if JOINED.search(word)
    ]
