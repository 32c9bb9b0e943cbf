"""The text layer of a page: visible words with position and type, and what is hidden."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.characters import storable
from pipeline.mupdf.plain import PageParts, Span, TextLine
from pipeline.pages.geometry import Displayed, inside, turn_box
from pipeline.pages.overprint import Drawn, along, any_over_another, any_twice, once
from pipeline.pages.page_model import LETTER, Box, Source, Word
from pipeline.pages.reading_order import reading_order
from pipeline.pages.watermarks import watermarks

#: Joiners and direction marks, which are ignored.
_SILENT = re.compile("[\u200c-\u200f\u202a-\u202e\u2060-\u2064]")

#: Type of less points is not read by a person; the smallest print is twice as large.
_LEGIBLE = 2.0


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
    #: Boxes of words that are no content of the page: watermarks.
    aside: list[Box] = field(default_factory=list)
    #: Number of letters that are present but not drawn, or lie under a picture: the text layer of an earlier OCR.
    hidden_letters: int = 0
    #: Clockwise degrees by which most of the text must be turned to be read.
    turned: int = 0
    #: Words that something was painted over. Those of which something is seen are among `words` as well.
    covered: list[Word] = field(default_factory=list)


#: A word before its line has a number: its text, its box and its type.
_Place = tuple[str, Box, Span]


def read_text_layer(parts: PageParts) -> TextLayer:
    """Return the words of a page in reading order, each once; hidden ones and those off the page are left out."""
    displayed = Displayed(parts.shape)
    layer = TextLayer(blank=[displayed.box(rect) for rect in parts.blank])
    lines: list[tuple[int, list[_Place]]] = []
    aside = watermarks(parts.lines)
    again = any_over_another(parts.lines) or any_twice(parts.lines)
    drawn = Drawn(displayed.width, displayed.height) if again else None
    for number, line in enumerate(parts.lines):
        if number in aside:
            layer.aside += [displayed.box(word[:4]) for word in line.words]
            continue
        places = _places(layer, line, displayed, drawn)
        if places:
            lines.append((displayed.turned(line.direction), places))
    layer.turned = _turned(lines)
    _put_in_order(layer, lines)
    return layer


def _places(layer: TextLayer, line: TextLine, displayed: Displayed, drawn: Drawn | None) -> list[_Place]:
    """The visible words of one line, each once; the letters of the hidden ones are counted."""
    places: list[_Place] = []
    alone = line.spans[0] if len(line.spans) == 1 else None
    for n, (x0, y0, x1, y1, text) in enumerate(line.words):
        clean = (text if text.isascii() else _SILENT.sub("", unicodedata.normalize("NFKC", text))).strip()
        if not clean.isprintable():
            clean = storable(clean).strip()
        box = displayed.box((x0, y0, x1, y1))
        left, top, right, bottom = box
        if not clean or not (0 <= left + right <= 2 and 0 <= top + bottom <= 2):
            continue
        span = alone or _span_at(box, line.spans, displayed)
        if span.size < _LEGIBLE and _is_speck(line.words[n], len(clean), span, displayed):
            continue
        if not span.visible:
            layer.hidden_letters += len(clean)
            continue
        if line.covered and (covered := line.covered.get(n)):
            layer.covered.append(Word(clean, inside(box), 1.0, Source.TEXT_LAYER, 0, span.size, span.bold))
            layer.hidden_letters += len(clean) if covered.by_picture and not covered.partly else 0
            if not covered.partly:
                continue
        if drawn is not None:
            clean = once(clean, along(line, line.words[n]), span.size)
            if drawn.is_again(clean, left, top, span.size):
                continue
        on_page = 0.0 <= left <= right <= 1.0 and 0.0 <= top <= bottom <= 1.0
        places.append((clean, box if on_page else inside(box), span))
    return places


def _is_speck(word: Sequence[Any], letters: int, span: Span, displayed: Displayed) -> bool:
    """Whether a word of so small a font is too small to be read, as it is printed and on a page scaled to a letter
    page.

    Fonts may have any size: what their letters take is measured as well.
    """
    larger = max(LETTER[1] / max(displayed.width, displayed.height), 1.0)
    x0, y0, x1, y1 = word[:4]
    return span.size * larger < _LEGIBLE and max(x1 - x0, y1 - y0) / letters * larger < _LEGIBLE


def _turned(lines: Iterable[tuple[int, list[_Place]]]) -> int:
    """Return the clockwise degrees by which most letters must be turned to be read."""
    letters: Counter[int] = Counter()
    for turned, places in lines:
        letters[turned] += sum(len(text) for text, _, _ in places)
    return letters.most_common(1)[0][0] if letters else 0


def _span_at(box: Box, spans: Sequence[Span], displayed: Displayed) -> Span:
    """The span of the line that holds the word's middle, or lies next to it."""
    return min(spans, key=lambda span: _distance(box, displayed.box(span.rect)))


def _distance(box: Box, span: Box) -> float:
    dx = max(span.x0 - box.cx, box.cx - span.x1, 0.0)
    dy = max(span.y0 - box.cy, box.cy - span.y1, 0.0)
    return dx + dy


def _put_in_order(layer: TextLayer, lines: list[tuple[int, list[_Place]]]) -> None:
    order, source = reading_order([_around(places) for _, places in lines]), Source.TEXT_LAYER
    for number, index in enumerate(order):
        for text, box, (_, font, size, bold, _, white, *_) in _along(*lines[index]):
            layer.words.append(Word(text, box, 1.0, source, number, size, bold))
            layer.fonts.append(font)
            if white:
                layer.white.append(box)


def _around(words: list[_Place]) -> Box:
    x0s, y0s, x1s, y1s = zip(*[box for _, box, _ in words], strict=True)
    return Box(min(x0s), min(y0s), max(x1s), max(y1s))


def _along(turned: int, words: list[_Place]) -> list[_Place]:
    """The words of a line in the direction that it runs in."""
    if turned == 0:
        return sorted(words, key=lambda word: word[1][0])
    return sorted(words, key=lambda word: turn_box(word[1], turned).x0)
