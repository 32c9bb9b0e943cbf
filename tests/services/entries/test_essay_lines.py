"""Lines of a transcription beside the rows of the page."""

from __future__ import annotations

from services.entries.essay import MOST_LINES, EssayLine, WrittenRow, essay_lines, place_lines
from services.pages import PagePlace

READ = ["My father drives", "the night bus and", "makes pancakes."]
ROWS = [
    WrittenRow(PagePlace(1, 0.1, 0.1 * number, 0.9, 0.1 * number + 0.05), text) for number, text in enumerate(READ)
]


def places(lines: list[EssayLine]) -> list[int | None]:
    known = {row.place: index for index, row in enumerate(ROWS)}
    return [known[line.place] if line.place else None for line in lines]


def test_each_line_on_its_row() -> None:
    lines = essay_lines("\n".join(READ), ROWS)
    assert [line.text for line in lines] == READ
    assert places(lines) == [0, 1, 2]


def test_a_line_put_in_has_no_row_and_moves_no_other() -> None:
    assert places(place_lines([READ[0], "put in by a person", *READ[1:]], ROWS)) == [0, None, 1, 2]


def test_a_line_taken_out_moves_no_other() -> None:
    assert places(place_lines([READ[0], READ[2]], ROWS)) == [0, 2]


def test_a_line_written_anew_takes_the_row_left_between() -> None:
    assert places(place_lines([READ[0], "zzz qqq", READ[2]], ROWS)) == [0, 1, 2]


def test_a_blank_line_has_no_row() -> None:
    assert places(place_lines([READ[0], "", *READ[1:]], ROWS)) == [0, None, 1, 2]


def test_rows_without_text_are_taken_in_order() -> None:
    bare = [WrittenRow(row.place) for row in ROWS]
    assert places(place_lines(READ, bare)) == [0, 1, 2]
    assert places(place_lines(READ[:2], bare)) == [None, None]


def test_a_text_without_line_ends_is_broken_as_the_page_is() -> None:
    lines = essay_lines("My father drives the night bus and makes pancakes.", ROWS)
    assert [line.text for line in lines] == READ
    assert places(lines) == [0, 1, 2]


def test_a_text_that_stands_nowhere_stays_whole() -> None:
    assert [line.text for line in essay_lines("Something else entirely.", ROWS)] == ["Something else entirely."]


def test_without_a_text_the_rows_give_what_was_read() -> None:
    assert [line.text for line in essay_lines("", ROWS)] == READ


def test_more_lines_than_an_essay_has_are_kept_but_not_matched() -> None:
    typed = [str(number) for number in range(5 * MOST_LINES)]
    for lines in (
        place_lines(typed, ROWS),
        place_lines(["\n".join(typed)], ROWS),
        essay_lines("\n".join(typed), ROWS),
    ):
        assert len(lines) == MOST_LINES
        assert "\n".join(line.text for line in lines).split("\n") == typed


def test_a_text_of_the_same_word_is_not_compared_with_a_page_of_it() -> None:
    page = [WrittenRow(ROWS[0].place, "one and " * 50) for _ in range(40)]
    assert [line.text for line in essay_lines("and one " * 5000, page)] == ["and one " * 5000]
