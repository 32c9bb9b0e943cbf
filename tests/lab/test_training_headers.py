"""The drawn headers that the labeller of typed openings is trained with: roles, shares, independence."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from random import Random

import pytest

from lab.headers.drawn import Header
from lab.headers.header import draw_header
from lab.headers.words import essay_english, essay_spanish, items, labels
from lab.samples.words import schools_held_out
from lab.samples.words.banks import listed
from pipeline.extraction.labelling.labeller import Role
from tests.support.code import ROOT

COUNT = 2000


@pytest.fixture(scope="module")
def drawn() -> list[Header]:
    return [draw_header(Random(number)) for number in range(COUNT)]


def texts(header: Header) -> list[str]:
    return ["".join(piece.text for piece in line) for line in header.lines]


def test_lines_are_whole(drawn: list[Header]) -> None:
    for header in drawn:
        assert any(text.strip() for text in texts(header))
        for line in header.lines:
            for piece in line:
                assert isinstance(piece.role, Role)
                assert piece.text
                assert not re.search(r"[\n{}]|<(other|person|room):", piece.text)


def test_every_role_occurs(drawn: list[Header]) -> None:
    assert {piece.role for header in drawn for line in header.lines for piece in line} == set(Role)


def test_shares(drawn: list[Header]) -> None:
    having = Counter(role for header in drawn for role in {piece.role for line in header.lines for piece in line})
    absent = {role: 1 - having[role] / COUNT for role in Role}
    assert 0.2 <= absent[Role.NAME] <= 0.31
    assert 0.19 <= absent[Role.SCHOOL] <= 0.31
    assert 0.24 <= absent[Role.GRADE] <= 0.37
    assert absent[Role.BODY] < 0.02
    assert 0.24 <= sum(header.spanish for header in drawn) / COUNT <= 0.31


def test_every_combination_of_given_fields_occurs(drawn: list[Header]) -> None:
    asked = {Role.NAME, Role.SCHOOL, Role.GRADE}
    found = {frozenset(asked & {piece.role for line in header.lines for piece in line}) for header in drawn}
    assert len(found) == 2 ** len(asked)


def test_headers_differ(drawn: list[Header]) -> None:
    names = {piece.text for header in drawn for line in header.lines for piece in line if piece.role is Role.NAME}
    schools = {
        piece.text for header in drawn for line in header.lines for piece in line if piece.role is Role.SCHOOL
    }
    assert len(names) > 1000
    assert len(schools) > 800


def test_same_seed_same_header() -> None:
    assert [draw_header(Random(seed)) for seed in range(50)] == [draw_header(Random(seed)) for seed in range(50)]


def test_same_seed_same_header_in_every_process() -> None:
    """Not one of the sets that are iterated may decide, whose order differs from process to process."""
    command = "from random import Random; from lab.headers.header import draw_header as draw; "
    command += "print([draw(Random(seed)) for seed in range(300)])"
    drawn = {
        subprocess.run(
            [sys.executable, "-c", command],
            cwd=ROOT,
            env={"PYTHONHASHSEED": seed, "PATH": ""},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(drawn) == 1


def test_no_school_of_the_held_out_part(drawn: list[Header]) -> None:
    places = [place for kind in schools_held_out.PLACES.values() for place in listed(kind)]
    schools = schools_of(drawn)
    assert places
    assert not [
        place for place in places for school in schools if re.search(rf"\b{re.escape(place)}\b", school, re.I)
    ]


def schools_of(drawn: list[Header]) -> set[str]:
    """The schools as written, those that a line's end divides with their parts joined."""
    found = set()
    for header in drawn:
        parts = [piece for line in header.lines for piece in line]
        runs = "".join(piece.text if piece.role is Role.SCHOOL else "\n" for piece in parts)
        found |= {run for run in runs.split("\n") if run}
    return found


def test_the_grammar_is_wide() -> None:
    kinds = {label for names in (labels.ENGLISH, labels.SPANISH) for field in names.values() for label in field}
    openings = [
        text
        for bank in (essay_english, essay_spanish)
        for part in (bank.YOUNG, bank.MIDDLE, bank.OLDER, bank.CALLED, bank.PLACES, bank.TRAPS)
        for text in part
    ]
    assert len(kinds) >= 60
    assert len(set(items.SHARED + items.ENGLISH + items.SPANISH)) >= 60
    assert len(set(openings)) >= 250
