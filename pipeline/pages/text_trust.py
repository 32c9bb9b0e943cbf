"""Decide whether a page's text layer is reliable: by its letters, its ink, and the page drawn."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, pairwise
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pipeline.mupdf.file import PdfFile
from pipeline.mupdf.page_data import Paint, SmallPicture
from pipeline.pages.page_model import Box, Displayed, Word, inside
from pipeline.pages.text_layer import TextLayer

# Measure the ink of a page, and the ink outside words, from one small rendering.


#: Longest side of the small rendering in pixels: 72 dpi for a letter page.
LONGEST = 792
#: Ink is at least this much darker (of 255) than the paper around it; pencil on grey paper is about 50 darker.
_DARKER = 40
#: A dark area this large (pixels of the small rendering, both ways) is a block of colour, not writing.
_BLOCK = 31
#: A picture with this share of the page, or this many known words on it, may have writing.
_LARGE, _UNDER_WORDS = 0.15, 3
#: Least pictures, and least share of the page, of a page that is cut into pictures.
_TILES, _TILED = 4, 0.6
#: Least share of paper in a picture with writing; a photo has less.
_PAPER = 0.85
#: Least contrast (of 255) of visible text at the place of white words.
_CONTRAST = 60

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Look:
    """A page at 72 dpi or less."""

    grey: NDArray[np.uint8]
    #: Pixels that are darker than the paper around them.
    ink: Mask
    #: Pixels of raster pictures.
    pictures: Mask
    #: The same as rectangles.
    placed: tuple[Box, ...] = ()

    @property
    def ink_share(self) -> float:
        return _share(self.ink)

    @property
    def picture_share(self) -> float:
        return _share(self.pictures)

    def unread(self, boxes: Iterable[Box]) -> float:
        """Share of the page that is writing outside `boxes`, without blocks of colour and pictures."""
        left = self.ink & ~self.pictures & ~self._covered(boxes)
        return _share(left & ~_blocks(self.grey)) if left.any() else 0.0

    def pictured(self, boxes: Iterable[Box]) -> float:
        """Share of the page that is ink of pictures outside `boxes`."""
        left = self.ink & self.pictures
        return _share(left & ~self._covered(boxes)) if left.any() else 0.0

    def written_on(self, boxes: Sequence[Box]) -> list[Box]:
        """Pictures with ink on light paper outside `boxes`: a scan under the words, a pen's layer over them."""
        tiled = len(self.placed) >= _TILES and self.picture_share >= _TILED
        sheets = [box for box in self.placed if tiled or self._is_sheet(box, boxes)]
        if not sheets:
            return []
        left = self.ink & self._covered(sheets) & ~self._covered(boxes)
        left &= ~_blocks(self.grey)
        light = self.grey >= np.percentile(self.grey, 90) - _DARKER
        written = [box for box in sheets if _is_ground(light[self._cut(box)])]
        return written if _share(left & self._covered(written)) >= EMPTY_INK else []

    def _is_sheet(self, box: Box, boxes: Iterable[Box]) -> bool:
        if box.width * box.height >= _LARGE:
            return True
        return sum(box.x0 < word.cx < box.x1 and box.y0 < word.cy < box.y1 for word in boxes) >= _UNDER_WORDS

    def read(self, boxes: Iterable[Box]) -> float:
        """Share of the page that is ink inside `boxes`."""
        return _share(self.ink & self._covered(boxes))

    def shows(self, box: Box) -> bool:
        """Whether there is visible contrast inside a box."""
        rows, columns = self._cut(box)
        part = self.grey[rows, columns]
        return bool(part.size and int(part.max()) - int(part.min()) >= _CONTRAST)

    def _covered(self, boxes: Iterable[Box]) -> Mask:
        mask = np.zeros(self.ink.shape, dtype=bool)
        for box in boxes:
            rows, columns = self._cut(box, margin=1)
            mask[rows, columns] = True
        return mask

    def _cut(self, box: Box, margin: int = 0) -> tuple[slice, slice]:
        height, width = self.ink.shape
        rows = slice(max(int(box.y0 * height) - margin, 0), max(int(np.ceil(box.y1 * height)) + margin, 0))
        columns = slice(max(int(box.x0 * width) - margin, 0), max(int(np.ceil(box.x1 * width)) + margin, 0))
        return rows, columns


def look_at(small: SmallPicture) -> Look:
    """Find the ink and the pictures of a page from its picture of LONGEST pixels."""
    displayed = Displayed(small.shape)
    placed = tuple(inside(displayed.box(rect)) for rect in small.pictures)
    return Look(small.grey, ink_of(small.grey), _pictures(small.grey.shape, placed), placed)


def ink_of(grey: NDArray[np.uint8]) -> Mask:
    """Return the mask of pixels darker than the paper around them, without shadows, grey paper and specks."""
    # The brightest shade nearby is the paper, which changes slowly: a quarter of the pixels is enough.
    height, width = grey.shape
    brightest = cv2.dilate(grey, np.ones((5, 5), np.uint8))[::4, ::4]
    paper = cv2.medianBlur(cv2.dilate(brightest, np.ones((3, 3), np.uint8)), 5)
    paper = cv2.resize(paper, (width, height), interpolation=cv2.INTER_LINEAR)
    smooth = cv2.GaussianBlur(grey, (3, 3), 0)
    return np.asarray(cv2.subtract(paper, smooth) > _DARKER)


def _share(mask: Mask) -> float:
    return float(np.count_nonzero(mask) / mask.size)


def _is_ground(light: Mask) -> bool:
    return bool(light.size) and _share(light) >= _PAPER


def _blocks(grey: NDArray[np.uint8]) -> Mask:
    """Return dark areas with their edges; only the edges are darker than the adjacent ground."""
    dark = (grey < np.percentile(grey, 90) - _DARKER).astype(np.uint8)
    blocks = cv2.morphologyEx(dark, cv2.MORPH_OPEN, np.ones((_BLOCK, _BLOCK), np.uint8))
    return np.asarray(cv2.dilate(blocks, np.ones((7, 7), np.uint8)) > 0)


def _pictures(shape: tuple[int, int], placed: Iterable[Box]) -> Mask:
    height, width = shape
    mask = np.zeros((height, width), dtype=bool)
    for x0, y0, x1, y1 in placed:
        rows = slice(max(round(y0 * height), 0), max(round(y1 * height), 0))
        mask[rows, max(round(x0 * width), 0) : max(round(x1 * width), 0)] = True
    return mask


# Detect pages whose text layer covers all content, so that they need not be rendered.


#: Minimum visible words; fewer may be stray text on a drawn page.
_WORDS = 20
#: Mean letters per word below which words are stray letters.
_LETTERS = 2.0
#: Largest area of other paint, even if all of it were ink, relative to the boxes of words. In the small rendering
#: type inks 0.41 of its box and more (211 pages of forms and letters), and distrust begins at 1.5 times its ink.
_MARGINAL = 0.4
#: Pictures that cover less than this are ornaments, even with few words.
_ORNAMENT = 0.15
#: Least words on a picture that is not an ornament.
_HELD = 3


def words_explain(layer: TextLayer, paint: Paint, displayed: Displayed) -> bool:
    """Whether all other paint on the page is negligible."""
    words = layer.words
    if len(words) < _WORDS or layer.white or layer.hidden_letters or paint.more:
        return False
    if sum(len(word.text) for word in words) < _LETTERS * len(words):
        return False
    beside = _area(map(displayed.box, paint.vectors)) + _area(layer.blank)
    if beside >= _MARGINAL * _area(word.box for word in words):
        return False
    pictures = [displayed.box(rect) for rect in paint.pictures]
    return _area(pictures) < _ORNAMENT and not any(_is_under(box, words) for box in pictures)


def _is_under(picture: Box, words: Sequence[Word]) -> bool:
    """Whether a picture is behind words, so that somebody may have written in it."""
    x0, y0, x1, y1 = picture
    held = (word for word in words if x0 < word.box.cx < x1 and y0 < word.box.cy < y1)
    return len(list(islice(held, _HELD))) >= _HELD


def _area(boxes: Iterable[Box]) -> float:
    return sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in boxes)


# Pages as pictures, as they are displayed.


#: A sheet longer than legal paper (14 inches) is drawn smaller: a photo has no more detail as a page of 56 inches.
_LONGEST_INCHES = 14.0


def scale_of(width: float, height: float, dpi: int) -> float:
    """Return the pixels per point at which a page of that size in points is drawn."""
    return dpi / 72 * min(1.0, _LONGEST_INCHES * 72 / max(width, height))


def render(
    file: PdfFile, number: int, dpi: int, clip: Box | None = None, *, turned: int = 0, managed_colours: bool = True
) -> Image.Image:
    """Render a page, or the part of it in `clip`, turned clockwise by `turned` degrees.

    Without managed colours, ICC profiles are ignored. Raises DamagedDocumentError if it cannot be drawn.
    """
    _, width, height = file.shape(number)
    rect = (clip.x0 * width, clip.y0 * height, clip.x1 * width, clip.y1 * height) if clip else None
    picture = Image.fromarray(
        file.draw(number, scale_of(width, height, dpi), rect, managed_colours=managed_colours)
    )
    return picture.rotate(-turned, expand=True) if turned else picture


# Decide whether a page's text layer is reliable, from measurements of the page. Pure.


#: Minimum share of plausible characters in a readable text.
_PLAUSIBLE = 0.6
#: A font with fewer letters (bullets, a single sign) is not judged by itself.
_FONT_LETTERS = 24
#: Maximum share of the page's letters in garbled fonts; above it the page counts as garbled.
_GARBLED_SHARE = 0.1
#: A page whose pictures cover this much is a picture.
_MOSTLY_PICTURE = 0.6
#: A picture this large on a page with little text may hold the entry itself.
_LARGE_PICTURE = 0.2
#: Number of visible words from which a picture behind them is a background.
_ENOUGH_WORDS = 60
#: Ink below this share of the page is dust.
EMPTY_INK = 0.0004
#: Least ink outside words: a share of the page, and a multiple of the words' ink.
_UNREAD_SHARE = 0.004
_UNREAD_TIMES = 1.5
#: The same share if the words are single letters: the page may hold only the last line of an essay.
_UNREAD_BY_STRAYS = 0.001
#: Mean letters per word up to which words are strays.
_STRAY_LETTERS = 1.5
#: A picture behind the words with this many times their ink is a form or a letter, not a background.
_PICTURE_TIMES = 0.5


@dataclass(frozen=True, slots=True)
class TextEvidence:
    """Measurements of a page."""

    #: Visible words, in any order, and the font of each.
    words: Sequence[str]
    fonts: Sequence[str]
    #: Number of letters of invisible text.
    hidden_letters: int
    #: Shares of the page, 0-1: all ink; ink inside words; writing outside words and fields; ink of pictures
    #: outside words; pictures.
    ink: float
    ink_of_words: float
    ink_unread: float
    ink_of_pictures: float
    pictures: float
    #: Fonts whose letters the file does not name.
    unnamed: frozenset[str] = frozenset()

    @property
    def is_picture(self) -> bool:
        """Whether raster images cover most of the page."""
        return self.pictures >= _MOSTLY_PICTURE


def distrust(page: TextEvidence) -> str | None:
    """Return why the text layer is not reliable, None if it is (also on an empty page).

    "hidden_layer": an earlier OCR under a scan, of unknown quality. "no_text", "stray_letters", "outlines":
    the page shows more than its text says. "picture": few words and a picture that may hold the entry.
    "garbled": its letters are not the visible ones.
    """
    if not page.words:
        return _without_words(page)
    if garbled(page.words, page.fonts, page.unnamed):
        return "garbled"
    few = len(page.words) < _ENOUGH_WORDS
    if few and (page.is_picture or page.pictures >= _LARGE_PICTURE):
        return "hidden_layer" if page.hidden_letters else "picture"
    if page.is_picture and page.ink_of_pictures > _PICTURE_TIMES * page.ink_of_words:
        return "picture"
    strays = sum(len(word) for word in page.words) <= _STRAY_LETTERS * len(page.words)
    if (
        page.ink_unread >= (_UNREAD_BY_STRAYS if strays else _UNREAD_SHARE)
        and page.ink_unread > _UNREAD_TIMES * page.ink_of_words
    ):
        return "stray_letters" if few else "outlines"
    return None


def _without_words(page: TextEvidence) -> str | None:
    if page.ink < EMPTY_INK and not page.hidden_letters:
        return None
    if page.hidden_letters:
        return "hidden_layer"
    return "no_text" if page.is_picture or page.ink_unread < _UNREAD_SHARE else "outlines"


def garbled(words: Sequence[str], fonts: Sequence[str], unnamed: frozenset[str] = frozenset()) -> bool:
    """Whether a text, or a font that carries much of it, was re-encoded into other letters.

    `unnamed`: fonts whose letters the file does not name.
    """
    by_font: dict[str, list[str]] = defaultdict(list)
    for word, font in zip(words, fonts, strict=True):
        by_font[font].append(word)
    measured = [
        (sum(map(len, group)), 0 if font in unnamed else plausible_letters(group))
        for font, group in by_font.items()
    ]
    letters, plausible = sum(size for size, _ in measured), sum(good for _, good in measured)
    senseless = sum(size for size, good in measured if size >= _FONT_LETTERS and good / size < _PLAUSIBLE)
    return letters > 0 and (senseless > _GARBLED_SHARE * letters or plausible / letters < _PLAUSIBLE)


# Estimate whether a text is English or Spanish from its letters, to detect re-encoded text layers.
#
# Two kinds of evidence: pairs of letters that are common in either language, and frequent short words.


#: Everyday words of both languages, whose pairs of letters represent the language.
_COMMON = (Path(__file__).parent / "common_words.txt").read_text(encoding="utf-8")
_WORD_LETTERS = re.compile(r"[^\W\d_]+")
#: Plausible words that belong to no language: numbers, dates, ordinals, phones, rooms, addresses of mail, sites
#: and files.
_WITH_DIGITS = re.compile(
    r"[#$(]*\d[\d.,:/()\-–+%]*+(?:st|nd|rd|th|s|am|pm|º|ª|°)?[).,;:!?%]*+|[A-Za-z]{1,2}-?\d{1,4}|K-\d+|\S[^\s@]*+@\S++"
    r"|[a-z][a-z+.\-]{1,20}:/\S++|www\.\S+",
    re.IGNORECASE,
)
_VOWELS = set("aeiouy")
#: Least share of common pairs of letters in a word of either language; foreign names have more.
_PAIRS = 0.5


def _plain(text: str) -> str:
    """Lower-case letters without accents."""
    if text.isascii():
        return text.lower()
    return "".join(c for c in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(c))


COMMON_WORDS = frozenset(_plain(_COMMON).split())
_KNOWN_PAIRS = frozenset(a + b for word in COMMON_WORDS for a, b in pairwise(word))


def plausible_letters(words: Iterable[str]) -> int:
    """Return the number of characters in plausible words of either language."""
    return sum(len(word) for word in words if plausible_word(word))


@lru_cache(maxsize=8192)
def plausible_word(word: str) -> bool:
    """Whether a word is plausible in either language; single marks are plausible."""
    if word.isascii() and word.isalpha():
        return _plausible_letters(word)
    if any(unicodedata.category(c) in ("Co", "Cn", "Cc") or c == "\ufffd" for c in word):
        return False
    parts = _WORD_LETTERS.findall(word)
    if not parts or _WITH_DIGITS.fullmatch(word):
        return bool(parts) or any(c.isdigit() for c in word) or len(word) <= 2 or len(set(word)) == 1
    odd = sum(not (c.isalpha() or c in "'’‘-–—.,;:!?()\"“”¿¡/&*…_|#") for c in word)
    return odd == 0 and all(_plausible_letters(part) for part in parts)


def _plausible_letters(part: str) -> bool:
    plain = _plain(part)
    if plain in COMMON_WORDS or len(plain) == 1:
        return True
    if len(plain) >= 3 and not _VOWELS & set(plain) and not part.isupper():
        return False
    if _CASE_JUMPS.search(part) and not part.isupper():
        return False
    pairs = [a + b for a, b in pairwise(plain)]
    return sum(pair in _KNOWN_PAIRS for pair in pairs) / len(pairs) >= _PAIRS


#: A capital after two small letters within a word ("tHe", "naMe"); McNeil and DeShawn have none or one.
_CASE_JUMPS = re.compile(r"[a-zà-ÿ][A-ZÀ-Þ].*[a-zà-ÿ][A-ZÀ-Þ]|[a-zà-ÿ][A-ZÀ-Þ]$")
