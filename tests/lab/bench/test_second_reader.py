"""What counts as right, as passed wrongly, and as the same mistake, of headers that a second reader has seen."""

from __future__ import annotations

from typing import Any

import pytest

from lab.bench.reading.second_reader import HeaderScore, is_of_essay, same_errors
from scripts.regression.prediction import FileReading, Offered, Prediction
from scripts.regression.scoring.score import score_files

TRUTH = {
    "student_name": "Ana Ruiz",
    "school_name": "Harbor View",
    "grade": None,
    "word_count": 80,
    "word_count_range": [70, 90],
    "page_start": 1,
    "page_end": 1,
}


def scored(prediction: Prediction, **truth: Any) -> HeaderScore:
    reading = FileReading("a.pdf", "digest", [prediction], 1.0)
    [score] = score_files([reading], {"digest": {"kind": "header", "entries": [{**TRUTH, **truth}]}})
    return HeaderScore("a.pdf", score.entries[0])


def read(
    name: str = "Ana Ruiz", *, passed: bool = False, words: int | None = 80, **offered: Offered
) -> Prediction:
    return Prediction(
        student_name=name, school_name="Harbor View", word_count=words, needs_review=not passed, offered=offered
    )


@pytest.mark.parametrize(
    ("name", "offered", "found"),
    [
        ("Ana Ruiz", None, True),
        ("Ana Ruis", None, False),
        ("Ana Ruis", Offered("Ana Ruis", "Ana Ruiz", "proposed"), True),
        ("Ana Ruiz", Offered("Ana Ruiz", "Ana Ruis", "proposed"), False),
        ("Ana Ruiz", Offered("Ana Ruiz", "Ana Ruis", "as_read"), True),
        ("Ana Ruiz", Offered("Ana Ruiz", "Ana Ruis", "neither"), False),
        ("Ana Ruis", Offered("Ana Ruis", "Ana Ruiz", "neither"), False),
    ],
)
def test_right_is_what_the_reviewer_finds_chosen(name: str, offered: Offered | None, found: bool) -> None:
    given = read(name, student_name=offered) if offered else read(name)
    assert scored(given).score.as_found is found


@pytest.mark.parametrize(("proposed", "found"), [(None, True), ("4", False)])
def test_what_the_page_does_not_say_is_right_when_nothing_is_proposed(proposed: str | None, found: bool) -> None:
    assert scored(read(grade=Offered(None, proposed, "neither"))).score.as_found is found


@pytest.mark.parametrize(
    ("given", "truth", "wrong"),
    [
        (read("Ana Ruis"), {}, False),
        (read("Ana Ruis", passed=True), {}, True),
        (read(passed=True), {}, False),
        (read(passed=True, words=None), {}, True),
        (read(passed=True, words=None), {"word_count": None}, False),
    ],
)
def test_silent_wrong_is_what_passed_with_something_wrong(
    given: Prediction, truth: dict[str, Any], wrong: bool
) -> None:
    assert scored(given, **truth).silent_wrong is wrong


@pytest.mark.parametrize(
    ("read_as", "said", "same"),
    [
        ("Ana Ruis", "ANA RUIS", [True]),
        ("Ana Ruis", "Ana Ruiz", [False]),
        ("Ana Ru iz", "Ana Ruiz", [False]),
        ("Ana Ruiz", "Ana Ruis", []),
    ],
)
def test_the_same_mistake_is_counted_among_those_of_the_recogniser(
    read_as: str, said: str, same: list[bool]
) -> None:
    written = {"key": {"file": "a.pdf", "said": {"student_name": said}}}
    assert same_errors([scored(read(read_as))], written) == same
    assert same_errors([scored(read(read_as))], {}) == []


@pytest.mark.parametrize(
    ("line", "found"),
    [("becau5e he walks with me", True), ("Larkspur Elementary School", False), ("My dad", False)],
)
def test_lines_of_the_essay_on_a_picture_are_told_from_the_header(line: str, found: bool) -> None:
    assert is_of_essay(line, "My dad is great because he walks with me to the lake.") is found
