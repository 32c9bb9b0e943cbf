"""Turn a picture upright by comparing recognition at several orientations, only if the first result is weak."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
from PIL import Image

from pipeline.ocr_providers.base import UNSCORED, Pixels, RecognisedLine
from pipeline.pages.plausibility import plausible_word

Recogniser = Callable[[Pixels], list[RecognisedLine]]

#: Lines lower than wide by less than this stand on their side.
_TALL = 0.7
#: With at least this score the first recognition is accepted.
_GOOD = 0.7
#: Another orientation must be better by so much: a weak reading upright is likelier than a page upside down.
_BETTER = 1.25
#: Text upside down still reads as 0.45 to 0.53 (16 scans, 150 dpi), upright handwriting as 0.95.
_CONVINCING = 0.6
#: Longest side of the picture that orientations are tried on.
_SMALL = 900


def upright_lines(picture: Pixels, recognise: Recogniser) -> tuple[int, list[RecognisedLine]]:
    """The degrees by which the picture must be turned clockwise, and the lines of the turned picture."""
    lines = recognise(picture)
    score = reading_score(lines)
    if not lines or _unscored(lines) or (score >= _GOOD and not _on_their_side(lines)):
        return 0, lines
    small = _small(picture)
    on_its_side = _on_their_side(lines)
    candidates = (90, 270) if on_its_side else (180,)
    scores = {degrees: reading_score(recognise(_turned(small, degrees))) for degrees in candidates}
    best = max(scores, key=lambda degrees: scores[degrees])
    # A recogniser turns tall lines by itself: on its side, a page may read as well as upright.
    least = _CONVINCING if on_its_side else max(_BETTER * score, _CONVINCING)
    if scores[best] <= least:
        return 0, lines
    return best, recognise(_turned(picture, best))


def reading_score(lines: Sequence[RecognisedLine]) -> float:
    """Score a recognition from 0 to 1: mean confidence over all letters, implausible words counting as 0."""
    words = [word for line in lines for word in line.words]
    letters = sum(len(word.text) for word in words)
    good = sum(word.confidence * len(word.text) for word in words if plausible_word(word.text))
    return good / letters if letters else 0.0


def turn_picture(picture: Image.Image, degrees: int) -> Image.Image:
    """The picture turned clockwise by 0, 90, 180 or 270 degrees."""
    return picture.rotate(-degrees, expand=True) if degrees % 360 else picture


def _unscored(lines: Sequence[RecognisedLine]) -> bool:
    """Whether the provider gives no confidences: then no orientation can read better than another."""
    return all(word.confidence == UNSCORED for line in lines for word in line.words)


def _on_their_side(lines: Sequence[RecognisedLine]) -> bool:
    tall = sum(line.aspect < _TALL for line in lines)
    return tall > len(lines) / 2


def _turned(picture: Pixels, degrees: int) -> Pixels:
    return np.ascontiguousarray(np.rot90(picture, -(degrees // 90)))


def _small(picture: Pixels) -> Pixels:
    height, width = picture.shape[:2]
    scale = min(1.0, _SMALL / max(height, width))
    size = (max(round(width * scale), 1), max(round(height * scale), 1))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
