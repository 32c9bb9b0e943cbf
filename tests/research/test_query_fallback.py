"""Queries made from the words of a question."""

from __future__ import annotations

import pytest

from research.readers.reader import queries_of


def made(kind: str, question: str, limit: int = 3) -> list[str]:
    return queries_of(kind, question, year=2026, limit=limit)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Can you suggest 5 museums in Lisbon that are free on Sundays?", "museums Lisbon free Sundays"),
        ("How did the Treaty of Westphalia shape diplomacy?", "Treaty of Westphalia shape diplomacy"),
        ('What does the WHO say about "screen time" for toddlers?', 'WHO "screen time" toddlers'),
        ("¿Cómo se gobierna la Universidad de la República?", "gobierna Universidad de la República"),
        ("Dame una docena de recetas peruanas sin gluten", "recetas peruanas sin gluten"),
        ("How is type 2 diabetes treated?", "type 2 diabetes treated"),
        ("In a table, compare 5 dialysis machines", "dialysis machines"),
        ("Study abroad programmes in Chile", "Study abroad programmes Chile"),
        ("Enumera los 20 ríos más largos de Sudamérica", "ríos largos Sudamérica"),
        ("What did the 1918 influenza do to life insurance?", "1918 influenza life insurance"),
    ],
)
def test_only_what_can_be_searched_for_is_left(question: str, expected: str) -> None:
    assert made("web", question)[0] == expected


def test_each_kind_searches_in_its_own_words() -> None:
    question = "Why do coral reefs bleach off Belize?"
    web, academic, book = (made(kind, question) for kind in ("web", "academic", "book"))
    assert "systematic review" in " ".join(academic)
    assert {"introduction", "handbook"} <= set(" ".join(book).split())
    assert not {*web} & {*academic} and not {*academic} & {*book}
    assert len(web) == len(academic) == len(book) == 3


def test_spanish_questions_get_spanish_words() -> None:
    assert "revisión sistemática" in " ".join(made("academic", "¿Por qué se blanquean los corales?"))
    assert made("book", "historia de la minería en Potosí")[0].endswith("introducción")


@pytest.mark.parametrize(
    ("question", "dated"),
    [
        ("What are the latest rules on drones?", True),
        ("¿Cuáles son las herramientas actuales de traducción?", True),
        ("What were the latest rules on drones in 2019?", False),
        ("How did the Inca store potatoes?", False),
    ],
)
def test_the_year_stands_with_what_is_current(question: str, dated: bool) -> None:
    assert ("2026" in made("web", question)[0]) is dated
    assert not any("2026" in query for kind in ("academic", "book") for query in made(kind, question))


def test_books_are_searched_for_with_few_words() -> None:
    question = "How do peasant communities in the Peruvian highlands share irrigation water during long droughts?"
    assert all(len(query.split()) <= 4 for query in made("book", question))


@pytest.mark.parametrize("kind", ["web", "academic", "book"])
def test_a_question_of_little_words_is_searched_for_as_it_is(kind: str) -> None:
    assert made(kind, "Who are they?", limit=1)[0].startswith("Who are they")
    assert made(kind, " ?! ") == []
