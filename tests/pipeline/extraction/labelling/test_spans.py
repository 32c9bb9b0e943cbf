"""Labelled words become values: what belongs together, without the signs around it, and how sure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from pipeline.extraction.labelling.features import split_lines
from pipeline.extraction.labelling.header import header_end, parts_by_line, spans_of
from pipeline.extraction.labelling.labeller import Labelled, Role

ROLES = {"N": Role.NAME, "S": Role.SCHOOL, "G": Role.GRADE, "o": Role.OTHER, "b": Role.BODY}


def labelled(lines: Sequence[str], tags: str, probability: float = 0.9) -> list[Labelled]:
    """`tags` has a letter a word; a small one of a value's role goes on with the value."""
    words = [word for line in split_lines(lines) for word in line.words]
    assert len(words) == len(tags.replace(" ", "")), [word.text for word in words]
    return [
        Labelled(word, role, tag.isupper(), {role: probability})
        for word, tag in zip(words, tags.replace(" ", ""), strict=True)
        for role in [ROLES.get(tag, ROLES[tag.upper() if tag in "nsg" else tag])]
    ]


def test_a_value_that_begins_parts_from_the_one_before() -> None:
    lines = ["Ana Ruiz", "Willow Creek"]
    found = spans_of(labelled(lines, "Nn Ss"), Role.NAME, Role.SCHOOL)
    assert [span.text(lines) for span in found] == ["Ana Ruiz", "Willow Creek"]
    twice = spans_of(labelled(lines, "Nn Nn"), Role.NAME)
    assert [span.text(lines) for span in twice] == ["Ana Ruiz", "Willow Creek"]


def test_a_value_may_run_over_a_line_break() -> None:
    lines = ["at Thornfield", "Academy"]
    (found,) = spans_of(labelled(lines, "o S s"), Role.SCHOOL)
    assert found.text(lines) == "Thornfield Academy"
    assert found.places == [(0, 3, 13), (1, 0, 7)]


def test_a_value_in_its_lines() -> None:
    lines = ["at Thornfield", "Academy"]
    (found,) = spans_of(labelled(lines, "o S s"), Role.SCHOOL)
    assert [part.text(lines) for part in parts_by_line(found)] == ["Thornfield", "Academy"]


def test_signs_around_a_value_are_left_off_but_not_those_that_end_it() -> None:
    lines = ["*Rafael Quintanar Jr.*"]
    (found,) = spans_of(labelled(lines, "N n n n n n"), Role.NAME)
    assert found.text(lines) == "Rafael Quintanar Jr."
    assert spans_of(labelled(["--"], "N"), Role.NAME) == []


def test_a_value_is_as_sure_as_its_least_sure_word() -> None:
    words = labelled(["Ana Ruiz"], "Nn")
    words[1] = replace(words[1], shares={Role.NAME: 0.4})
    (found,) = spans_of(words, Role.NAME)
    assert found.probability == 0.4


def test_the_header_ends_where_the_essay_begins() -> None:
    lines = ["Ana Ruiz", "", "My dad is a cook.", "Grade 4"]
    assert header_end(labelled(lines, "Nn bbbbbb Gg")) == 2
    assert header_end(labelled(lines[:1], "Nn")) == 1
    assert header_end([]) == 0


def test_a_word_beside_a_value_that_may_belong_to_it_makes_it_unsure() -> None:
    words = labelled(["Ana Ruiz, Willow"], "Nn oo")
    words[3] = replace(words[3], shares={Role.OTHER: 0.7, Role.NAME: 0.3})
    (found,) = spans_of(words, Role.NAME)
    assert found.probability == pytest.approx(0.7)
