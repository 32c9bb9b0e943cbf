"""What the form prints is found, each text by itself or all at once."""

from __future__ import annotations

import pytest

from pipeline.extraction.printed import LineText, find_text, find_texts, find_word, openings_of, rule_lines
from pipeline.extraction.tokens import Token
from pipeline.pages.page_model import Box, Source

TEXTS = ("Student’s Full Name", "Father/Father-Figure Name", "School", "Grade (K-12)", "Writing about:")
LINES = (
    "Student's Full Name Marisol Vega",
    "Studenfs FullName",
    "Father/Father-Figure",
    "Grade (K-12) 4 School Larkspur Elementary",
    "My father figure is my grandfather, about whom I am writing.",
    "",
)


def line(text: str) -> LineText:
    words = enumerate(text.split())
    return LineText(
        [Token(word, Box(60.0 * n, 10, 60.0 * n + 50, 20), 1.0, Source.TEXT_LAYER, 1, 0) for n, word in words]
    )


def test_many_texts_are_found_as_each_alone() -> None:
    lines = [line(text) for text in LINES]
    alone = {text: places for text in TEXTS if (places := find_text(lines, text))}
    assert find_texts(lines, TEXTS) == alone
    assert list(alone) == ["Student’s Full Name", "Father/Father-Figure Name"]
    assert [place.line for place in alone["Student’s Full Name"]] == [0, 1]


@pytest.mark.parametrize("lines", [[], [line("")]])
def test_nothing_is_found_on_an_empty_page(lines: list[LineText]) -> None:
    assert find_texts(lines, TEXTS) == {}


def test_lines_are_compared_anew_beside_those_compared_before() -> None:
    both = [line("Student's Full Name"), line("Father/Father-Figure Name")]
    first = find_texts(both[:1], TEXTS)
    found = find_texts(both, TEXTS)
    assert list(found) == [*first, "Father/Father-Figure Name"]
    assert [place.line for places in found.values() for place in places] == [0, 1]


def test_openings_are_the_words_found_where_lines_begin() -> None:
    texts = ("School", "Grade", "Email", "Teacher")
    lines = [line(text) for text in ("Schaol Larkspur", "My Email", "Gradeschool", "Grade:4", "Teechar Vega", "")]
    begun = [
        text
        for text in texts
        if any(place.start in lines[place.line].line_starts for place in find_word(enumerate(lines), text))
    ]
    assert openings_of(lines, texts) == set(begun) == {"School", "Grade"}


def test_letters_know_their_tokens() -> None:
    text = line("It's Ñandú 2nd")
    assert text.text == "itsnandu2nd"
    assert [text.tokens[index].text[at] for index, at in text.owner] == list("ItsÑandú2nd")


def test_a_span_is_cut_where_it_begins_and_ends() -> None:
    text = line("— It's : Ñandú 2nd")
    for start, end, said in ((0, 3, ["It's"]), (1, 4, ["t's", "Ñ"]), (3, 8, ["Ñandú"]), (9, 11, ["nd"])):
        assert [token.text for token in text.span(start, end)] == said, (start, end)


def test_so_many_letters_of_a_line_are_compared_with_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Type laid over type makes lines of any length, and one of 500 letters takes half a second."""
    compared: list[str] = []
    monkeypatch.setattr("pipeline.extraction.printed._is_rule", compared.append)
    rule_lines([line("contest " * 500)])
    assert [len(text) for text in compared] == [200]
