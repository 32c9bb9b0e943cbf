"""What every OCR provider of the tuple promises."""

import numpy as np
import pymupdf
import pytest

from core.config import Settings, load_settings
from core.errors import ConfigurationError
from pipeline.ocr_providers import ALL_PROVIDERS, get_provider
from pipeline.ocr_providers.base import OcrProvider, Pixels
from tests.support.documents import drawn, essay_page

SETTINGS = load_settings()


@pytest.fixture(params=ALL_PROVIDERS, ids=lambda provider: provider.name)
def provider(request: pytest.FixtureRequest) -> OcrProvider:
    made: OcrProvider = request.param(SETTINGS)
    made.preload()
    return made


def page_pixels(dpi: int = 100) -> Pixels:
    with pymupdf.open("pdf", drawn(essay_page)) as document:
        pixels = document[0].get_pixmap(dpi=dpi)
        return np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width, 3)


def test_it_is_found_by_its_name(provider: OcrProvider) -> None:
    assert type(get_provider(provider.name, SETTINGS)) is type(provider)


def test_its_version_is_stable_and_its_own(provider: OcrProvider) -> None:
    assert provider.version == type(provider)(SETTINGS).version
    assert [p(SETTINGS).version for p in ALL_PROVIDERS].count(provider.version) == 1


def test_lines_have_words_with_boxes_on_the_picture(provider: OcrProvider) -> None:
    for line in provider.recognise(page_pixels()):
        assert line.words and line.aspect > 0 and -90 <= line.slope <= 90
        for word in line.words:
            assert word.text and not any(c.isspace() for c in word.text)
            assert 0 <= word.confidence <= 1
            x0, y0, x1, y1 = word.box
            assert 0 <= x0 <= x1 <= 1 and 0 <= y0 <= y1 <= 1


@pytest.mark.parametrize("shape", [(200, 300), (1, 1), (7, 900), (900, 7), (3000, 20)])
def test_blank_pictures_of_any_shape_have_no_words(provider: OcrProvider, shape: tuple[int, int]) -> None:
    assert provider.recognise(np.full((*shape, 3), 255, np.uint8)) == []


def test_the_same_picture_reads_the_same(provider: OcrProvider) -> None:
    assert provider.recognise(page_pixels()) == provider.recognise(page_pixels())


def test_one_line_has_a_text_without_looking_for_its_place(provider: OcrProvider) -> None:
    line = provider.recognise_line(page_pixels()[60:90])
    assert 0 <= line.confidence <= 1
    assert line == provider.recognise_line(page_pixels()[60:90])
    assert (line.confidence > 0) == bool(line.text) == bool(line.text.strip())


def test_a_blank_line_says_nothing(provider: OcrProvider) -> None:
    assert provider.recognise_line(np.full((40, 90, 3), 255, np.uint8)).text == ""


def test_an_unknown_name_is_refused_with_those_there_are() -> None:
    with pytest.raises(ConfigurationError, match=r"OCR_PROVIDER.*rapidocr, none"):
        get_provider("abacus", Settings())
