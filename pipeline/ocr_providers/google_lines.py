"""Build words and lines from Google's pieces: join them up to each break, end lines at line breaks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from pipeline.ocr_providers.base import UNSCORED, RecognisedLine, RecognisedWord
from pipeline.ocr_providers.google_reply import FullText, Paragraph, Piece
from pipeline.pages.page_model import Box

_ENDS_WORD = frozenset({"SPACE", "SURE_SPACE"})
_ENDS_LINE = frozenset({"EOL_SURE_SPACE", "LINE_BREAK", "HYPHEN"})
#: Google reads text however it lies and is as sure of it. A page must be turned upright all the same, and
#: `pipeline/recognition/upright.py` turns it where a reading is weak: words that do not stand upright count less.
_NOT_UPRIGHT = 0.5

_Corners = NDArray[np.float64]


def lines_of(text: FullText, width: int, height: int) -> list[RecognisedLine]:
    """Return the lines of a picture of that size in pixels, in the order of the answer."""
    paragraphs = (p for page in text.pages for block in page.blocks for p in block.paragraphs)
    return [
        line
        for paragraph in paragraphs
        for words in _lines(paragraph)
        if (line := _line(words, width, height)).words
    ]


def _lines(paragraph: Paragraph) -> Iterator[list[list[Piece]]]:
    """Yield each line as words, each word as its pieces without a break between them."""
    words: list[list[Piece]] = [[]]
    for piece in paragraph.words:
        before, after = _break(piece, 0, prefix=True), _break(piece, -1, prefix=False)
        if before in _ENDS_LINE:
            yield words
            words = [[]]
        elif before in _ENDS_WORD:
            words.append([])
        words[-1].append(piece)
        if after in _ENDS_LINE:
            yield words
            words = [[]]
        elif after in _ENDS_WORD:
            words.append([])
    yield words


def _break(piece: Piece, symbol: int, *, prefix: bool) -> str:
    about = piece.symbols[symbol].property
    found = about.detected_break if about else None
    return found.type if found and found.is_prefix == prefix else ""


def _line(words: Sequence[Sequence[Piece]], width: int, height: int) -> RecognisedLine:
    full = [word for word in words if word and _text(word)]
    if not full:
        return RecognisedLine((), 1.0)
    corners = np.concatenate([_corners(piece) for word in full for piece in word])
    along = (corners[1::4] - corners[0::4] + corners[2::4] - corners[3::4]).sum(axis=0)
    angle = math.degrees(math.atan2(float(along[1]), float(along[0])))
    upright = abs(angle) <= 45
    lying = upright or abs(angle) >= 135
    length, depth = _extent(corners, angle), _extent(corners, angle + 90)
    aspect = length / depth if lying else depth / length
    worth = 1.0 if upright else _NOT_UPRIGHT
    placed = tuple(_word(word, width, height, worth) for word in full)
    return RecognisedLine(placed, round(aspect, 3), round((angle + 45) % 90 - 45, 3))


def _extent(corners: _Corners, angle: float) -> float:
    """Return the extent of the corners in a direction, in pixels."""
    radians = math.radians(angle)
    reach = corners @ np.array([math.cos(radians), math.sin(radians)])
    return max(float(np.ptp(reach)), 1.0)


def _word(pieces: Sequence[Piece], width: int, height: int, worth: float) -> RecognisedWord:
    corners = np.concatenate([_corners(piece) for piece in pieces]) / [width, height]
    (x0, y0), (x1, y1) = np.clip(corners.min(axis=0), 0, 1), np.clip(corners.max(axis=0), 0, 1)
    letters = [len(piece.symbols) for piece in pieces]
    sure = [UNSCORED if piece.confidence is None else piece.confidence for piece in pieces]
    confidence = float(np.average(sure, weights=letters)) * worth
    return RecognisedWord(_text(pieces), Box(float(x0), float(y0), float(x1), float(y1)), round(confidence, 4))


def _text(pieces: Sequence[Piece]) -> str:
    text = "".join(symbol.text for piece in pieces for symbol in piece.symbols)
    # Google does not count the hyphen at a line's end as text, but it is on the page.
    hyphen = "-" if pieces and _break(pieces[-1], -1, prefix=False) == "HYPHEN" else ""
    return "".join(text.split()) + hyphen


def _corners(piece: Piece) -> _Corners:
    return np.array([[corner.x, corner.y] for corner in piece.bounding_box.vertices], dtype=np.float64)
