"""Detect pages whose text layer covers all their content, so that they need not be rendered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from pipeline.mupdf.plain import Paint
from pipeline.pages.geometry import Displayed
from pipeline.pages.page_model import Box, Word
from pipeline.pages.text_layer import TextLayer

#: Minimum visible words; fewer may be stray text on a drawn page.
_WORDS = 20
#: Mean letters per word below which words are stray letters.
_LETTERS = 2.0
#: What is painted beside the words, even if all were ink, is this small against their boxes. Seen small, type
#: inks 0.41 of its box and more (211 pages of forms and letters), and distrust begins at 1.5 times its ink.
_MARGINAL = 0.4
#: Pictures that cover less than this are ornaments, however few the words.
_ORNAMENT = 0.15
#: A picture with so many words on it is no ornament.
_HELD = 3


def words_explain(layer: TextLayer, paint: Paint, displayed: Displayed) -> bool:
    """Whether everything else that is painted on the page is negligible."""
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
    """Whether a picture lies with the words: somebody may have written in it."""
    x0, y0, x1, y1 = picture
    held = (word for word in words if x0 < word.box.cx < x1 and y0 < word.box.cy < y1)
    return len(list(islice(held, _HELD))) >= _HELD


def _area(boxes: Iterable[Box]) -> float:
    return sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in boxes)
