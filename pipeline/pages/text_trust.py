"""Decide whether a page's text layer is reliable, from measurements of the page. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.pages.plausibility import plausible_letters

#: Minimum share of plausible characters in a readable text.
_PLAUSIBLE = 0.6
#: A font with fewer letters (bullets, a single sign) is not judged by itself.
_FONT_LETTERS = 24
#: Maximum share of the page's letters in garbled fonts; above it the page counts as garbled.
_GARBLED_SHARE = 0.1
#: A page whose pictures cover this much is a picture.
_MOSTLY_PICTURE = 0.6
#: A picture this large beside little text may hold the entry itself.
_LARGE_PICTURE = 0.2
#: Number of visible words from which a picture behind them is a background.
_ENOUGH_WORDS = 60
#: Ink below this share of the page is dust.
EMPTY_INK = 0.0004
#: Ink that no word accounts for: at least this share of the page, and this many times the ink of the words.
_UNREAD_SHARE = 0.004
_UNREAD_TIMES = 1.5
#: The same where the words are single letters: the last line of an essay that runs over to a page of its own.
_UNREAD_BY_STRAYS = 0.001
#: Letters a word, on average, up to which words are strays.
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
    #: Fonts of which nothing says what they draw.
    unnamed: frozenset[str] = frozenset()

    @property
    def is_picture(self) -> bool:
        """Whether raster images cover most of the page."""
        return self.pictures >= _MOSTLY_PICTURE


def distrust(page: TextEvidence) -> str | None:
    """Return why the text layer is not reliable, None where it is (also on an empty page).

    "hidden_layer": an earlier OCR under a scan, of unknown quality. "no_text", "stray_letters", "outlines":
    the page shows more than its text says. "picture": few words beside a picture that may hold the entry.
    "garbled": its letters are not those that are seen.
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

    `unnamed`: fonts of which nothing says what they draw.
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
