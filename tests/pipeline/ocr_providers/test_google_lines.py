"""Google's pieces become words as they are written, and lines as they lie."""

from typing import Any

import pytest

from pipeline.ocr_providers.base import RecognisedLine
from pipeline.ocr_providers.google import FullText, vision_lines
from pipeline.pages.page_model import UNSCORED
from tests.support.servers.vision_server import Corners, Written, annotation, upright

SIZE = (1000, 500)


def lines(*words: Written) -> list[RecognisedLine]:
    return vision_lines(full_text(*words), *SIZE)


def full_text(*words: Written) -> FullText:
    return FullText.model_validate(annotation(words, SIZE)["fullTextAnnotation"])


def at(number: int, follows: str = "SPACE", text: str = "word") -> Written:
    return Written(text, upright(100 * number, 0, 100 * number + 80, 20), follows=follows)


def test_marks_stay_with_their_word_and_their_boxes_join() -> None:
    (line,) = lines(at(0, text="first,"), at(1, "LINE_BREAK", text="later.)"))
    assert line.text == "first, later.)"
    assert line.words[0].box == pytest.approx((0, 0, 0.08, 0.04), abs=0.001)


@pytest.mark.parametrize("follows", ["LINE_BREAK", "EOL_SURE_SPACE"])
def test_a_line_ends_where_google_says(follows: str) -> None:
    assert [line.text for line in lines(at(0), at(1, follows), at(2))] == ["word word", "word"]


def test_a_hyphen_at_the_end_of_a_line_is_written() -> None:
    assert [line.text for line in lines(at(0, "HYPHEN", "Quin"), at(1, "LINE_BREAK", "tero"))] == ["Quin-", "tero"]


def test_a_break_before_a_word_counts_too() -> None:
    text = annotation([at(0, ""), at(1, ""), at(2, "")], SIZE)["fullTextAnnotation"]
    pieces = text["pages"][0]["blocks"][0]["paragraphs"][0]["words"]
    for piece, kind in ((pieces[1], "SPACE"), (pieces[2], "LINE_BREAK")):
        piece["symbols"][0]["property"] = {"detectedBreak": {"type": kind, "isPrefix": True}}
    found = vision_lines(FullText.model_validate(text), *SIZE)
    assert [line.text for line in found] == ["word word", "word"]


def test_paragraphs_are_lines_of_their_own() -> None:
    text: dict[str, Any] = annotation([at(0)], SIZE)["fullTextAnnotation"]
    block = text["pages"][0]["blocks"][0]
    text["pages"][0]["blocks"] = [block, block, {}]
    block["paragraphs"].append({})
    assert [line.text for line in vision_lines(FullText.model_validate(text), *SIZE)] == ["word", "word"]


@pytest.mark.parametrize("blank", ["", " ", "\u3000"])
def test_blanks_are_no_words(blank: str) -> None:
    text = annotation([at(0), at(1)], SIZE)["fullTextAnnotation"]
    text["pages"][0]["blocks"][0]["paragraphs"][0]["words"][1]["symbols"] = [{"text": blank}]
    assert [line.text for line in vision_lines(FullText.model_validate(text), *SIZE)] == ["word"]


def test_a_word_without_a_confidence_is_unscored() -> None:
    (line,) = lines(Written("word", upright(0, 0, 80, 20), confidence=0.0))
    assert line.words[0].confidence == UNSCORED


def test_a_box_beyond_the_picture_is_cut() -> None:
    (line,) = lines(Written("word", upright(-20, -5, 1400, 20)))
    assert line.words[0].box == (0, 0, 1, 0.04)


#: A line of two words: length 200, depth 20.
ACROSS = ((0, 0), (90, 0), (90, 20), (0, 20)), ((110, 0), (200, 0), (200, 20), (110, 20))


def turned(degrees: int) -> list[Corners]:
    def turn(x: float, y: float) -> tuple[float, float]:
        at = {0: (x, y), 90: (20 - y, x), 180: (200 - x, 20 - y), 270: (y, 200 - x)}[degrees]
        return at[0] + 50, at[1] + 50

    return [[turn(x, y) for x, y in corners] for corners in ACROSS]


@pytest.mark.parametrize(
    ("degrees", "aspect", "confidence"), [(0, 10.0, 0.98), (180, 10.0, 0.49), (90, 0.1, 0.49), (270, 0.1, 0.49)]
)
def test_how_a_line_lies(degrees: int, aspect: float, confidence: float) -> None:
    first, second = turned(degrees)
    (line,) = lines(Written("My", first), Written("father", second))
    assert (line.text, line.aspect, line.slope) == ("My father", aspect, 0.0)
    assert {word.confidence for word in line.words} == {confidence}


def test_a_line_that_falls_says_so() -> None:
    falling = [
        Written("word", ((x, x / 20), (x + 80, x / 20 + 4), (x + 80, x / 20 + 24), (x, x / 20 + 20)))
        for x in (0, 100)
    ]
    (line,) = lines(*falling)
    assert line.slope == pytest.approx(2.86, abs=0.1)
    assert line.aspect > 5
