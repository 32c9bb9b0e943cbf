import json
from pathlib import Path

import numpy as np
import pytest

from core.file_store import LocalFileStore
from pipeline.ocr import cache_key, load_recognition, save_recognition
from pipeline.ocr_providers.base import Pixels, RecognisedLine, RecognisedWord
from pipeline.pages.page_model import Box

LINES = [RecognisedLine((RecognisedWord("niño", Box(0.1, 0.2, 0.3, 0.25), 0.87),), 5.5, -1.25)]


class Provider:
    name = "fake"

    def __init__(self, version: str = "1", name: str = "fake") -> None:
        self.version = version
        self.name = name


def picture(value: int = 9, shape: tuple[int, int] = (20, 30)) -> Pixels:
    return np.full((*shape, 3), value, np.uint8)


def test_what_is_kept_comes_back_whole(tmp_path: Path) -> None:
    store, key = LocalFileStore(tmp_path), cache_key(picture(), Provider())
    assert load_recognition(key, store) is None
    save_recognition(key, 90, LINES, store)
    assert load_recognition(key, store) == (90, LINES)
    assert json.loads(store.get(key))["turned"] == 90


@pytest.mark.parametrize(
    ("other", "provider"),
    [
        (picture(8), Provider()),
        (picture(shape=(30, 20)), Provider()),
        (picture(), Provider(version="2")),
        (picture(), Provider(name="other")),
    ],
    ids=["pixels", "shape", "version", "provider"],
)
def test_another_picture_or_another_way_has_another_key(other: Pixels, provider: Provider) -> None:
    assert cache_key(other, provider) != cache_key(picture(), Provider())


def test_keys_lie_in_the_cache_and_are_the_same_each_time() -> None:
    key = cache_key(picture(), Provider())
    assert key.startswith("cache/ocr/")
    assert key == cache_key(picture(), Provider())


def test_without_a_store_nothing_is_kept() -> None:
    save_recognition("cache/ocr/x", 0, LINES, None)
    assert load_recognition("cache/ocr/x", None) is None
