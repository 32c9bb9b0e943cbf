from pathlib import Path

import pytest
from PIL import Image

from core.config import Settings, load_settings
from core.errors import ConfigurationError, RecognitionError, StorageError
from core.file_store import LocalFileStore
from pipeline.ocr import recognise, recognise_line
from pipeline.ocr_providers.base import Pixels, RecognisedLine, RecognisedText, RecognisedWord
from pipeline.pages.page_model import Box, Source

SETTINGS = load_settings()


class Counting:
    """Reads the same two lines in every picture, lower one first, and counts."""

    name, places_known = "counting", True
    version = "1"

    def __init__(self, settings: Settings = SETTINGS) -> None:
        self.pictures: list[tuple[int, ...]] = []

    def preload(self) -> None: ...

    def recognise(self, picture: Pixels) -> list[RecognisedLine]:
        self.pictures.append(picture.shape)
        low = RecognisedWord("father", Box(0.1, 0.5, 0.4, 0.6), 0.7)
        high = (
            RecognisedWord("My", Box(0.1, 0.1, 0.2, 0.2), 0.9),
            RecognisedWord("name", Box(0.25, 0.1, 0.5, 0.2), 0.8),
        )
        return [RecognisedLine((low,), 6.0), RecognisedLine(high, 8.0)]

    def recognise_line(self, picture: Pixels) -> RecognisedText:
        self.pictures.append(picture.shape)
        return RecognisedText("7", 0.9)


class Broken(Counting):
    def recognise(self, picture: Pixels) -> list[RecognisedLine]:
        raise RecognitionError("no answer")


def picture() -> Image.Image:
    return Image.new("RGB", (200, 300), "white")


def test_words_come_in_reading_order_with_their_mean() -> None:
    found = recognise(picture(), Counting(), SETTINGS, None)
    assert [(w.text, w.line, w.confidence) for w in found.words] == [
        ("My", 0, 0.9),
        ("name", 0, 0.8),
        ("father", 1, 0.7),
    ]
    assert all(word.source is Source.OCR for word in found.words)
    assert found.confidence == pytest.approx((2 * 0.9 + 4 * 0.8 + 6 * 0.7) / 12, abs=1e-4)


def test_the_same_picture_is_never_recognised_twice(tmp_path: Path) -> None:
    store, provider = LocalFileStore(tmp_path), Counting()
    first = recognise(picture(), provider, SETTINGS, store)
    second = recognise(picture(), provider, SETTINGS, store)
    assert (first.cached, second.cached, len(provider.pictures)) == (False, True, 1)
    assert (second.words, second.confidence) == (first.words, first.confidence)
    recognise(picture().resize((100, 150)), provider, SETTINGS, store)
    assert len(provider.pictures) == 2


def test_a_line_is_kept_apart_from_the_lines_of_the_same_picture(tmp_path: Path) -> None:
    store, provider = LocalFileStore(tmp_path), Counting()
    recognise(picture(), provider, SETTINGS, store)
    assert recognise_line(picture(), provider, store) == RecognisedText("7", 0.9)
    assert recognise_line(picture(), provider, store) == RecognisedText("7", 0.9)
    assert len(provider.pictures) == 2
    assert len(recognise(picture(), provider, SETTINGS, store).words) == 3


def test_a_failure_is_not_kept(tmp_path: Path) -> None:
    store = LocalFileStore(tmp_path)
    with pytest.raises(RecognitionError):
        recognise(picture(), Broken(), SETTINGS, store)
    assert not recognise(picture(), Counting(), SETTINGS, store).cached


def test_a_store_that_fails_is_not_taken_for_an_empty_one() -> None:
    class Failing(LocalFileStore):
        def get(self, key: str) -> bytes:
            raise StorageError("down")

    with pytest.raises(StorageError):
        recognise(picture(), Counting(), SETTINGS, Failing(Path("nowhere")))


def test_nothing_recognised_has_no_confidence() -> None:
    found = recognise(picture(), "none", SETTINGS, None)
    assert (found.words, found.confidence) == ([], None)


def test_an_unknown_provider_is_refused() -> None:
    with pytest.raises(ConfigurationError):
        recognise(picture(), "abacus", SETTINGS, None)
