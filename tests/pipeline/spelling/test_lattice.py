"""Likelihoods against a sum over every path, and where letters stand."""

from __future__ import annotations

import itertools
import math

import pytest

from pipeline.profiles import FieldKind
from pipeline.spelling.lattice import Lattice, written_forms
from tests.support.reading.lines import steps_of

STEPS = (
    {"": 0.2, "A": 0.5, "á": 0.1, "b": 0.2},
    {"": 0.3, "a": 0.4, "B": 0.3},
    {"": 0.5, "a": 0.1, "b": 0.4},
    {"": 0.6, "b": 0.4},
)


def said(path: tuple[str, ...]) -> str:
    return "".join(char for char, _ in itertools.groupby(path) if char)


def by_every_path(text: str) -> float:
    folded = [
        {"": s.get("", 0.0), "a": sum(s.get(c, 0.0) for c in "Aaá"), "b": sum(s.get(c, 0.0) for c in "bB")}
        for s in STEPS
    ]
    paths = itertools.product(("", "a", "b"), repeat=len(STEPS))
    return sum(
        math.prod(step[c] for step, c in zip(folded, path, strict=True)) for path in paths if said(path) == text
    )


@pytest.mark.parametrize("text", ["", "a", "b", "ab", "aab", "abb", "ba", "abab"])
def test_the_likelihood_is_the_sum_over_all_paths(text: str) -> None:
    found = Lattice(STEPS).log_likelihoods([text, "ab"])
    assert found[0] == pytest.approx(math.log(by_every_path(text) or 1e-9), abs=0.02) or by_every_path(text) == 0
    assert found[1] == pytest.approx(math.log(by_every_path("ab")), abs=0.02)


def test_the_likeliest_letters_are_read_without_repeats_and_outer_blanks() -> None:
    assert Lattice(steps_of(" Anna  Lee ")).likeliest == "anna lee"
    assert Lattice(()).likeliest == ""


def test_letters_keep_their_case_and_accents() -> None:
    found = Lattice(steps_of("Peña")).aligned("pena")
    assert "".join(char for char, _ in found) == "Peña"
    assert all(share > 0.9 for _, share in found)


def test_a_letter_nobody_considered_is_given_without_belief() -> None:
    assert Lattice(steps_of("Ana")).aligned("anx")[2] == ("x", 0.0)


def test_no_steps_say_nothing() -> None:
    assert not Lattice(())
    assert Lattice(()).aligned("ab") == [("a", 0.0), ("b", 0.0)]


def test_a_grade_is_written_in_several_ways() -> None:
    assert {"4", "4th", "4to grado"} <= set(written_forms(FieldKind.GRADE, "4"))
    assert written_forms(FieldKind.PERSON, "José Vega") == ["jose vega"]
