"""RapidOCR with the PP-OCR models of its wheel, run by OpenVINO."""

from __future__ import annotations

import math
from functools import cache
from importlib.metadata import version as version_of
from itertools import pairwise
from operator import itemgetter
from statistics import fmean
from typing import TYPE_CHECKING, ClassVar

import cv2
import numpy as np

from core.config import Settings
from core.errors import RecognitionError
from pipeline.ocr_providers.base import Pixels, RecognisedLine, RecognisedText, RecognisedWord
from pipeline.ocr_providers.fork_guard import about_to_recognise
from pipeline.ocr_providers.rapidocr_lines import PARAMETERS, Piece, Quad, sides
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
    """The provider named "rapidocr"."""

    name: ClassVar[str] = "rapidocr"

    def __init__(self, settings: Settings) -> None:
        self._threads = settings.ocr_threads

    @property
    def version(self) -> str:
        """See `OcrProvider.version`."""
        return _version()

    def preload(self) -> None:
        """See `OcrProvider.preload`."""
        self._engine().load()

    def recognise(self, picture: Pixels) -> list[RecognisedLine]:
        """See `OcrProvider.recognise`."""
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
        """See `OcrProvider.recognise_line`."""
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


def _line(quad: Quad, words: tuple[Piece, ...], width: int, height: int) -> RecognisedLine:
    length, depth = sides(quad)
    along = quad[1] - quad[0]
    placed = tuple(
        RecognisedWord(word.text, _part(quad, word, width, height), word.confidence) for word in words if word.text
    )
    slope = math.degrees(math.atan2(float(along[1]), float(along[0])))
    return RecognisedLine(placed, round(length / max(depth, 1.0), 3), round(slope, 3))


def _part(quad: Quad, word: Piece, width: int, height: int) -> Box:
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
