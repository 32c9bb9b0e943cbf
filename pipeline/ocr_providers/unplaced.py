"""Estimate positions of lines whose provider gives none, from the ink of the picture.

If the picture has as many rows of ink as there are lines, each line gets its row. Otherwise the lines divide the
height from the first ink to the last evenly. Within a line the words divide its width by their letters. The order
is the provider's. As the positions are estimates, the words have the confidence UNSCORED.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np

from pipeline.ocr_providers.base import UNSCORED, Pixels, RecognisedLine, RecognisedWord
from pipeline.pages.page_look import Mask, ink_of
from pipeline.pages.page_model import Box

#: Rows of ink separated by less than this share of the height are merged: the dot of an i, an accent.
_GAP = 0.003
#: Rows of ink lower than this share of the height are ruled lines or specks.
_FLAT = 0.004


def has_ink(picture: Pixels) -> bool:
    """Whether anything in the picture is darker than the paper around it."""
    return bool(_ink(picture).any())


def placed_lines(lines: Sequence[str], picture: Pixels) -> list[RecognisedLine]:
    """Return the lines (none may be empty) in the order given, with positions on the picture."""
    height, width = picture.shape[:2]
    bands = _bands(_ink(picture), len(lines)) if lines else []
    return [
        RecognisedLine(_words(line, band), round(band.width * width / max(band.height * height, 1.0), 3))
        for line, band in zip(lines, bands, strict=True)
    ]


def _ink(picture: Pixels) -> Mask:
    return ink_of(np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), dtype=np.uint8))


def _bands(ink: Mask, count: int) -> list[Box]:
    rows = _rows(ink)
    if len(rows) == count:
        return [_across(ink, top, bottom) for top, bottom in rows]
    inked = np.flatnonzero(ink.any(axis=1))
    edges = np.linspace(inked[0], inked[-1] + 1, count + 1) / ink.shape[0]
    return [Box(0.0, float(top), 1.0, float(bottom)) for top, bottom in pairwise(edges)]


def _rows(ink: Mask) -> list[tuple[int, int]]:
    """Return the beginnings and ends of rows of ink, in pixels from the top."""
    height = ink.shape[0]
    inked = np.flatnonzero(ink.any(axis=1))
    parts = np.split(inked, np.flatnonzero(np.diff(inked) > max(_GAP * height, 1)) + 1)
    return [(int(p[0]), int(p[-1]) + 1) for p in parts if len(p) > _FLAT * height]


def _across(ink: Mask, top: int, bottom: int) -> Box:
    height, width = ink.shape
    inked = np.flatnonzero(ink[top:bottom].any(axis=0))
    return Box(int(inked[0]) / width, top / height, (int(inked[-1]) + 1) / width, bottom / height)


def _words(line: str, band: Box) -> tuple[RecognisedWord, ...]:
    """Return the words of a line with their share of its width."""
    placed, start = [], 0
    for text in line.split(" "):
        ends = (start / len(line), (start + len(text)) / len(line))
        x0, x1 = (band.x0 + share * band.width for share in ends)
        placed.append(RecognisedWord(text, Box(x0, band.y0, min(x1, 1.0), band.y1), UNSCORED))
        start += len(text) + 1
    return tuple(placed)
