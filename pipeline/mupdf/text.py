"""The lines of a page with their words, and words that were painted over."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum, auto
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.confined.mupdf import pymupdf
from pipeline.mupdf.library import unmanaged_colours
from pipeline.mupdf.page_data import Covered, Paint, Rect, Span, TextLine

#: Separators of words besides the blank: no-break, typographic and zero-width spaces.
_ODD_SPACE = re.compile(
    "[\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u202f\u205f\u3000\ufeff]"
)
#: Flags of structured text. The drawn text counts, not its ActualText (PDF 32000-1, 14.9.4).
TEXT = pymupdf.TEXTFLAGS_WORDS & ~pymupdf.TEXT_PRESERVE_LIGATURES | pymupdf.TEXT_IGNORE_ACTUALTEXT
#: The flag that gives letters without Unicode as their numbers, and the sign for them without the flag.
_NUMBERS, _UNKNOWN = pymupdf.TEXT_CID_FOR_UNKNOWN_UNICODE, "\ufffd"
# Without the clip MuPDF leaves out some pictures that fill the page.
_PAINT = pymupdf.TEXT_PRESERVE_IMAGES | pymupdf.TEXT_COLLECT_VECTORS | pymupdf.TEXT_MEDIABOX_CLIP
#: Types of MuPDF's structured-text blocks besides text: pictures and vector graphics.
_PICTURE, _VECTOR = 1, 3
# Of MuPDF's fz_stext_char.flags; neither is set for text in render mode 3.
_FILLED, _STROKED, _BOLD = 16, 32, 8
_WHITE = 0xF0
#: Contrast (of 255) below which type is faint.
_FAINT = 127


def read_text_lines(
    page: pymupdf.Page, fields: Sequence[Rect] = (), whole: Callable[[], pymupdf.Page] | None = None
) -> tuple[list[TextLine], list[Rect], Paint]:
    """Return the lines of a page in the order of the file, the rectangles of all blank spans, and the paint.

    `fields`: places of filled fields that this page does not show; `whole` returns the page with them.
    """
    # Interpret the page once but collect twice: with vectors included, PyMuPDF's words and spans would number the
    # blocks differently.
    drawing = page.get_displaylist()
    flags, textpage, found = TEXT, *_read(page, drawing, TEXT & ~_NUMBERS)
    if any(_UNKNOWN in span["text"] for span in _all_spans(found)):
        # Letters that only ActualText names.
        flags = TEXT & ~pymupdf.TEXT_IGNORE_ACTUALTEXT
        textpage, found = _read(page, drawing, flags)
    delimiters = _delimiters(found)
    words = textpage.extractWORDS(delimiters)
    lines, blank = _lines(found, words)
    with unmanaged_colours():
        blocks = _textpage(page, drawing, _PAINT).extractBLOCKS()
    paint, over = _paint(page, blocks), over_words(fields, words)
    # The invisible text of an earlier recognition is not covered by anything.
    if _later_paints(blocks, over) and any(span.visible for line in lines for span in line.spans):
        both = _textpage(page, drawing, flags | _PAINT)
        shown = whole() if whole else page
        lines = _marked(lines, covered_words(both.extractWORDS(delimiters), both.extractBLOCKS(), over, shown))
    return lines, blank, paint


def _read(page: pymupdf.Page, drawing: pymupdf.DisplayList, flags: int) -> tuple[pymupdf.TextPage, dict[str, Any]]:
    textpage = _textpage(page, drawing, flags)
    return textpage, textpage.extractDICT()


def _all_spans(found: dict[str, Any]) -> Iterator[dict[str, Any]]:
    return (span for block in found["blocks"] for line in block.get("lines", ()) for span in line["spans"])


def structured_lines(textpage: pymupdf.TextPage) -> tuple[list[TextLine], list[Rect]]:
    """Return the lines of structured text in the order of the file, and the rectangles of all blank spans."""
    found = textpage.extractDICT()
    return _lines(found, textpage.extractWORDS(_delimiters(found)))


def _lines(found: dict[str, Any], words: Sequence[Any]) -> tuple[list[TextLine], list[Rect]]:
    spans = {
        (block["number"], number): (line["dir"], [_span(span) for span in line["spans"]])
        for block in found["blocks"]
        if block["type"] == 0
        for number, line in enumerate(block["lines"])
    }
    lines = [
        TextLine(*spans[key], [word[:5] for word in of_line])
        for key, of_line in groupby(words, itemgetter(5, 6))
        if key in spans
    ]
    return lines, [span.rect for _, line in spans.values() for span in line if span.blank]


def _marked(lines: list[TextLine], covered: list[Covered]) -> list[TextLine]:
    """Return the lines with their covered words marked."""
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
    """Return structured text of the unrotated page; the display list is of the displayed page."""
    return page.get_textpage(flags=flags) if page.rotation else pymupdf.TextPage(drawing.get_textpage(flags))


def _paint(page: pymupdf.Page, blocks: Sequence[tuple[Any, ...]]) -> Paint:
    by_type: dict[int, list[Rect]] = {_PICTURE: [], _VECTOR: []}
    for x0, y0, x1, y1, _, _, kind in blocks:
        by_type.setdefault(kind, []).append((x0, y0, x1, y1))
    pictures = page.get_images(full=True)
    one_bit = any(picture[4] == 1 for picture in pictures)
    return Paint(by_type[_PICTURE], by_type[_VECTOR], one_bit or len(pictures) > len(by_type[_PICTURE]))


def _delimiters(page: dict[str, Any]) -> str | None:
    """Return the page's separators besides plain spaces: each delimiter is compared with every letter."""
    texts = (span["text"] for span in _all_spans(page))
    odd = {space for text in texts if not text.isascii() for space in _ODD_SPACE.findall(text)}
    return "".join(sorted(odd)) or None


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
    """Whether a colour (0xRRGGBB) with this opacity on white paper is nearer to white than to black."""
    light = 0.299 * (colour >> 16 & 255) + 0.587 * (colour >> 8 & 255) + 0.114 * (colour & 255)
    return (255 - light) * alpha / 255 < _FAINT


# Words of a page's text that were painted over later, so that nobody sees them.
#
# The order of the file shows what was painted later. To find out whether it hides a word, the page is drawn with
# and without its text: hidden text makes no difference.


_mupdf = pymupdf.mupdf
#: x0, y0, x1, y1, text, and numbers that are not used here.
Word = tuple[Any, ...]
#: x0, y0, x1, y1, text, number, type, as PyMuPDF gives the blocks of a page.
Block = tuple[Any, ...]
_TEXT_BLOCK, _PICTURE_BLOCK, _VECTOR_BLOCK = 0, 1, 3
#: Paint that is thinner than this (points) underlines text or strikes it through.
_THIN = 1.5
#: Strokes in a color this light (three channels) may hide text; lines and frames are darker.
_LIGHT = re.compile(r"vector stroked, color: #(?:[ef][0-9a-f]){3}")
#: Least share of a word's box that paint covers to hide some of it, and to hide it under another word.
_TOUCHED, _BURIED = 0.15, 0.6
#: Least share of a word's box within a field that covers it: labels extend into their fields.
_UNDER = 0.5
#: Square points up to which a picture between two texts is a patch rather than a watermark.
_PATCH = 40_000.0
#: Least share of the smaller of two boxes if one word is written over the other.
_OVER = 0.3
#: Pairs of text and paint that are compared at once.
_MOST_PAIRS = 4_000_000
#: Longest side of the drawings in pixels; pixels a point at most.
_LONGEST, _SCALE = 1_600, 1.5
#: Least contrast (shades) of visible text, and the same as a share of its contrast with white.
_CONTRAST, _FAINT_SHARE = 24, 0.25
#: Visible share of a word's ink: at most for a hidden word, and at least for a fully visible one.
_HIDDEN, _SEEN = 0.15, 0.6
#: Least visible share of the ink of two overlapping words if both are visible.
_ALL = 0.85

Grey = NDArray[np.int16]
Boxes = NDArray[np.float64]


class _Paint(NamedTuple):
    """Something painted: its place and its order."""

    rect: Rect
    order: int
    picture: bool
    #: Whether it is opaque: shapes in plain color, and pictures as small as a patch.
    solid: bool


def over_words(fields: Sequence[Rect], words: Sequence[Word]) -> list[Rect]:
    """Return the places of the fields that cover words of the page; fields are drawn after the page."""
    lettered = [word for word in words if any(char.isalnum() for char in word[4])] if fields else []
    if not lettered:
        return []
    under = (_shares(_boxes(lettered), _boxes(fields)) >= _UNDER).any(axis=0)
    return [fields[int(n)] for n in np.flatnonzero(under)]


def covered_words(
    words: Sequence[Word], blocks: Sequence[Block], over: Sequence[Rect], page: pymupdf.Page
) -> list[Covered]:
    """Return the words that are hidden or partly so.

    `words` and `blocks` are in the order of the file. `over`: places of fields that are not among the blocks and
    are painted last. `page` shows its fields.
    """
    paints = _later_paints(blocks, over)
    if not paints or not words:
        return []
    views, orders, boxes = Views(page), _orders(words, blocks), _boxes(words)
    covers, painted = _boxes([paint.rect for paint in paints]), np.array([paint.order for paint in paints])
    found = []
    for part in _parts(len(words), len(paints)):
        shares = _shares(boxes[part], covers)
        # Earlier paint hides nothing.
        shares[orders[part, None] > painted[None, :]] = 0.0
        for row in map(int, np.flatnonzero(shares.sum(axis=1) >= _TOUCHED)):
            at, share = part.start + row, shares[row]
            if not any(char.isalnum() for char in words[at][4]):
                continue
            buried = share >= _BURIED
            covered_up = bool(buried.any()) and _is_written_over(boxes, at, orders > painted[buried].min())
            if covered_up and any(paints[int(n)].solid for n in np.flatnonzero(buried)):
                state: _State | None = _State.HIDDEN
            else:
                state = _state(views, words[at], covered_up)
            if state is not None:
                by_picture = any(paints[int(n)].picture for n in np.flatnonzero(share))
                x0, y0, x1, y1, text = words[at][:5]
                found.append(Covered(x0, y0, x1, y1, text, state is _State.PARTLY, by_picture))
    return found


def _later_paints(blocks: Sequence[Block], over: Sequence[Rect]) -> list[_Paint]:
    """Return the paint that comes after some text that it covers."""
    texts = [(n, block[:4]) for n, block in enumerate(blocks) if block[6] == _TEXT_BLOCK]
    paints = [
        _Paint(block[:4], n, block[6] == _PICTURE_BLOCK, _is_solid(block))
        for n, block in enumerate(blocks)
        if block[6] in (_PICTURE_BLOCK, _VECTOR_BLOCK) and _covers(block)
    ]
    paints += [_Paint(rect, len(blocks), picture=False, solid=False) for rect in over]
    if not texts or not paints:
        return []
    written, begun = _boxes([rect for _, rect in texts]), np.array([n for n, _ in texts])
    covers, painted = _boxes([paint.rect for paint in paints]), np.array([paint.order for paint in paints])
    found = []
    for part in _parts(len(paints), len(texts)):
        later = begun[:, None] < painted[None, part]
        tells = (_overlaps(written, covers[part]) & later).any(axis=0)
        found += [paints[part.start + int(n)] for n in np.flatnonzero(tells)]
    return found


def _parts(count: int, times: int) -> Iterator[slice]:
    """Yield consecutive parts of `count` rows, each small enough to be compared with `times` others at once."""
    step = max(_MOST_PAIRS // max(times, 1), 1)
    for begin in range(0, count, step):
        yield slice(begin, min(begin + step, count))


def _covers(block: Block) -> bool:
    """Whether a block may hide text: a picture, a filled shape, or a shape stroked in white."""
    x0, y0, x1, y1, about = block[:5]
    if x1 - x0 < _THIN or y1 - y0 < _THIN:
        return False
    return block[6] == _PICTURE_BLOCK or "vector filled" in about or _LIGHT.search(about) is not None


def _is_solid(block: Block) -> bool:
    if block[6] == _PICTURE_BLOCK:
        return bool((block[2] - block[0]) * (block[3] - block[1]) <= _PATCH)
    return "alpha: 255," in str(block[4])


def _orders(words: Sequence[Word], blocks: Sequence[Block]) -> NDArray[np.int64]:
    """Return for each word the place of its block among the blocks.

    PyMuPDF numbers the blocks of words and those of paint in different ways; the letters are the same.
    """
    orders = np.zeros(len(words), np.int64)
    at = 0
    for number, block in enumerate(blocks):
        if block[6] != _TEXT_BLOCK:
            continue
        letters = len("".join(block[4].split()))
        while at < len(words) and letters > 0:
            letters -= len("".join(words[at][4].split()))
            orders[at] = number
            at += 1
    orders[at:] = len(blocks)
    return orders


def _is_written_over(boxes: Boxes, at: int, after: NDArray[np.bool_]) -> bool:
    """Whether another word was written over one under paint. `after`: the words written after the paint."""
    x0, y0, x1, y1 = boxes[at]
    others = boxes[after]
    width = np.minimum(others[:, 2], x1) - np.maximum(others[:, 0], x0)
    height = np.minimum(others[:, 3], y1) - np.maximum(others[:, 1], y0)
    lesser = np.minimum(_areas(others), max((x1 - x0) * (y1 - y0), 1e-6))
    return bool((np.clip(width, 0, None) * np.clip(height, 0, None) >= _OVER * lesser).any())


class _State(Enum):
    """How much of a word is hidden."""

    HIDDEN = auto()
    PARTLY = auto()


def _state(views: Views, word: Word, written_over: bool) -> _State | None:
    """Return how much of a word is hidden that paint touches; None if nothing is."""
    rect: Rect = word[:4]
    expected, seen = views.ink(rect), views.differences(rect)
    inked = expected >= _CONTRAST
    if not inked.any():
        # White text, which is visible on a dark ground.
        return None if seen.size and int(seen.max()) >= _CONTRAST else _State.HIDDEN
    share = float((seen >= np.maximum(_FAINT_SHARE * expected, 1))[inked].mean())
    if written_over:
        # Some of the ink is the other word's. All of it is visible if the paint is transparent.
        return _State.HIDDEN if share < _ALL else None
    return _State.HIDDEN if share <= _HIDDEN else _State.PARTLY if share < _SEEN else None


class Views:
    """Drawings of a page, made on demand: as displayed, without its text, and only its text."""

    def __init__(self, page: pymupdf.Page) -> None:
        self._page = page
        self._scale = min(_SCALE, _LONGEST / max(page.rect.width, page.rect.height))
        self._drawn: tuple[Grey, Grey] | None = None

    def differences(self, rect: Rect) -> Grey:
        """Return by how many shades the text changes the pixels of a part of the page."""
        return self._cut(self._views()[0], rect)

    def ink(self, rect: Rect) -> Grey:
        """Return by how many shades the text alone is darker than white."""
        return self._cut(self._views()[1], rect)

    def _views(self) -> tuple[Grey, Grey]:
        if self._drawn is None:
            whole = self._draw((), ())
            # Annotations' text is handled separately: here it only hides the page's own text.
            bare = np.abs(whole - self._draw(_OF_TEXT, ()))
            self._drawn = bare, 255 - self._draw(_OF_PAINT, _OF_PAINT)
        return self._drawn

    def _draw(self, not_of_page: Iterable[str], not_of_annotations: Iterable[str]) -> Grey:
        """Return the page in shades of grey without some kinds of its paint."""
        rect = self._page.rect
        bounds = _mupdf.FzIrect(0, 0, round(rect.width * self._scale) + 1, round(rect.height * self._scale) + 1)
        pixels = _mupdf.FzPixmap(_mupdf.fz_device_gray(), bounds, _mupdf.FzSeparations(), 0)
        _mupdf.fz_clear_pixmap_with_value(pixels, 255)
        matrix = _mupdf.FzMatrix(self._scale, 0, 0, self._scale, 0, 0)
        page, cookie = self._page.this, _mupdf.FzCookie()
        for run, left_out in (
            (_mupdf.fz_run_page_contents, not_of_page),
            (_mupdf.fz_run_page_annots, not_of_annotations),
            (_mupdf.fz_run_page_widgets, ()),
        ):
            device = _mupdf.fz_new_draw_device(matrix, pixels)
            for kind in left_out:
                # A device without a function for a kind of paint leaves it out (MuPDF, source/fitz/device.c).
                setattr(device.m_internal, kind, None)
            run(page, device, _mupdf.FzMatrix(), cookie)
            _mupdf.fz_close_device(device)
        picture = pymupdf.Pixmap("raw", pixels)
        return np.frombuffer(picture.samples, np.uint8).reshape(picture.height, picture.width).astype(np.int16)

    def _cut(self, view: Grey, rect: Rect) -> Grey:
        # Places of words are in the unrotated page.
        shown = pymupdf.Rect(rect) * self._page.rotation_matrix
        x0, y0, x1, y1 = (max(round(value * self._scale), 0) for value in shown)
        return view[y0 : max(y1, y0 + 1), x0 : max(x1, x0 + 1)]


#: Kinds of paint, by the functions of MuPDF's devices. Clips are not listed: each must be undone.
_OF_TEXT = ("fill_text", "stroke_text")
_OF_PAINT = ("fill_path", "stroke_path", "fill_shade", "fill_image", "fill_image_mask")


def _boxes(rects: Sequence[Sequence[Any]]) -> Boxes:
    return np.array([rect[:4] for rect in rects], np.float64).reshape(-1, 4)


def _areas(boxes: Boxes) -> NDArray[np.float64]:
    return np.maximum((boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1]), 1e-6)


def _overlaps(texts: Boxes, paints: Boxes) -> NDArray[np.bool_]:
    """Whether each paint overlaps each text by more than a rule's thickness."""
    width = np.minimum(texts[:, None, 2], paints[None, :, 2]) - np.maximum(texts[:, None, 0], paints[None, :, 0])
    height = np.minimum(texts[:, None, 3], paints[None, :, 3]) - np.maximum(texts[:, None, 1], paints[None, :, 1])
    return np.asarray((width > _THIN) & (height > _THIN))


def _shares(words: Boxes, paints: Boxes) -> NDArray[np.float64]:
    """Return the share of each word's box that each paint covers."""
    width = np.minimum(words[:, None, 2], paints[None, :, 2]) - np.maximum(words[:, None, 0], paints[None, :, 0])
    height = np.minimum(words[:, None, 3], paints[None, :, 3]) - np.maximum(words[:, None, 1], paints[None, :, 1])
    return np.asarray(np.clip(width, 0, None) * np.clip(height, 0, None) / _areas(words)[:, None])
