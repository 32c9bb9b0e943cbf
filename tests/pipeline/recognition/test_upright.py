from collections.abc import Callable

import numpy as np
import pytest

from pipeline.ocr import reading_score, upright_lines
from pipeline.ocr_providers.base import Pixels, RecognisedLine, RecognisedWord
from pipeline.pages.page_model import UNSCORED, Box


def line(text: str, confidence: float, aspect: float = 12.0) -> RecognisedLine:
    words = tuple(RecognisedWord(word, Box(0.1, 0.1, 0.2, 0.12), confidence) for word in text.split())
    return RecognisedLine(words, aspect)


GOOD = [line("My father listens first and talks later", 0.97)]
BAD = [line("uoɥʇ ɹǝʇɐl 5ǝʞ lɐʇ", 0.49)]
ON_ITS_SIDE = [line("I - , |", 0.4, aspect=0.1)] * 3


def recogniser(upright_when_turned: int) -> tuple[Callable[[Pixels], list[RecognisedLine]], list[int]]:
    """Reads well only a picture whose mark, drawn upper left and turned away, has come back to the upper left."""
    looks: list[int] = []

    def recognise(picture: Pixels) -> list[RecognisedLine]:
        h, w = picture.shape[:2]
        top, low, left, right = slice(None, h // 2), slice(h // 2, None), slice(None, w // 2), slice(w // 2, None)
        clockwise = ((top, left), (top, right), (low, right), (low, left))
        marks = [picture[rows, columns] for rows, columns in clockwise]
        at = int(np.argmin([part.mean() for part in marks])) * 90
        looks.append(h * w)
        return GOOD if at == 0 else BAD if at == 180 else ON_ITS_SIDE

    return recognise, looks


def picture(turned: int) -> Pixels:
    """A mark in the upper left corner of a page that was then turned clockwise."""
    page = np.full((3000, 2000, 3), 255, np.uint8)
    page[:400, :400] = 0
    return np.ascontiguousarray(np.rot90(page, -(turned // 90)))


@pytest.mark.parametrize("turned", [0, 90, 180, 270])
def test_a_turned_picture_is_turned_back(turned: int) -> None:
    recognise, _ = recogniser(turned)
    assert upright_lines(picture(turned), recognise) == ((360 - turned) % 360, GOOD)


@pytest.mark.parametrize("turned", [90, 270])
def test_a_page_whose_tall_lines_were_read_all_the_same(turned: int) -> None:
    recognise, _ = recogniser(turned)
    readable = [line("My father listens first and talks later", 0.9, aspect=0.1)]

    def turns_lines(picture: Pixels) -> list[RecognisedLine]:
        lines = recognise(picture)
        return readable if lines is ON_ITS_SIDE and max(picture.shape) > 900 else lines

    assert upright_lines(picture(turned), turns_lines) == ((360 - turned) % 360, GOOD)


def test_an_upright_picture_is_looked_at_once() -> None:
    recognise, looks = recogniser(0)
    upright_lines(picture(0), recognise)
    assert len(looks) == 1


def test_trials_are_made_on_a_small_picture() -> None:
    recognise, looks = recogniser(180)
    upright_lines(picture(180), recognise)
    assert looks[1] < looks[0] / 4 and looks[2] == looks[0]


def test_a_picture_that_reads_badly_every_way_stays_as_it_is() -> None:
    assert upright_lines(picture(0), lambda _: BAD) == (0, BAD)


def test_an_empty_picture_stays_as_it_is() -> None:
    assert upright_lines(picture(0), lambda _: []) == (0, [])


def test_the_score_counts_sure_letters_of_likely_words() -> None:
    assert reading_score([line("father xqzkjw", 0.8)]) == pytest.approx(0.4)
    assert reading_score([]) == 0.0


def test_a_provider_without_confidences_is_asked_once() -> None:
    looks: list[Pixels] = []

    def recognise(picture: Pixels) -> list[RecognisedLine]:
        looks.append(picture)
        return [line("My father listens first", UNSCORED), line("Quintero", UNSCORED, aspect=0.1)]

    turned, lines = upright_lines(picture(0), recognise)
    assert (turned, len(lines), len(looks)) == (0, 2, 1)
