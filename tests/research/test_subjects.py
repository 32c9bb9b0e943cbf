"""Phrases of a question."""

from __future__ import annotations

import pytest

from research.questions.asking import aspects_of, search_subject


@pytest.mark.parametrize(
    ("query", "language", "aspects"),
    [
        (
            "How do mobile clinics affect vaccination rates in rural Kenya?",
            "en",
            {"mobile clinics affect vaccination rates in rural Kenya"},
        ),
        (
            "¿Qué hacen los museos para atraer a adolescentes?",
            "es",
            {"hacen los museos para atraer a adolescentes"},
        ),
        ("Microplastics in drinking water", "en", {"Microplastics in drinking water"}),
        (
            "What do schools do to bring parents in? Identify 5 with names, costs and evaluations",
            "en",
            {"schools do to bring parents in", "costs", "evaluations"},
        ),
        (
            "What do breakfasts cost, who pays and why do heads object?",
            "en",
            {"breakfasts cost", "who pays", "heads object"},
        ),
    ],
)
def test_aspects_are_what_a_question_asks_in_its_own_words(query: str, language: str, aspects: set[str]) -> None:
    assert aspects <= set(aspects_of(query, language))


def test_an_empty_question_has_none() -> None:
    assert aspects_of("", "en") == []


def test_the_subject_leaves_out_what_is_only_asked_of_it() -> None:
    assert search_subject("Identify 5 school gardens with costs and evaluations", "en") == "school gardens"
