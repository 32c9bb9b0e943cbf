"""Lines come apart into the words that are labelled, with what parts them on the page."""

from __future__ import annotations

import pytest

from pipeline.extraction.labelling.features import WordGap, split_lines


def words(*lines: str) -> list[str]:
    return [word.text for line in split_lines(lines) for word in line.words]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Oakley101", ["Oakley", "101"]),
        ("RM3", ["RM", "3"]),
        ("3-207", ["3", "-", "207"]),
        ("5-B 7o 2ed 4th", ["5", "-", "B", "7o", "2ed", "4th"]),
        ("Reyes-Quintana O'Connor's", ["Reyes-Quintana", "O'Connor", "'", "s"]),
        ("kiki.l@students.example.org, 555-0143", ["kiki.l@students.example.org", ",", "555", "-", "0143"]),
        ("Tomás\u200bRm\u200b16", ["Tomás", "Rm", "16"]),
        ("*** A.J. ___", ["***", "A", ".", "J", ".", "___"]),
    ],
)
def test_what_is_glued_comes_apart(line: str, expected: list[str]) -> None:
    assert words(line) == expected


def test_gaps_and_blank_lines() -> None:
    first, second = split_lines(["Ana Ruiz\tOakley", "", "                    Grade 4"])
    assert [word.gap for word in first.words] == [WordGap.LINE, WordGap.SPACE, WordGap.WIDE]
    assert (first.before_blank, first.indented) == (True, False)
    assert (second.after_blank, second.indented, second.words[0].line) == (True, True, 2)


def test_places_are_those_of_the_line() -> None:
    line = "  Oakley101, Ms. Vang"
    (found,) = split_lines([line])
    assert [line[word.start : word.end] for word in found.words] == [word.text for word in found.words]


@pytest.mark.parametrize("lines", [[], [""], ["  ", "\u200b"]])
def test_nothing_is_no_line(lines: list[str]) -> None:
    assert split_lines(lines) == []
