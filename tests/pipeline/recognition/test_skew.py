import math

import pytest

from pipeline.ocr import skew_of, straight_boxes
from pipeline.ocr_providers.base import RecognisedLine, RecognisedWord
from pipeline.pages.page_model import Box, reading_order

_RATIO = 612 / 792


def line(text: str, x: float, y: float, slope: float, ratio: float = _RATIO) -> RecognisedLine:
    """A line that begins at (x, y) of a straight page which was then turned clockwise about its corner."""
    radians = math.radians(slope)
    words = []
    for number, word in enumerate(text.split()):
        across, down = (x + 0.1 * number) * ratio, y
        u = (across * math.cos(radians) - down * math.sin(radians)) / ratio
        v = across * math.sin(radians) + down * math.cos(radians)
        words.append(RecognisedWord(word, Box(u, v - 0.007, u + 0.08, v + 0.007), 0.9))
    return RecognisedLine(tuple(words), 10.0, slope)


@pytest.mark.parametrize("slope", [-4.0, -1.5, 0.0, 1.5, 4.0])
def test_the_order_of_a_page_askew_is_that_of_the_straight_page(slope: float) -> None:
    lines = [
        line("School Lakeview", 0.7, 0.17, slope),
        line("Father Ernesto Quintero", 0.05, 0.17, slope),
        line("Grade 4", 0.7, 0.145, slope),
        line("Student Marisol Quintero", 0.05, 0.145, slope),
    ]
    order = reading_order(straight_boxes(lines, _RATIO))
    assert [lines[n].words[0].text for n in order] == ["Student", "Grade", "Father", "School"]


def test_a_lone_figure_says_nothing_of_the_page() -> None:
    lone = RecognisedLine((RecognisedWord("1", Box(0.1, 0.1, 0.11, 0.12), 0.9),), 0.4, 88.0)
    assert skew_of([lone]) == 0.0
    assert skew_of([lone, line("My father", 0.1, 0.3, 2.0)]) == 2.0
