"""How RapidOCR is set, and the positions of the words in the lines that it finds; without importing it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Lines are found on a smaller picture and read from the whole one: name, school and grade were right for 272 of
#: 309 development entries with a longer side of 1280 pixels, for 268 at the size that pages come in, and a process
#: takes 80 MB less. The classifier of upside-down lines is off: whole pages are turned upright instead.
PARAMETERS: dict[str, Any] = {
    "Global.use_cls": False,
    "Global.log_level": "critical",
    "Global.return_word_box": True,
    #: Weak lines are kept with their confidence: dropping them would hide text that a person should check.
    "Global.text_score": 0.0,
    "Global.max_side_len": 2600,
    "Det.limit_side_len": 1280,
    "Det.limit_type": "max",
    "Det.use_dilation": False,
}
#: A gap of this many steps of the recogniser within a line separates words, even without a blank.
_GAP_STEPS = 6

Quad = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Piece:
    """A word of a line: its text, confidence, and where it begins and ends, 0-1 of the line."""

    text: str
    confidence: float
    begin: float
    end: float


def sides(quad: Quad) -> tuple[float, float]:
    """Return the length along the text and the height across it, of corners clockwise from the text's start."""
    length = max(float(np.linalg.norm(quad[0] - quad[1])), float(np.linalg.norm(quad[2] - quad[3])))
    depth = max(float(np.linalg.norm(quad[0] - quad[3])), float(np.linalg.norm(quad[1] - quad[2])))
    return length, depth


def pieces(text: str, info: Any) -> tuple[Piece, ...]:
    """Split a line into words at blanks and wide gaps, by the recogniser's step of each letter."""
    if not text.strip():
        # The library drops lines without words from only one of its two lists.
        return (Piece("", 0.0, 0.0, 1.0),)
    steps = iter([step for group in info.word_cols for step in group])
    words: list[list[tuple[str, float, int]]] = [[]]
    for letter, confidence in zip(text, info.confs, strict=True):
        if letter.isspace():
            words.append([])
            continue
        step = next(steps)
        if words[-1] and step - words[-1][-1][2] > _GAP_STEPS:
            words.append([])
        words[-1].append((letter, confidence, step))
    moves = [b[2] - a[2] for word in words for a, b in pairwise(word)]
    pitch = float(np.median(moves)) if moves else 2.0
    return tuple(_placed(word, max(float(info.line_txt_len), 1.0), pitch) for word in words if word)


def _placed(word: list[tuple[str, float, int]], length: float, pitch: float) -> Piece:
    text = "".join(letter for letter, _, _ in word)
    confidence = float(np.mean([conf for _, conf, _ in word]))
    begin = min(max((word[0][2] + 0.5 - pitch / 2) / length, 0.0), 1.0)
    end = min(max((word[-1][2] + 0.5 + pitch / 2) / length, begin), 1.0)
    return Piece(text, round(confidence, 4), begin, end)
