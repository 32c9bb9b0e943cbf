"""RapidOCR with the PP-OCR models of its wheel, run by OpenVINO, which is loaded when it first recognises."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version as version_of
from itertools import pairwise
from operator import itemgetter
from statistics import fmean
from typing import TYPE_CHECKING, Any, ClassVar

import cv2
import numpy as np
from numpy.typing import NDArray

from core.config import Settings
from core.errors import RecogniserForkedError, RecognitionError
from pipeline.ocr_providers.base import Pixels, RecognisedLine, RecognisedText, RecognisedWord
from pipeline.pages.page_model import Box

if TYPE_CHECKING:
    from pipeline.ocr_providers.rapidocr_engine import Engine


_MODELS = "PP-OCRv6-small"
#: Incremented when the interpretation of the engine's output changes.
_REVISION = 7
#: Heights and widths, in pixels, to which pictures are padded: fields cut out of a page, pages of Letter and A4 at
#: 150 dpi upright and lying. Larger ones are padded to a multiple of the step.
_SIZES = ((1024, 768), (1792, 1280), (1280, 1792))
_STEP = 256


class RapidOcr:
    name: ClassVar[str] = "rapidocr"
    places_known: ClassVar[bool] = True

    def __init__(self, settings: Settings) -> None:
        self._threads = settings.ocr_threads

    @property
    def version(self) -> str:
        return _version()

    def preload(self) -> None:
        self._engine().load()

    def recognise(self, picture: Pixels) -> list[RecognisedLine]:
        about_to_recognise()
        reader = self._engine()
        height, width = picture.shape[:2]
        blue_first = np.ascontiguousarray(_padded(picture)[:, :, ::-1])
        try:
            with reader.lock:
                found = reader(blue_first)
        except (RuntimeError, ValueError, cv2.error) as exc:
            raise RecognitionError("RapidOCR failed") from exc
        if found.boxes is None or not found.txts:
            return []
        lines = (
            _line(np.asarray(box, dtype=np.float32), words, width, height)
            for box, words in zip(found.boxes, found.word_results, strict=True)
        )
        return [line for line in lines if line.words]

    def recognise_line(self, picture: Pixels) -> RecognisedText:
        about_to_recognise()
        try:
            steps = self._engine().read_line(np.ascontiguousarray(picture[:, :, ::-1]))
        except (RuntimeError, ValueError, cv2.error) as exc:
            raise RecognitionError("RapidOCR failed") from exc
        return _text_of(steps)

    def _engine(self) -> Engine:
        from pipeline.ocr_providers.rapidocr_engine import engine

        return engine(self._threads)


@cache
def _version() -> str:
    """Return `OcrProvider.version`; kept, since what is installed is looked up on the disk."""
    parameters = ",".join(f"{key}={value}" for key, value in sorted(PARAMETERS.items()))
    software = f"rapidocr {version_of('rapidocr')};openvino {version_of('openvino')}"
    return f"{_REVISION};{software};{_MODELS};{parameters}"


def _text_of(steps: tuple[dict[str, float], ...]) -> RecognisedText:
    """Decode the steps greedily: the likeliest letters, repetitions merged, with their mean probability."""
    likeliest = [max(step.items(), key=itemgetter(1)) for step in steps]
    said = [now for before, now in pairwise([("", 0.0), *likeliest]) if now[0] and now[0] != before[0]]
    text = "".join(char for char, _ in said).strip()
    confidence = fmean(share for _, share in said) if text else 0.0
    return RecognisedText(text, round(confidence, 4), steps)


def _padded(picture: Pixels) -> Pixels:
    """Pad the picture with white to its right and below, so that the detector gets few different sizes."""
    height, width = picture.shape[:2]
    high, wide = next(
        (size for size in _SIZES if height <= size[0] and width <= size[1]),
        (height + -height % _STEP, width + -width % _STEP),
    )
    return np.pad(picture, ((0, high - height), (0, wide - width), (0, 0)), constant_values=255)


def _line(quad: Quad, words: tuple[LineWord, ...], width: int, height: int) -> RecognisedLine:
    length, depth = quad_sides(quad)
    along = quad[1] - quad[0]
    placed = tuple(
        RecognisedWord(word.text, _part(quad, word, width, height), word.confidence) for word in words if word.text
    )
    slope = math.degrees(math.atan2(float(along[1]), float(along[0])))
    return RecognisedLine(placed, round(length / max(depth, 1.0), 3), round(slope, 3))


def _part(quad: Quad, word: LineWord, width: int, height: int) -> Box:
    """Return the box of a word within its line's quadrilateral."""
    top, bottom = quad[1] - quad[0], quad[2] - quad[3]
    corners = np.array(
        [
            quad[0] + top * word.begin,
            quad[0] + top * word.end,
            quad[3] + bottom * word.begin,
            quad[3] + bottom * word.end,
        ]
    )
    (x0, y0), (x1, y1) = corners.min(axis=0), corners.max(axis=0)
    cut = [min(max(float(value), 0.0), 1.0) for value in (x0 / width, y0 / height, x1 / width, y1 / height)]
    return Box(*cut)


# How RapidOCR is set, and the positions of the words in the lines that it finds; without importing it.


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
class LineWord:
    """A word of a line: its text, confidence, and where it begins and ends, 0-1 of the line."""

    text: str
    confidence: float
    begin: float
    end: float


def quad_sides(quad: Quad) -> tuple[float, float]:
    """Return the length along the text and the height across it, of corners clockwise from the text's start."""
    length = max(float(np.linalg.norm(quad[0] - quad[1])), float(np.linalg.norm(quad[2] - quad[3])))
    depth = max(float(np.linalg.norm(quad[0] - quad[3])), float(np.linalg.norm(quad[1] - quad[2])))
    return length, depth


def split_words(text: str, info: Any) -> tuple[LineWord, ...]:
    """Split a line into words at blanks and wide gaps, by the recogniser's step of each letter."""
    if not text.strip():
        # The library drops lines without words from only one of its two lists.
        return (LineWord("", 0.0, 0.0, 1.0),)
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


def _placed(word: list[tuple[str, float, int]], length: float, pitch: float) -> LineWord:
    text = "".join(letter for letter, _, _ in word)
    confidence = float(np.mean([conf for _, conf, _ in word]))
    begin = min(max((word[0][2] + 0.5 - pitch / 2) / length, 0.0), 1.0)
    end = min(max((word[-1][2] + 0.5 + pitch / 2) / length, begin), 1.0)
    return LineWord(text, round(confidence, 4), begin, end)


# Guard against forks after a recognition: inherited locks and thread pools may be in an inconsistent state.
#
# Loading models before the fork is safe and saves each child that time (docs/adr/0003-recognition-and-forks.md).


#: The process that ran a recognition, inherited by its forks.
_ran_in: int | None = None


def about_to_recognise() -> None:
    """Record that this process recognises. Raises RecogniserForkedError if a parent process already has."""
    global _ran_in
    if _ran_in not in (None, os.getpid()):
        raise RecogniserForkedError(f"process {_ran_in} had recognised before it forked {os.getpid()}")
    _ran_in = os.getpid()
