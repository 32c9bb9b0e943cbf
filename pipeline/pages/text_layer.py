"""The text layer of a page: visible words with position and type, without hidden, doubled and watermark text."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Any

from core.plain_data import storable
from pipeline.mupdf.page_data import PageParts, Paint, Rect, Span, TextLine
from pipeline.pages.page_model import LETTER, Box, Displayed, Note, Source, Word, inside, reading_order, turn_box

# The texts of annotations on a page, with their words in reading order.


#: First line number of notes; no page has as many lines.
_FIRST_LINE = 10_000


def notes_of(parts: PageParts) -> list[Note]:
    notes: list[Note] = []
    displayed, first_line = Displayed(parts.shape), _FIRST_LINE
    for note in parts.notes:
        written = PageParts(parts.shape, [], note.lines, [], Paint([], [], more=False))
        words = [word._replace(line=word.line + first_line) for word in read_text_layer(written).words]
        first_line += len(note.lines)
        notes.append(Note(words, inside(displayed.box(note.rect)), note.may_fill))
    return notes


def typed_in(layer: TextLayer, notes: list[Note]) -> TextLayer:
    """Return the text layer of a page; if it has no words, with those of its text boxes."""
    words = [] if layer.words else [word for note in notes if note.may_fill for word in note.words]
    return replace(layer, words=words, fonts=[""] * len(words)) if words else layer


# The text layer of a page: visible words with position and type, and what is hidden.


#: Joiners and direction marks, which are ignored.
_SILENT = re.compile("[\u200c-\u200f\u202a-\u202e\u2060-\u2064]")

#: Least size (points) of type that people can read; the smallest print is twice as large.
_LEGIBLE = 2.0


@dataclass(slots=True)
class TextLayer:
    """A page's text layer before it is checked."""

    words: list[Word] = field(default_factory=list)
    fonts: list[str] = field(default_factory=list)
    #: Boxes of words in nearly white type, which is visible only on a dark ground.
    white: list[Box] = field(default_factory=list)
    #: Boxes of runs of spaces.
    blank: list[Box] = field(default_factory=list)
    #: Boxes of words that are not content: watermarks.
    aside: list[Box] = field(default_factory=list)
    #: Number of letters that are present but not drawn, or lie under a picture: the text layer of an earlier OCR.
    hidden_letters: int = 0
    #: Clockwise degrees by which most of the text must be turned to be read.
    turned: int = 0
    #: Words that were painted over. Partly visible ones are also in `words`.
    covered: list[Word] = field(default_factory=list)


#: A word before its line has a number: its text, its box and its type.
_Place = tuple[str, Box, Span]


def read_text_layer(parts: PageParts) -> TextLayer:
    """Return the words of a page in reading order, each once, without hidden ones and those off the page."""
    displayed = Displayed(parts.shape)
    layer = TextLayer(blank=[displayed.box(rect) for rect in parts.blank])
    lines: list[tuple[int, list[_Place]]] = []
    aside = watermarks(parts.lines)
    again = any_over_another(parts.lines) or any_twice(parts.lines)
    drawn = WordsSeen(displayed.width, displayed.height) if again else None
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


def _places(layer: TextLayer, line: TextLine, displayed: Displayed, drawn: WordsSeen | None) -> list[_Place]:
    """Return the visible words of one line, each once; count the letters of the hidden ones."""
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
    """Whether a word in a small font is too small to be read, in print and on a page scaled to a letter page.

    The stated size of a font may be wrong, so the space that its letters take is measured as well.
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
    """Return the span of the line that contains the word's middle, or is next to it."""
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
    """Return the words of a line in its direction."""
    if turned == 0:
        return sorted(words, key=lambda word: word[1][0])
    return sorted(words, key=lambda word: turn_box(word[1], turned).x0)


# Words that are drawn twice at nearly the same place, to look bold or to have a shadow. Pure.


#: Greatest distance of copies, as a share of the type's size; separate words are never so near.
_APART = 0.2
#: Greatest distance (points) of copies, however large the type is.
_MOST_APART = 6.0
#: Greatest vertical distance of a line drawn over another, as a share of its height.
_OVER = 0.5
#: Narrow and wide letters, widths in sizes of the type, and the greatest share of a text's width in its half.
_THIN, _BROAD = frozenset("iIíljtfr.,:;'!|1-()[]"), frozenset("mwMW@%")
_NARROW, _USUAL, _WIDE = 0.28, 0.55, 0.85
_HALF_WIDE = 0.66
#: Least different words of a page that read so: in a narrow face a single word ("papa") may.
_LEAST_TWICE = 2
#: Most pairs of lines of a page that are compared; with more, copies are assumed.
_MOST_PAIRS = 5_000


def any_over_another(lines: Sequence[TextLine]) -> bool:
    """Whether a line of a page is drawn over another one. Type that is drawn again begins a new line."""
    boxes = sorted(_box(line) for line in lines)
    pairs = 0
    for n, (top, left, bottom, right) in enumerate(boxes):
        for above in range(n - 1, -1, -1):
            other_top, other_left, _, other_right = boxes[above]
            if top - other_top > _OVER * (bottom - top):
                break
            pairs += 1
            if (left < other_right and other_left < right) or pairs > _MOST_PAIRS:
                return True
    return False


def _box(line: TextLine) -> tuple[float, float, float, float]:
    """Return top, left, bottom and right of a line, from its first word to its last one."""
    (x0, y0, x1, y1, _), (x2, y2, x3, y3, _) = line.words[0], line.words[-1]
    return min(y0, y2), min(x0, x2), max(y1, y3), max(x1, x3)


def any_twice(lines: Sequence[TextLine]) -> bool:
    """Whether words of a page read as if they were drawn twice in succession, see `once`."""
    found: set[str] = set()
    for line in lines:
        for word in line.words:
            text = word[4]
            # Hardly any word consists of two equal halves, so hardly any is measured.
            if _half(text) and once(text, along(line, word), line.spans[0].size) != text:
                found.add(text)
    return len(found) >= _LEAST_TWICE


def along(line: TextLine, word: tuple[float, float, float, float, str]) -> float:
    """Return the length of a word in the direction of its line, in points."""
    x0, y0, x1, y1, _ = word
    return x1 - x0 if abs(line.direction[0]) >= abs(line.direction[1]) else y1 - y0


def once(text: str, width: float, size: float) -> str:
    """Return the word that was drawn if a text is a short word drawn twice, which reads as "inin" or "iinn".

    It is if its width is only that of half its letters. `width` and `size` (of the type) in points.
    """
    half = _half(text)
    return half if half and width <= _HALF_WIDE * _usual_width(text) * size else text


def _half(text: str) -> str:
    """Return the half of a text that repeats itself, entirely ("inin") or by letters ("iinn"), else ""."""
    middle, odd = divmod(len(text), 2)
    if odd or not text or text[0] not in (text[1], text[middle]):
        return ""
    if text[:middle] == text[middle:]:
        return text[:middle]
    return text[::2] if text[::2] == text[1::2] else ""


def _usual_width(text: str) -> float:
    """Return the approximate width of a text in a usual face, in sizes of its type."""
    return sum(_NARROW if c in _THIN else _WIDE if c in _BROAD else _USUAL for c in text)


class WordsSeen:
    """The words of a page that were seen so far."""

    def __init__(self, width: float, height: float) -> None:
        """Width and height of the page in points."""
        self._width, self._height = width, height
        #: Starting points of the words, in points, by text and by row of the page.
        self._places: dict[str, dict[int, list[tuple[float, float]]]] = {}

    def is_again(self, text: str, left: float, top: float, size: float) -> bool:
        """Whether the word was seen at nearly this place, given as 0-1 of the page; `size` in points."""
        x, y = left * self._width, top * self._height
        row = int(y // _MOST_APART)
        rows = self._places.get(text)
        if rows is None:
            self._places[text] = {row: [(x, y)]}
            return False
        apart = min(_APART * size, _MOST_APART)
        for near in (row - 1, row, row + 1):
            for x0, y0 in rows.get(near, ()):
                if abs(x - x0) < apart and abs(y - y0) < apart:
                    return True
        rows.setdefault(row, []).append((x, y))
        return False


# Watermarks in the text layer: words across the page about the copy, not part of its content.
#
# Slanted text is a watermark if it is faint, larger than the page's type, or repeated; level text if it is faint
# and either large beneath other words or repeated over the page.


#: Least degrees between slanted text and the page's lines and columns.
_ASLANT = 5.0
#: Multiples of the page's type size that are large, and huge.
_LARGE, _HUGE = 1.5, 2.0
#: With this share of the letters, the lines along the page's edges are the page's own.
_SOME = 0.2
#: Least repetitions of a text, slanted and level.
_TWICE, _TILED = 2, 3
#: Most words of a watermark.
_MOST_WORDS = 6


def watermarks(lines: Sequence[TextLine]) -> set[int]:
    """Return the indices of the lines that are watermarks."""
    aslant = [n for n, line in enumerate(lines) if line.direction not in _STRAIGHT]
    faint = [n for n, line in enumerate(lines) if _is_faint(line)]
    if not aslant and not faint:
        return set()
    usual = _usual_direction(lines)
    size = _usual_size(lines)
    found = _slanted([n for n in aslant if _off(lines[n].direction, usual) > _ASLANT], lines, size)
    return found | _level([n for n in faint if n not in found], lines, size)


#: Directions of most lines; only others are examined.
_STRAIGHT = ((1.0, 0.0), (0.0, 1.0), (0.0, -1.0), (-1.0, 0.0))


def _is_faint(line: TextLine) -> bool:
    return all(span.faint for span in line.spans if not span.blank)


def _degrees(direction: tuple[float, float]) -> float:
    return math.degrees(math.atan2(direction[1], direction[0]))


def _usual_direction(lines: Sequence[TextLine]) -> float:
    """Return the direction (degrees) of the page's own lines: along its edges, unless nearly all differ.

    Repeated texts count once: tiles may have more letters than the page.
    """
    letters: Counter[int] = Counter()
    for text, degrees in {(_text_of(line), round(_degrees(line.direction))) for line in lines}:
        along = abs((degrees + 45.0) % 90.0 - 45.0) <= _ASLANT
        letters[0 if along else degrees] += len(text)
    usual, most = letters.most_common(1)[0]
    tiled = Counter(_text_of(line) for line in lines).most_common(1)[0][1] > len(lines) / 3
    return 0.0 if tiled or letters[0] >= _SOME * most else float(usual)


def _off(direction: tuple[float, float], usual: float) -> float:
    """Return the angle (degrees, 0-45) between a direction and the nearest of the page's lines and columns."""
    return abs((_degrees(direction) - usual + 45.0) % 90.0 - 45.0)


def _size(line: TextLine) -> float:
    return max(span.size for span in line.spans)


def _usual_size(lines: Sequence[TextLine]) -> float:
    sizes = [
        _size(line) for line in lines if not _is_faint(line) and line.direction in _STRAIGHT for _ in line.words
    ]
    return median(sizes) if sizes else 0.0


def _text_of(line: TextLine) -> str:
    return "".join(c for word in line.words for c in word[4].casefold() if c.isalnum())


def _slanted(aslant: Sequence[int], lines: Sequence[TextLine], usual: float) -> set[int]:
    """Return the slanted lines in a watermark's type, including tiles that are cut at the page's edges."""
    kinds: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number in aslant:
        kinds[round(_degrees(lines[number].direction)), round(_size(lines[number]))].append(number)
    found: set[int] = set()
    for numbers in kinds.values():
        texts = Counter(_text_of(lines[number]) for number in numbers)
        repeated = max(texts.values()) >= _TWICE
        large = usual == 0.0 or _size(lines[numbers[0]]) >= _LARGE * usual
        short = all(len(lines[number].words) <= _MOST_WORDS for number in numbers)
        if repeated or all(_is_faint(lines[number]) for number in numbers) or (large and short):
            found.update(numbers)
    return found


def _level(faint: Sequence[int], lines: Sequence[TextLine], usual: float) -> set[int]:
    """Return the faint lines that are repeated all over the page, or are large and beneath other words."""
    texts = Counter(text for number in faint if len(text := _text_of(lines[number])) > 1)
    strong = [line for line in lines if not _is_faint(line)]
    return {
        number
        for number in faint
        if texts[_text_of(lines[number])] >= _TILED
        or (
            usual > 0.0
            and _size(lines[number]) >= _HUGE * usual
            and len(lines[number].words) <= _MOST_WORDS
            and _lies_beneath(lines[number], strong)
        )
    }


def _lies_beneath(line: TextLine, others: Sequence[TextLine]) -> bool:
    boxes = [word[:4] for word in line.words]
    return any(_meet(box, word[:4]) for other in others for word in other.words for box in boxes)


def _meet(a: Rect, b: Rect) -> bool:
    return min(a[2], b[2]) > max(a[0], b[0]) and min(a[3], b[3]) > max(a[1], b[1])
