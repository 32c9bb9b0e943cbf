import math

import pytest

from core.errors import RecognitionUnavailableError
from pipeline.ocr_providers.tesseract import lines_of_tsv

HEADER = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n"


def tsv(*rows: str) -> bytes:
    return (HEADER + "".join(row.replace(" ", "\t") + "\n" for row in rows)).encode()


def test_words_of_a_line_come_together_with_shares_of_the_picture() -> None:
    found = lines_of_tsv(
        tsv(
            "4 1 1 1 1 0 20 10 100 10 -1 ",
            "5 1 1 1 1 1 20 10 40 10 96.5 Begoña",
            "5 1 1 1 1 2 70 10 50 10 88 Ibáñez",
            "5 1 1 1 2 1 20 30 10 10 50 7",
        ),
        200,
        100,
    )
    assert [line.text for line in found] == ["Begoña Ibáñez", "7"]
    first = found[0].words[0]
    assert first.box == pytest.approx((0.1, 0.1, 0.3, 0.2))
    assert (first.confidence, found[0].aspect) == (0.965, 10.0)


@pytest.mark.parametrize(
    "row", ["5 1 1 1 1 1 0 0 200 100 95  ", "5 1 1 1 1 1 3 3 9 9 0 Oo", "5 1 1 1 1 1 3 3 9 9 nan x"]
)
def test_blanks_and_what_it_does_not_believe_are_no_words(row: str) -> None:
    assert lines_of_tsv(tsv(row), 200, 100) == []


def test_marks_that_part_text_elsewhere_part_no_rows() -> None:
    (line,) = lines_of_tsv(tsv('5 1 1 1 1 1 3 3 9 9 90 "a\x85b\u2028'), 200, 100)
    assert line.text == '"ab'


def test_a_line_that_falls_says_so() -> None:
    falling = [f"5 1 1 1 1 {n + 1} {n * 100} {10 + n * 5} 80 10 90 word" for n in range(5)]
    (line,) = lines_of_tsv(tsv(*falling), 600, 400)
    assert line.slope == pytest.approx(math.degrees(math.atan(0.05)), abs=0.01)


def test_a_single_word_tells_no_slope() -> None:
    (line,) = lines_of_tsv(tsv("5 1 1 1 1 1 3 3 9 9 90 7"), 200, 100)
    assert line.slope == 0.0


def test_a_box_over_the_edge_is_cut() -> None:
    (line,) = lines_of_tsv(tsv("5 1 1 1 1 1 -5 90 300 20 90 x"), 200, 100)
    assert line.words[0].box == (0.0, 0.9, 1.0, 1.0)


@pytest.mark.parametrize("answer", [b"", b"Marisol", tsv("5 1 1"), tsv("5 1 1 1 1 1 a 3 9 9 90 x")])
def test_what_is_no_tsv_is_an_error(answer: bytes) -> None:
    with pytest.raises(RecognitionUnavailableError):
        lines_of_tsv(answer, 200, 100)
