"""Places for lines without any: true where the ink tells, in order where it does not."""

from itertools import pairwise

import numpy as np
import pytest

from pipeline.ocr_providers.base import Pixels
from pipeline.ocr_providers.groq import has_ink, placed_lines
from pipeline.pages.page_model import UNSCORED
from tests.support.reading.recognisers import PAGE_LINES, PAGE_WORDS, blank, page_pixels


def test_as_many_rows_of_ink_as_lines_give_each_line_its_row() -> None:
    words = [word for line in placed_lines(PAGE_LINES, page_pixels(150)) for word in line.words]
    for word, (x0, y0, x1, y1, text, *_) in zip(words, PAGE_WORDS, strict=True):
        assert word.text == text
        assert y0 - 2 < word.box.cy * 792 < y1 + 2
        assert abs(word.box.cx * 612 - (x0 + x1) / 2) < 30


@pytest.mark.parametrize("count", [1, 3, 40])
def test_else_the_lines_share_the_height_of_the_ink_in_order(count: int) -> None:
    lines = placed_lines([f"line {n}" for n in range(count)], page_pixels())
    tops = [line.words[0].box.y0 for line in lines]
    assert [line.text for line in lines] == [f"line {n}" for n in range(count)]
    assert all(upper < lower for upper, lower in pairwise(tops))
    first, last = min(word[1] for word in PAGE_WORDS) / 792, max(word[3] for word in PAGE_WORDS) / 792
    assert first - 0.01 < tops[0] and lines[-1].words[0].box.y1 < last + 0.01


def test_words_share_their_line_by_their_letters() -> None:
    (line,) = placed_lines(["a bbb"], ink((10, 90)))
    assert [word.box.x0 for word in line.words] == pytest.approx([0.1, 0.1 + 0.8 * 2 / 5], abs=0.02)
    assert line.words[1].box.x1 == pytest.approx(0.9, abs=0.02)
    assert {word.confidence for word in line.words} == {UNSCORED}
    assert line.aspect > 1


def test_no_lines_need_no_place() -> None:
    assert placed_lines([], blank(20, 20)) == []


@pytest.mark.parametrize("shape", [(1, 1), (1, 300), (300, 1), (50, 50)])
def test_blank_paper_has_no_ink(shape: tuple[int, int]) -> None:
    assert not has_ink(blank(*shape))
    assert has_ink(ink((10, 90)))


def ink(across: tuple[int, int]) -> Pixels:
    """A row of strokes on a picture of 100 by 60."""
    picture = np.full((60, 100, 3), 255, np.uint8)
    picture[20:30, across[0] : across[1] : 4] = 0
    picture[20:30, across[1] - 2 : across[1]] = 0
    return picture
