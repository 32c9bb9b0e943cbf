"""Angles come from the question."""

from __future__ import annotations

import pytest

from research.questions.angles import angles_of, subject_of


@pytest.mark.parametrize(
    ("query", "language", "angles"),
    [
        (
            "How do mobile clinics affect vaccination rates in rural Kenya?",
            "en",
            {"mechanism", "effects", "rural Kenya"},
        ),
        (
            "Compare heat pumps and gas boilers for old houses since 2010",
            "en",
            {"comparison", "timeline", "heat pumps"},
        ),
        ("¿Qué hacen los museos para atraer a adolescentes?", "es", {"práctica", "museos", "adolescentes"}),
        ("¿Cuánto cuesta el riego por goteo?", "es", {"costes", "riego", "goteo"}),
        ("Microplastics in drinking water", "en", {"Microplastics", "drinking water", "definition"}),
    ],
)
def test_angles_of(query: str, language: str, angles: set[str]) -> None:
    assert angles <= set(angles_of(query, language))


def test_different_questions_have_different_angles() -> None:
    assert angles_of("Why do glaciers melt?", "en") != angles_of("What do bus passes cost?", "en")


def test_an_empty_question_has_none() -> None:
    assert angles_of("", "en") == []


def test_the_subject_leaves_out_what_is_only_asked_of_it() -> None:
    assert subject_of("Identify 5 school gardens with costs and evaluations", "en") == "school gardens"
