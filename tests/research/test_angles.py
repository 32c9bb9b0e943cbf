"""Angles come from the question, and a text covers them or not."""

from __future__ import annotations

import pytest

from research.questions.angles import angles_of, covers, names_angle, subject_of


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


@pytest.mark.parametrize(
    ("angle", "text", "language", "covered"),
    [
        ("costs", "A visit costs €14.", "en", True),
        ("costs", "Visitors come by train.", "en", False),
        ("costes", "La entrada vale 12 euros.", "es", True),
        ("rural Kenya", "In rural parts of Kenya few can read it.", "en", True),
        ("rural Kenya", "Kenya exports tea.", "en", False),
        ("challenges", "The largest obstacle was distance.", "en", True),
    ],
)
def test_covers(angle: str, text: str, language: str, covered: bool) -> None:
    assert covers(angle, text, language) is covered


def test_topics_name_an_angle_in_either_language() -> None:
    assert names_angle(["Costes"], "costs")
    assert not names_angle(["history"], "costs")


def test_the_subject_leaves_out_what_is_only_asked_of_it() -> None:
    assert subject_of("Identify 5 school gardens with costs and evaluations", "en") == "school gardens"
