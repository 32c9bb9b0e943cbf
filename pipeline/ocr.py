"""Recognise pictures: turn them upright, and use the cache for pictures that were recognised before."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PIL import Image

from core.characters import storable
from core.config import Settings
from core.file_store import FileStore
from pipeline.ocr_providers import get_provider
from pipeline.ocr_providers.base import OcrProvider, Pixels, RecognisedLine, RecognisedText
from pipeline.pages.geometry import turn_box
from pipeline.pages.page_model import Source, Word
from pipeline.pages.reading_order import reading_order
from pipeline.recognition.ocr_cache import cache_key, load, load_line, save, save_line
from pipeline.recognition.skew import straightened
from pipeline.recognition.upright import upright_lines


@dataclass(frozen=True, slots=True)
class Recognition:
    """Result of recognising one picture."""

    #: In reading order of the upright picture; boxes 0-1 of the picture as given.
    words: list[Word]
    #: Mean confidence over the letters, None where nothing was recognised.
    confidence: float | None
    #: Clockwise degrees by which the picture had to be turned to be upright.
    turned: int
    #: Whether it came from the cache.
    cached: bool


def recognise(
    image: Image.Image, provider: str | OcrProvider, settings: Settings, store: FileStore | None
) -> Recognition:
    """Recognise a picture. Raises RecognitionError, ConfigurationError for an unknown provider."""
    chosen = get_provider(provider, settings) if isinstance(provider, str) else provider
    pixels: Pixels = np.asarray(image.convert("RGB"), dtype=np.uint8)
    key = cache_key(pixels, chosen)
    known = load(key, store)
    turned, lines = known or upright_lines(pixels, chosen.recognise)
    if known is None:
        save(key, turned, lines, store)
    words = _words(lines, turned, pixels.shape[1] / pixels.shape[0])
    return Recognition(words, _mean(words), turned, known is not None)


def recognise_line(image: Image.Image, provider: OcrProvider, store: FileStore | None) -> RecognisedText:
    """Recognise a picture of one upright line; from the cache if it was recognised before.

    Raises RecognitionError.
    """
    pixels: Pixels = np.asarray(image.convert("RGB"), dtype=np.uint8)
    key = cache_key(pixels, provider, one_line=True)
    if (known := load_line(key, store)) is not None:
        return known
    found = provider.recognise_line(pixels)
    save_line(key, found, store)
    return found


def _words(lines: list[RecognisedLine], turned: int, ratio: float) -> list[Word]:
    """Return the words in the reading order of the upright picture, with boxes of the picture as given.

    `ratio`: width over height of the picture as given.
    """
    order = reading_order(straightened(lines, ratio if turned in (0, 180) else 1 / ratio))
    return [
        Word(text, turn_box(word.box, -turned), word.confidence, Source.OCR, number)
        for number, index in enumerate(order)
        for word in lines[index].words
        if (text := storable(word.text))
    ]


def _mean(words: list[Word]) -> float | None:
    letters = sum(len(word.text) for word in words)
    return round(sum(word.confidence * len(word.text) for word in words) / letters, 4) if letters else None
