"""Recognise pictures: turn them upright, and use the cache for pictures recognised before."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

import cv2
import numpy as np
from PIL import Image

from core.config import Settings
from core.errors import NotFoundError
from core.file_store import FileStore
from core.plain_data import storable
from pipeline.ocr_providers import get_provider
from pipeline.ocr_providers.base import OcrProvider, Pixels, RecognisedLine, RecognisedText, RecognisedWord
from pipeline.pages.page_model import UNSCORED, Box, Source, Word, reading_order, turn_box
from pipeline.pages.text_trust import plausible_word


@dataclass(frozen=True, slots=True)
class Recognition:
    #: In reading order of the upright picture; boxes 0-1 of the picture as given.
    words: list[Word]
    #: Mean confidence over the letters, None where nothing was recognised.
    confidence: float | None
    #: Clockwise degrees by which the picture had to be turned to be upright.
    turned: int
    cached: bool


def recognise(
    image: Image.Image, provider: str | OcrProvider, settings: Settings, store: FileStore | None
) -> Recognition:
    """Recognise a picture. Raises RecognitionError, ConfigurationError for an unknown provider."""
    chosen = get_provider(provider, settings) if isinstance(provider, str) else provider
    pixels: Pixels = np.asarray(image.convert("RGB"), dtype=np.uint8)
    key = cache_key(pixels, chosen)
    known = load_recognition(key, store)
    turned, lines = known or upright_lines(pixels, chosen.recognise)
    if known is None:
        save_recognition(key, turned, lines, store)
    words = _words(lines, turned, pixels.shape[1] / pixels.shape[0])
    return Recognition(words, _mean(words), turned, known is not None)


def recognise_line(image: Image.Image, provider: OcrProvider, store: FileStore | None) -> RecognisedText:
    """Recognise a picture of one upright line; from the cache if it was recognised before.

    Raises RecognitionError.
    """
    pixels: Pixels = np.asarray(image.convert("RGB"), dtype=np.uint8)
    key = cache_key(pixels, provider, one_line=True)
    if (kept := _kept(key, store)) is not None:
        return RecognisedText(kept["text"], kept["confidence"], tuple(kept["steps"]))
    found = provider.recognise_line(pixels)
    _keep(key, asdict(found), store)
    return found


def _words(lines: list[RecognisedLine], turned: int, ratio: float) -> list[Word]:
    """Return the words in the reading order of the upright picture, with boxes of the picture as given.

    `ratio`: width over height of the picture as given.
    """
    order = reading_order(straight_boxes(lines, ratio if turned in (0, 180) else 1 / ratio))
    return [
        Word(text, turn_box(word.box, -turned), word.confidence, Source.OCR, number)
        for number, index in enumerate(order)
        for word in lines[index].words
        if (text := storable(word.text))
    ]


def _mean(words: list[Word]) -> float | None:
    letters = sum(len(word.text) for word in words)
    return round(sum(word.confidence * len(word.text) for word in words) / letters, 4) if letters else None


# Cache of recognitions in the file store, by a hash of the picture and of how it was recognised.


#: Incremented when the turning of pictures, or the cached format of pages or single lines, changes.
_FORMAT = 1
_LINE_FORMAT = 2


def cache_key(picture: Pixels, provider: OcrProvider, one_line: bool = False) -> str:
    """The key of a picture read by a provider: of pixels, provider, its version, models and parameters.

    A picture read as one line has another key than the same picture searched for lines.
    """
    how = json.dumps(
        [_FORMAT, provider.name, provider.version, picture.shape, *(["line", _LINE_FORMAT] if one_line else [])]
    )
    digest = hashlib.sha256(how.encode())
    digest.update(picture.tobytes())
    name = digest.hexdigest()
    return f"cache/ocr/{name[:2]}/{name}.json"


def load_recognition(key: str, store: FileStore | None) -> tuple[int, list[RecognisedLine]] | None:
    """Return degrees turned and lines, None if they are not cached."""
    kept = _kept(key, store)
    return None if kept is None else (kept["turned"], [_line(line) for line in kept["lines"]])


def save_recognition(key: str, turned: int, lines: list[RecognisedLine], store: FileStore | None) -> None:
    kept = {
        "turned": turned,
        "lines": [
            [line.aspect, line.slope, [[word.text, word.confidence, *word.box] for word in line.words]]
            for line in lines
        ],
    }
    _keep(key, kept, store)


def _kept(key: str, store: FileStore | None) -> Any:
    if store is None:
        return None
    try:
        return json.loads(store.get(key))
    except NotFoundError:
        return None


def _keep(key: str, kept: dict[str, Any], store: FileStore | None) -> None:
    if store is not None:
        store.put(key, json.dumps(kept, ensure_ascii=False).encode(), "application/json")


def _line(kept: list[object]) -> RecognisedLine:
    aspect, slope, words = kept
    return RecognisedLine(
        tuple(RecognisedWord(text, Box(*box), confidence) for text, confidence, *box in words),  # type: ignore[attr-defined]
        float(aspect),  # type: ignore[arg-type]
        float(slope),  # type: ignore[arg-type]
    )


# Straighten the lines of a skewed picture, only to order them: recognition cuts out each line along its own slope.


#: Ratio of length to height from which a line shows the skew; a lone "1" does not.
_LONG = 4.0


def skew_of(lines: Sequence[RecognisedLine]) -> float:
    """Return the slope of a picture's lines in degrees, clockwise."""
    return median([line.slope for line in lines if line.aspect >= _LONG] or [0.0])


def straight_boxes(lines: Sequence[RecognisedLine], ratio: float) -> list[Box]:
    """Return a box for each line in the straightened picture; `ratio` is width over height."""
    radians = math.radians(skew_of(lines))
    sine, cosine = math.sin(radians), math.cos(radians)
    return [_straight(line, ratio, sine, cosine) for line in lines]


def _straight(line: RecognisedLine, ratio: float, sine: float, cosine: float) -> Box:
    boxes = [word.box for word in line.words]
    first, last = boxes[0], boxes[-1]
    x, y = (first.x0 + last.x1) / 2 * ratio, (first.cy + last.cy) / 2
    across, down = (x * cosine + y * sine) / ratio, y * cosine - x * sine
    wide = (last.x1 - first.x0) / cosine
    high = min(box.height for box in boxes)
    return Box(across - wide / 2, down - high / 2, across + wide / 2, down + high / 2)


# Turn a picture upright by comparing recognition at several orientations, only if the first result is weak.


Recogniser = Callable[[Pixels], list[RecognisedLine]]

#: Ratio of length to height below which lines are on their side.
_TALL = 0.7
#: With at least this score the first recognition is accepted.
_GOOD = 0.7
#: Factor by which another orientation must be better: a weak upright reading is likelier than a turned page.
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
    return sum(line.aspect < _TALL for line in lines) > len(lines) / 2


def _turned(picture: Pixels, degrees: int) -> Pixels:
    return np.ascontiguousarray(np.rot90(picture, -(degrees // 90)))


def _small(picture: Pixels) -> Pixels:
    height, width = picture.shape[:2]
    scale = min(1.0, _SMALL / max(height, width))
    size = (max(round(width * scale), 1), max(round(height * scale), 1))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
