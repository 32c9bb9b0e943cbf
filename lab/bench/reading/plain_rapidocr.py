"""RapidOCR as it comes: the peer of our provider, for the benchmark alone."""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Any, ClassVar

import numpy as np
from PIL import Image
from rapidocr import RapidOCR

from core.config import Settings
from pipeline.ocr_providers.base import Pixels, RecognisedLine, RecognisedText, RecognisedWord
from pipeline.pages.page_model import Box


class PlainRapidOcr:
    """Default settings but for the number of threads, which is ours; whole lines, as it gives them."""

    name: ClassVar[str] = "rapidocr-default"
    places_known: ClassVar[bool] = True
    _engine: ClassVar[RapidOCR | None] = None

    def __init__(self, settings: Settings) -> None:
        self._threads = settings.ocr_threads

    @property
    def version(self) -> str:
        """See `OcrProvider.version`."""
        return f"default {version_of('rapidocr')}"

    def preload(self) -> None:
        """See `OcrProvider.preload`."""
        if PlainRapidOcr._engine is None:
            threads = {"EngineConfig.onnxruntime.intra_op_num_threads": self._threads}
            PlainRapidOcr._engine = RapidOCR(params={"Global.log_level": "critical", **threads})

    def found_in(self, picture: Image.Image) -> Any:
        """What the library says of a picture."""
        return self._read(np.asarray(picture.convert("RGB")))

    def recognise(self, picture: Pixels) -> list[RecognisedLine]:
        """See `OcrProvider.recognise`."""
        found = self._read(picture)
        if found.boxes is None or not found.txts:
            return []
        height, width = picture.shape[:2]
        lines = zip(found.boxes, found.txts, found.scores, strict=True)
        return [_line(np.asarray(box), text, float(score), width, height) for box, text, score in lines if text]

    def recognise_line(self, picture: Pixels) -> RecognisedText:
        """See `OcrProvider.recognise_line`."""
        return RecognisedText.of(word for line in self.recognise(picture) for word in line.words)

    def _read(self, picture: Pixels) -> Any:
        self.preload()
        assert PlainRapidOcr._engine is not None
        return PlainRapidOcr._engine(np.ascontiguousarray(picture[:, :, ::-1]))


def _line(quad: Pixels, text: str, score: float, width: int, height: int) -> RecognisedLine:
    """The line's words, each with its letters' share of the line."""
    (x0, y0), (x1, y1) = quad.min(axis=0), quad.max(axis=0)
    words, at = [], 0
    for word in text.split():
        start = text.index(word, at)
        at = start + len(word)
        left, right = (x0 + (x1 - x0) * n / len(text) for n in (start, at))
        box = Box(*(min(max(float(v), 0.0), 1.0) for v in (left / width, y0 / height, right / width, y1 / height)))
        words.append(RecognisedWord(word, box, score))
    return RecognisedLine(tuple(words), round(float((x1 - x0) / max(y1 - y0, 1.0)), 3))
