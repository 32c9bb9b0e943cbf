"""The text layer of a page: visible words with position and type, and what is hidden."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import pymupdf

from pipeline.pages.display_list import DisplayList
from pipeline.pages.geometry import Displayed, inside, turn_box
from pipeline.pages.page_model import Box, Source, Word
from pipeline.pages.reading_order import reading_order

#: What separates words beside the blank: no-break, typographic and zero-width spaces.
_ODD_SPACE = re.compile(
    "[\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u202f\u205f\u3000\ufeff]"
)
#: Joiners and direction marks, which are ignored.
_SILENT = re.compile("[\u200c-\u200f\u202a-\u202e\u2060-\u2064]")
_FLAGS = pymupdf.TEXTFLAGS_WORDS & ~pymupdf.TEXT_PRESERVE_LIGATURES
# Of MuPDF's fz_stext_char.flags; neither is set for text in render mode 3.
_FILLED, _STROKED, _BOLD = 16, 32, 8
_WHITE = 0xF0


@dataclass(slots=True)
class TextLayer:
    """A page's text layer, before it is checked."""

    words: list[Word] = field(default_factory=list)
    #: Name of the font of each word.
    fonts: list[str] = field(default_factory=list)
    #: Boxes of words in nearly white type; visible only on a dark ground.
    white: list[Box] = field(default_factory=list)
    #: Boxes of runs of spaces.
    blank: list[Box] = field(default_factory=list)
    #: Number of letters that are present but not drawn: the text layer of an earlier OCR.
    hidden_letters: int = 0
    #: Clockwise degrees by which most of the text must be turned to be read.
    turned: int = 0


class _Span(NamedTuple):
    box: Box
    font: str
    size: float
    bold: bool
    visible: bool
    white: bool
    turned: int
    #: Whether it is nothing but spaces, which may stand for letters that a font draws.
    blank: bool


class _Place(NamedTuple):
    """A word before its line has a number."""

    text: str
    box: Box
    span: _Span


def read_text_layer(page: pymupdf.Page, drawing: DisplayList | None = None) -> TextLayer:
    """Return the words of a page in reading order; hidden ones and those off the page are left out.

    `drawing` is the page's display list, if it was made already.
    """
    textpage = (drawing or DisplayList(page)).textpage(_FLAGS)
    displayed = Displayed.of(page)
    found = textpage.extractDICT()
    spans = _spans(found, displayed)
    layer = TextLayer()
    layer.blank = [s.box for line in spans.values() for s in line if s.blank]
    lines = []
    for key, words in groupby(textpage.extractWORDS(_delimiters(found)), itemgetter(5, 6)):
        if line := _places(layer, words, spans.get(key, ()), displayed):
            lines.append(line)
    if any(span.turned for line in spans.values() for span in line):
        layer.turned = _turned(place for line in lines for place in line)
    _put_in_order(layer, lines)
    return layer


def _delimiters(page: dict[str, Any]) -> str | None:
    """What separates words where plain spaces do not: each delimiter is compared with every letter."""
    texts = (span["text"] for block in page["blocks"] for line in block.get("lines", ()) for span in line["spans"])
    odd = {space for text in texts if not text.isascii() for space in _ODD_SPACE.findall(text)}
    return "".join(sorted(odd)) or None


def _places(
    layer: TextLayer, words: Iterable[tuple[Any, ...]], spans: Sequence[_Span], displayed: Displayed
) -> list[_Place]:
    """The visible words of one line; the letters of the hidden ones are counted."""
    line: list[_Place] = []
    if not spans:
        return line
    alone = spans[0] if len(spans) == 1 else None
    for x0, y0, x1, y1, text, _, _, _ in words:
        clean = (text if text.isascii() else _SILENT.sub("", unicodedata.normalize("NFKC", text))).strip()
        box = displayed.box((x0, y0, x1, y1))
        left, top, right, bottom = box
        if not clean or not (0 <= left + right <= 2 and 0 <= top + bottom <= 2):
            continue
        span = alone or _span_at(box, spans)
        if span.visible:
            line.append(_Place(clean, inside(box), span))
        else:
            layer.hidden_letters += len(clean)
    return line


def _turned(places: Iterable[_Place]) -> int:
    """Return the clockwise degrees by which most letters must be turned to be read."""
    letters: Counter[int] = Counter()
    for place in places:
        letters[place.span.turned] += len(place.text)
    return letters.most_common(1)[0][0] if letters else 0


def _spans(page: dict[str, Any], displayed: Displayed) -> dict[tuple[int, int], list[_Span]]:
    return {
        (block["number"], number): [_span(span, displayed, line["dir"]) for span in line["spans"]]
        for block in page["blocks"]
        if block["type"] == 0
        for number, line in enumerate(block["lines"])
    }


def _span(span: dict[str, Any], displayed: Displayed, direction: Sequence[float]) -> _Span:
    flags, colour = span["char_flags"], span["color"]
    return _Span(
        box=displayed.box(span["bbox"]),
        font=span["font"],
        size=round(span["size"], 2),
        bold=bool(flags & _BOLD or span["flags"] & pymupdf.TEXT_FONT_BOLD),
        visible=bool(flags & (_FILLED | _STROKED)) and span["alpha"] > 0,
        white=min(colour >> 16 & 255, colour >> 8 & 255, colour & 255) >= _WHITE,
        turned=displayed.turned(direction),
        blank=not span["text"].strip(),
    )


def _span_at(box: Box, spans: Sequence[_Span]) -> _Span:
    """The span of the line that holds the word's middle, or lies next to it."""
    return min(spans, key=lambda span: _distance(box, span.box))


def _distance(box: Box, span: Box) -> float:
    dx = max(span.x0 - box.cx, box.cx - span.x1, 0.0)
    dy = max(span.y0 - box.cy, box.cy - span.y1, 0.0)
    return dx + dy


def _put_in_order(layer: TextLayer, lines: list[list[_Place]]) -> None:
    order, source = reading_order([_around(words) for words in lines]), Source.TEXT_LAYER
    for number, index in enumerate(order):
        for text, box, span in _along(lines[index]):
            layer.words.append(Word(text, box, 1.0, source, number, span.size, span.bold))
            layer.fonts.append(span.font)
            if span.white:
                layer.white.append(box)


def _around(words: list[_Place]) -> Box:
    x0s, y0s, x1s, y1s = zip(*[box for _, box, _ in words], strict=True)
    return Box(min(x0s), min(y0s), max(x1s), max(y1s))


def _along(words: list[_Place]) -> list[_Place]:
    """The words of a line in the direction that it runs in."""
    turned = words[0].span.turned
    if turned == 0:
        return sorted(words, key=lambda word: word.box.x0)
    return sorted(words, key=lambda word: turn_box(word.box, turned).x0)
