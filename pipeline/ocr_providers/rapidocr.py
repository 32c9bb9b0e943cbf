"""RapidOCR with the PP-OCR models of its wheel, run by OpenVINO."""

from __future__ import annotations

import logging
import math
from functools import lru_cache
from importlib.metadata import version as version_of
from itertools import pairwise
from threading import Lock
from typing import Any, ClassVar

import cv2
import numpy as np
from numpy.typing import NDArray
from rapidocr import EngineType, RapidOCR
from rapidocr.utils.process_img import get_rotate_crop_image

from core.config import Settings
from core.errors import RecognitionError
from pipeline.ocr_providers.base import Pixels, RecognisedLine, RecognisedWord
from pipeline.ocr_providers.fork_guard import about_to_recognise
from pipeline.page_model import Box

#: Detection at the picture's own size: pages come at OCR_DPI. The classifier of upside-down lines is off: whole
#: pages are turned upright instead.
_PARAMETERS: dict[str, Any] = {
    "Global.use_cls": False,
    "Global.log_level": "critical",
    "Global.return_word_box": True,
    #: Weak lines are kept with their confidence: dropping them would hide what a person should look at.
    "Global.text_score": 0.0,
    "Global.max_side_len": 2600,
    "Det.limit_side_len": 736,
    "Det.limit_type": "min",
    "Rec.rec_batch_num": 6,
}
_MODELS = "PP-OCRv6-small"
#: A gap of so many steps of the recogniser within a line parts words, blank or not.
_GAP_STEPS = 6
#: get_rotate_crop_image turns crops that are this much taller than wide.
_TURNED_FROM = 1.5

Quad = NDArray[np.float32]


class RapidOcr:
    """The provider named "rapidocr"."""

    name: ClassVar[str] = "rapidocr"

    def __init__(self, settings: Settings) -> None:
        self._threads = settings.ocr_threads

    @property
    def version(self) -> str:
        """See `OcrProvider.version`."""
        parameters = ",".join(f"{key}={value}" for key, value in sorted(_PARAMETERS.items()))
        return f"{version_of('rapidocr')};openvino {version_of('openvino')};{_MODELS};{parameters}"

    def preload(self) -> None:
        """See `OcrProvider.preload`."""
        _engine(self._threads).load()

    def recognise(self, picture: Pixels) -> list[RecognisedLine]:
        """See `OcrProvider.recognise`."""
        about_to_recognise()
        engine = _engine(self._threads)
        height, width = picture.shape[:2]
        try:
            with engine.lock:
                found = engine(np.ascontiguousarray(picture[:, :, ::-1]))
        except (RuntimeError, ValueError, cv2.error) as exc:
            raise RecognitionError("RapidOCR failed") from exc
        if found.boxes is None or not found.txts:
            return []
        return [
            line
            for quad, words in zip(found.boxes, found.word_results, strict=True)
            if (line := _line(np.asarray(quad, dtype=np.float32), words, width, height)).words
        ]


@lru_cache(maxsize=1)
def _engine(threads: int) -> _Engine:
    """One engine a process: OpenCV and the inference engine keep to as many threads."""
    cv2.setNumThreads(threads)
    logging.getLogger("RapidOCR").setLevel(logging.CRITICAL)
    engines = dict.fromkeys(("Det.engine_type", "Rec.engine_type", "Cls.engine_type"), EngineType.OPENVINO)
    limits = {"EngineConfig.openvino.inference_num_threads": threads, "EngineConfig.openvino.num_streams": 1}
    return _Engine(params=_PARAMETERS | engines | limits)


class _Engine(RapidOCR):  # type: ignore[misc]
    """RapidOCR with two steps of our own: crops that stay as they lie, and boxes of words with their confidence.

    The library turns every crop that is taller than wide, which makes a lone "1" a dash; and it pairs the
    letters of a line with confidences counted with the blanks, so that words have their neighbours'.
    """

    def __init__(self, params: dict[str, Any]) -> None:
        super().__init__(params=params)
        self.lock = Lock()

    def load(self) -> None:
        """Read and compile the models."""
        with self.lock:
            self._load_det_model()
            self._load_rec_model()

    def crop_text_regions(self, img: Pixels, det_boxes: Any) -> list[Pixels]:
        """The lines' pictures, straightened and never turned."""
        crops = []
        for box in det_boxes:
            quad = np.asarray(box, dtype=np.float32)
            crop = get_rotate_crop_image(img, quad.copy())
            length, depth = _sides(quad)
            crops.append(np.rot90(crop, 3) if int(depth) / max(int(length), 1) >= _TURNED_FROM else crop)
        return crops

    def calc_word_boxes(self, img: list[Pixels], dt_boxes: Any, rec_res: Any) -> tuple[Any, ...]:
        """For each line its words: text, confidence, where it begins and ends (0-1 of the line)."""
        pairs = zip(rec_res.txts, rec_res.word_results, strict=True)
        return tuple(_words(text, info) or ((text, 0.0, 0.0, 1.0),) for text, info in pairs)


def _words(text: str, info: Any) -> tuple[tuple[str, float, float, float], ...]:
    """Split a line at its blanks and wide gaps, by the recogniser's steps at which each letter was found."""
    steps = [step for group in info.word_cols for step in group]
    length = max(float(info.line_txt_len), 1.0)
    letters = [(c, conf) for c, conf in zip(text, info.confs, strict=True)]
    words: list[list[tuple[str, float, int]]] = [[]]
    at = 0
    for letter, confidence in letters:
        if letter.isspace():
            words.append([])
            continue
        step = steps[at]
        if words[-1] and step - words[-1][-1][2] > _GAP_STEPS:
            words.append([])
        words[-1].append((letter, confidence, step))
        at += 1
    pitch = _pitch(words)
    return tuple(_placed(word, length, pitch) for word in words if word)


def _pitch(words: list[list[tuple[str, float, int]]]) -> float:
    """Steps from letter to letter, at the median."""
    moves = [b[2] - a[2] for word in words for a, b in pairwise(word)]
    return float(np.median(moves)) if moves else 2.0


def _placed(word: list[tuple[str, float, int]], length: float, pitch: float) -> tuple[str, float, float, float]:
    text = "".join(letter for letter, _, _ in word)
    confidence = float(np.mean([conf for _, conf, _ in word]))
    begin = (word[0][2] + 0.5 - pitch / 2) / length
    end = (word[-1][2] + 0.5 + pitch / 2) / length
    return text, confidence, min(max(begin, 0.0), 1.0), min(max(end, begin + 0.002), 1.0)


def _sides(quad: Quad) -> tuple[float, float]:
    """Length along the text and depth across it, of corners that go clockwise from where the text begins."""
    length = max(float(np.linalg.norm(quad[0] - quad[1])), float(np.linalg.norm(quad[2] - quad[3])))
    depth = max(float(np.linalg.norm(quad[0] - quad[3])), float(np.linalg.norm(quad[1] - quad[2])))
    return length, depth


def _line(quad: Quad, words: Any, width: int, height: int) -> RecognisedLine:
    length, depth = _sides(quad)
    along = quad[1] - quad[0]
    placed = tuple(
        RecognisedWord(text, _part(quad, begin, end, width, height), round(confidence, 4))
        for text, confidence, begin, end in words
        if text
    )
    slope = math.degrees(math.atan2(float(along[1]), float(along[0])))
    return RecognisedLine(placed, length / max(depth, 1.0), round(slope, 3))


def _part(quad: Quad, begin: float, end: float, width: int, height: int) -> Box:
    """The box around the piece of a line between two places, 0-1 along it."""
    top, bottom = quad[1] - quad[0], quad[2] - quad[3]
    corners = np.array(
        [quad[0] + top * begin, quad[0] + top * end, quad[3] + bottom * begin, quad[3] + bottom * end]
    )
    (x0, y0), (x1, y1) = corners.min(axis=0), corners.max(axis=0)
    cut = [min(max(float(value), 0.0), 1.0) for value in (x0 / width, y0 / height, x1 / width, y1 / height)]
    return Box(*cut)
