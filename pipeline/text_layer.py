"""The text that a page carries: words with their place, type and whether anybody can see them."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pymupdf

from pipeline.geometry import Displayed, inside, turn_box
from pipeline.page_model import Box, Source, Word
from pipeline.reading_order import reading_order

#: What separates words beside the blank: no-break, typographic and zero-width spaces.
_SPACES = (
    "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u202f\u205f\u3000\ufeff"
)
#: Joiners and marks of direction: they part nothing and say nothing.
_SILENT = re.compile("[\u200c-\u200f\u202a-\u202e\u2060-\u2064]")
_FLAGS = pymupdf.TEXTFLAGS_WORDS & ~pymupdf.TEXT_PRESERVE_LIGATURES
# Of MuPDF's fz_stext_char.flags; neither is set for text in render mode 3.
_FILLED, _STROKED, _BOLD = 16, 32, 8
_WHITE = 0xF0


@dataclass(slots=True)
class TextLayer:
    """A page's text, before anyone believes it."""

    words: list[Word] = field(default_factory=list)
    #: Name of the font of each word.
    fonts: list[str] = field(default_factory=list)
    #: Boxes of words in nearly white type; visible only on a dark ground.
    white: list[Box] = field(default_factory=list)
    #: Letters that are there but drawn by nobody: the text layer of somebody's OCR.
    hidden_letters: int = 0
    #: Clockwise degrees by which most of the text must be turned to be read.
    turned: int = 0


@dataclass(frozen=True, slots=True)
class _Span:
    box: Box
    font: str
    size: float
    bold: bool
    visible: bool
    white: bool
    turned: int


def read_text_layer(page: pymupdf.Page) -> TextLayer:
    """Return the words of a page in reading order; hidden ones and those off the page are left out."""
    textpage = page.get_textpage(flags=_FLAGS)
    displayed = Displayed.of(page)
    spans = _spans(page.get_text("dict", textpage=textpage), displayed)
    layer = TextLayer()
    lines: dict[tuple[int, int], list[tuple[Word, _Span]]] = {}
    turns: Counter[int] = Counter()
    for x0, y0, x1, y1, text, block, line, _ in page.get_text("words", textpage=textpage, delimiters=_SPACES):
        box = displayed.box((x0, y0, x1, y1))
        span = _span_at(box, spans.get((block, line), ()))
        clean = _SILENT.sub("", unicodedata.normalize("NFKC", text)).strip()
        if not clean or span is None or not (0 <= box.cx <= 1 and 0 <= box.cy <= 1):
            continue
        if not span.visible:
            layer.hidden_letters += len(clean)
            continue
        turns[span.turned] += len(clean)
        word = Word(clean, inside(box), 1.0, Source.TEXT_LAYER, 0, span.size, span.bold)
        lines.setdefault((block, line), []).append((word, span))
    layer.turned = turns.most_common(1)[0][0] if turns else 0
    _put_in_order(layer, list(lines.values()))
    return layer


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
    )


def _span_at(box: Box, spans: Sequence[_Span]) -> _Span | None:
    """The span of the line that holds the word's middle, or lies next to it."""
    if len(spans) == 1:
        return spans[0]
    return min(spans, key=lambda span: _distance(box, span.box), default=None)


def _distance(box: Box, span: Box) -> float:
    dx = max(span.x0 - box.cx, box.cx - span.x1, 0.0)
    dy = max(span.y0 - box.cy, box.cy - span.y1, 0.0)
    return dx + dy


def _put_in_order(layer: TextLayer, lines: list[list[tuple[Word, _Span]]]) -> None:
    order = reading_order([_around(words) for words in lines])
    for number, index in enumerate(order):
        for word, span in _along(lines[index]):
            layer.words.append(replace(word, line=number))
            layer.fonts.append(span.font)
            if span.white:
                layer.white.append(word.box)


def _around(words: list[tuple[Word, _Span]]) -> Box:
    box = words[0][0].box
    for word, _ in words[1:]:
        box = box.union(word.box)
    return box


def _along(words: list[tuple[Word, _Span]]) -> Iterator[tuple[Word, _Span]]:
    """The words of a line in the direction that it runs in."""
    turned = words[0][1].turned
    return iter(sorted(words, key=lambda pair: turn_box(pair[0].box, turned).x0))
