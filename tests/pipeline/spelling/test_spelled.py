"""Whole lines: what is put right, and what is left alone."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from pipeline.profiles import FieldKind
from pipeline.spelling.lattice import Lattice, spell, spell_grade
from tests.support.reading.lines import steps_of


def view(text: str, doubts: Mapping[int, Mapping[str, float]] | None = None) -> Lattice:
    return Lattice(steps_of(text, doubts))


def test_a_doubtful_letter_is_settled_by_the_list() -> None:
    found = spell(FieldKind.PERSON, [view("Damián Qvintana", {8: {"u": 0.2}})])
    assert found.text == "Damián Quintana"
    assert found.confidence < 0.99


def test_a_clear_name_that_no_list_has_stays() -> None:
    assert spell(FieldKind.PERSON, [view("Jakhariel Vonnebrook")]).text == "Jakhariel Vonnebrook"


def test_two_names_run_together_are_parted_where_the_line_leaves_a_doubt() -> None:
    steps = [dict(s) for s in steps_of("GUILLERMORENTERIA")]
    steps[17] = {"": 0.7, " ": 0.3}
    assert spell(FieldKind.PERSON, [Lattice(tuple(steps))]).text == "GUILLERMO RENTERIA"


def test_a_name_torn_apart_is_joined() -> None:
    steps = [dict(s) for s in steps_of("Chri stopher Reyes")]
    steps[8] = {"": 0.3, " ": 0.7}
    assert spell(FieldKind.PERSON, [Lattice(tuple(steps))]).text == "Christopher Reyes"


def test_views_vote_and_none_alone_decides() -> None:
    views = [view("Tiler Wesley"), view("Tyler Wesley"), view("Tyler Wesley")]
    assert spell(FieldKind.PERSON, views).text == "Tyler Wesley"


def test_what_was_read_before_is_one_of_the_candidates() -> None:
    doubt = {3: {"o": 0.3}}
    assert spell(FieldKind.PERSON, [view("Brandau Vonnebrook"[:8], doubt)], "Brandou").text in (
        "Brandau",
        "Brandon",
    )


def test_a_school_that_no_list_has_stays_where_its_line_is_clear() -> None:
    views = [view("Henrietha Vale", {7: {"t": 0.0002}})] * 3
    assert spell(FieldKind.SCHOOL, views).text == "Henrietta Vale"
    assert spell(FieldKind.SCHOOL, views, "Henrietha Vale").text == "Henrietha Vale"
    unclear = [view("Henrietha Vale", {7: {"t": 0.08}})] * 3
    assert spell(FieldKind.SCHOOL, unclear, "Henrietha Vale").text == "Henrietta Vale"


@pytest.mark.parametrize(
    ("read", "written"),
    [
        ("charles cornwall", "Charles Cornwall"),
        ("ErneSt de la cruz", "Ernest de la Cruz"),
        ("Ana McDonald", "Ana McDonald"),
        ("MARIA LOPEZ", "MARIA LOPEZ"),
        ("ana perez-wood", "Ana Perez-Wood"),
    ],
)
def test_names_begin_with_capitals_as_hands_mean_them(read: str, written: str) -> None:
    assert spell(FieldKind.PERSON, [view(read)]).text == written


@pytest.mark.parametrize(
    ("read", "doubts", "written"),
    [
        ("Clover Field Elementady", {20: {"r": 0.3}}, "Clover Field Elementary"),
        ("School of the Arts", None, "School of the Arts"),
        ("Juniper Hill ES", None, "Juniper Hill ES"),
        ("Red Barn ES", None, "Red Barn ES"),
    ],
)
def test_schools(read: str, doubts: dict[int, dict[str, float]] | None, written: str) -> None:
    assert spell(FieldKind.SCHOOL, [view(read, doubts)]).text == written


def test_nothing_on_the_line_is_no_value() -> None:
    assert spell(FieldKind.PERSON, [Lattice(()), view("")]).text == ""
    assert spell(FieldKind.PERSON, []).text == ""


@pytest.mark.parametrize(
    ("read", "grade"),
    [("5", "5"), ("Sth", "5"), ("11th", "11"), ("3rd grade", "3"), ("K", "K"), ("4to", "4"), ("12", "12")],
)
def test_grades(read: str, grade: str) -> None:
    doubts = {0: {"5": 0.3}} if read[0] == "S" else None
    found = spell_grade([view(read, doubts), view(read, doubts)])
    assert found is not None and found.text == grade


@pytest.mark.parametrize("read", ["", "School", "Room", "2016th"])
def test_what_says_no_grade_gives_none(read: str) -> None:
    assert spell_grade([view(read)]) is None


def test_two_grades_as_likely_give_none() -> None:
    assert spell_grade([view("5th", {0: {"6": 0.45}})]) is None


def test_views_without_steps_give_no_grade() -> None:
    assert spell_grade([]) is None
    assert spell_grade([Lattice(())]) is None
