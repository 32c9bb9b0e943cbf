"""The lines of a page, with their words and their runs of one type, and what is painted beside them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from core.mupdf import pymupdf
from pipeline.mupdf.covered import covered_words, may_be_covered, over_words
from pipeline.mupdf.library import unmanaged_colours
from pipeline.mupdf.plain import Covered, Paint, Rect, Span, TextLine

#: What separates words beside the blank: no-break, typographic and zero-width spaces.
_ODD_SPACE = re.compile(
    "[\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u202f\u205f\u3000\ufeff]"
)
#: What is taken of structured text.
# What is drawn counts, not what is read aloud instead (ActualText, PDF 32000-1, 14.9.4).
TEXT = pymupdf.TEXTFLAGS_WORDS & ~pymupdf.TEXT_PRESERVE_LIGATURES | pymupdf.TEXT_IGNORE_ACTUALTEXT
#: Letters of which nothing says which they are are given as their numbers, else as one sign.
_NUMBERS, _UNKNOWN = pymupdf.TEXT_CID_FOR_UNKNOWN_UNICODE, "\ufffd"
# Without the clip MuPDF leaves out some pictures that fill the page.
_PAINT = pymupdf.TEXT_PRESERVE_IMAGES | pymupdf.TEXT_COLLECT_VECTORS | pymupdf.TEXT_MEDIABOX_CLIP
#: Types of the blocks that MuPDF's structured text gives beside text: pictures and vector graphics.
_PICTURE, _VECTOR = 1, 3
# Of MuPDF's fz_stext_char.flags; neither is set for text in render mode 3.
_FILLED, _STROKED, _BOLD = 16, 32, 8
_WHITE = 0xF0
#: Contrast (of 255) below which type is faint.
_FAINT = 127


def read_page(
    page: pymupdf.Page, fields: Sequence[Rect] = (), whole: Callable[[], pymupdf.Page] | None = None
) -> tuple[list[TextLine], list[Rect], Paint]:
    """Return the lines of a page in the order of the file, the rectangles of all blank spans, and the paint.

    `fields`: where fields lie that are filled in and that this page does not show; `whole` gives one that does.
    """
    # The page is interpreted once, and looked through twice: collected together, its blocks of text and of vectors
    # are counted by PyMuPDF's words and spans in different ways.
    drawing = page.get_displaylist()
    flags, textpage, found = TEXT, *_read(page, drawing, TEXT & ~_NUMBERS)
    if _has_unknown(found):
        # Letters of which nothing but the text that is read aloud says which they are.
        flags = TEXT & ~pymupdf.TEXT_IGNORE_ACTUALTEXT
        textpage, found = _read(page, drawing, flags)
    delimiters = _delimiters(found)
    words = textpage.extractWORDS(delimiters)
    lines, blank = _lines(found, words)
    with unmanaged_colours():
        blocks = _textpage(page, drawing, _PAINT).extractBLOCKS()
    paint, over = _paint(page, blocks), over_words(fields, words)
    # The text of an earlier recognition is not drawn, and nothing covers it.
    if may_be_covered(blocks, over) and any(span.visible for line in lines for span in line.spans):
        both = _textpage(page, drawing, flags | _PAINT)
        shown = whole() if whole else page
        lines = _marked(lines, covered_words(both.extractWORDS(delimiters), both.extractBLOCKS(), over, shown))
    return lines, blank, paint


def _read(page: pymupdf.Page, drawing: pymupdf.DisplayList, flags: int) -> tuple[pymupdf.TextPage, dict[str, Any]]:
    textpage = _textpage(page, drawing, flags)
    return textpage, textpage.extractDICT()


def _has_unknown(found: dict[str, Any]) -> bool:
    return any(_UNKNOWN in span["text"] for span in _all_spans(found))


def _all_spans(found: dict[str, Any]) -> Iterator[dict[str, Any]]:
    return (span for block in found["blocks"] for line in block.get("lines", ()) for span in line["spans"])


def lines_in(textpage: pymupdf.TextPage) -> tuple[list[TextLine], list[Rect]]:
    """Return the lines of structured text in the order of the file, and the rectangles of all blank spans."""
    found = textpage.extractDICT()
    return _lines(found, textpage.extractWORDS(_delimiters(found)))


def _lines(found: dict[str, Any], words: Sequence[Any]) -> tuple[list[TextLine], list[Rect]]:
    spans = _spans(found)
    lines = [
        TextLine(*spans[key], [word[:5] for word in of_line])
        for key, of_line in groupby(words, itemgetter(5, 6))
        if key in spans
    ]
    return lines, [span.rect for _, line in spans.values() for span in line if span.blank]


def _marked(lines: list[TextLine], covered: list[Covered]) -> list[TextLine]:
    """Return the lines with their covered words marked as such."""
    waiting: dict[tuple[Any, ...], list[Covered]] = {}
    for word in covered:
        waiting.setdefault(_key(word), []).append(word)
    marked = []
    for line in lines:
        of_line = {n: waiting[key].pop(0) for n, word in enumerate(line.words) if waiting.get(key := _key(word))}
        marked.append(line._replace(covered=of_line) if of_line else line)
    return marked


def _key(word: Sequence[Any]) -> tuple[Any, ...]:
    return word[4], round(word[0], 1), round(word[1], 1)


def _textpage(page: pymupdf.Page, drawing: pymupdf.DisplayList, flags: int) -> pymupdf.TextPage:
    """Return structured text in the unrotated page; a display list is of the page as it is displayed."""
    return page.get_textpage(flags=flags) if page.rotation else pymupdf.TextPage(drawing.get_textpage(flags))


def _paint(page: pymupdf.Page, blocks: Sequence[tuple[Any, ...]]) -> Paint:
    by_type: dict[int, list[Rect]] = {_PICTURE: [], _VECTOR: []}
    for x0, y0, x1, y1, _, _, kind in blocks:
        by_type.setdefault(kind, []).append((x0, y0, x1, y1))
    pictures = page.get_images(full=True)
    one_bit = any(picture[4] == 1 for picture in pictures)
    return Paint(by_type[_PICTURE], by_type[_VECTOR], one_bit or len(pictures) > len(by_type[_PICTURE]))


def _delimiters(page: dict[str, Any]) -> str | None:
    """What separates words where plain spaces do not: each delimiter is compared with every letter."""
    texts = (span["text"] for span in _all_spans(page))
    odd = {space for text in texts if not text.isascii() for space in _ODD_SPACE.findall(text)}
    return "".join(sorted(odd)) or None


def _spans(page: dict[str, Any]) -> dict[tuple[int, int], tuple[tuple[float, float], list[Span]]]:
    """Return direction and spans of each line by the numbers of its block and of the line in it."""
    return {
        (block["number"], number): (line["dir"], [_span(span) for span in line["spans"]])
        for block in page["blocks"]
        if block["type"] == 0
        for number, line in enumerate(block["lines"])
    }


def _span(span: dict[str, Any]) -> Span:
    flags, colour = span["char_flags"], span["color"]
    return Span(
        rect=span["bbox"],
        font=span["font"],
        size=round(span["size"], 2),
        bold=bool(flags & _BOLD or span["flags"] & pymupdf.TEXT_FONT_BOLD),
        visible=bool(flags & (_FILLED | _STROKED)) and span["alpha"] > 0,
        white=min(colour >> 16 & 255, colour >> 8 & 255, colour & 255) >= _WHITE,
        blank=not span["text"].strip(),
        faint=_is_faint(colour, span["alpha"]),
    )


def _is_faint(colour: int, alpha: int) -> bool:
    """Whether a colour (0xRRGGBB), seen through to white paper, is nearer to white than to black."""
    light = 0.299 * (colour >> 16 & 255) + 0.587 * (colour >> 8 & 255) + 0.114 * (colour & 255)
    return (255 - light) * alpha / 255 < _FAINT
