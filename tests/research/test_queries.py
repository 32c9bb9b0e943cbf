"""What is typed into an engine for a question."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.errors import ModelReplyError, ModelUnavailableError
from research.queries import QUERY_PROMPTS, GeneratedQueries, create_generate_queries
from tests.support.research.scripted_model import ScriptedModel

QUESTION = "How do school gardens change what children in Oaxaca eat?"
FITS = {"verdicts": [{"index": at, "fits": True} for at in range(3)]}


def made(
    kind: str, *replies: dict[str, Any] | Exception, **settings: Any
) -> tuple[GeneratedQueries, ScriptedModel]:
    model = ScriptedModel(list(replies))
    return create_generate_queries(kind)(QUESTION, model=model, year=2026, **settings), model


@pytest.mark.parametrize("kind", ["", "library", "Web", "news"])
def test_an_unknown_kind_is_refused_when_the_function_is_made(kind: str) -> None:
    with pytest.raises(ValueError, match="web, academic, book"):
        create_generate_queries(kind)


def test_each_kind_has_its_own_prompt_with_year_language_and_number() -> None:
    systems = []
    for kind in QUERY_PROMPTS:
        _, model = made(kind, {"queries": ["school gardens"]}, FITS, language="es", limit=2)
        systems.append(model.asked[0][0])
        assert all(part in model.asked[0][0] for part in ("2026", "Spanish", "up to 2"))
    assert len(set(systems)) == 3
    assert not any(year in system for system in systems for year in ("2024", "2025"))


def test_queries_are_trimmed_and_told_apart_without_case_accents_and_spaces() -> None:
    found, _ = made(
        "web", {"queries": ["1. huertos  Oaxaca ", "Huertos oaxaca", "", " - ", "niños\nhuerto"]}, FITS
    )
    assert found == GeneratedQueries(["huertos Oaxaca", "niños huerto"])


@pytest.mark.parametrize(("kind", "longest"), [("web", 400), ("academic", 250), ("book", 150)])
def test_a_query_is_cut_between_words_to_what_the_engine_takes(kind: str, longest: int) -> None:
    found, _ = made(kind, {"queries": ['"garden ' + "vegetable " * 90]}, FITS)
    [query] = found.queries
    assert longest - 10 <= len(query) <= longest
    assert query.endswith("vegetable") and '"' not in query


def test_marks_that_a_book_catalogue_obeys_are_taken_out() -> None:
    found, _ = made("book", {"queries": ['title:(gardens) "school food" [x TO *]']}, FITS)
    assert found.queries == ['title gardens "school food" x TO']


def test_a_query_that_does_not_fit_is_left_out() -> None:
    verdicts = {"verdicts": [{"index": 1, "fits": False}, {"index": 0, "fits": True}]}
    found, model = made("web", {"queries": ["school gardens", "used cars"]}, verdicts)
    assert found == GeneratedQueries(["school gardens"])
    asked = json.loads(model.asked[1][1])
    assert asked["queries"] == [{"index": 0, "query": "school gardens"}, {"index": 1, "query": "used cars"}]


@pytest.mark.parametrize(
    "verdicts",
    [
        [{"index": 1, "fits": True}],
        [{"index": 1, "fits": True}, {"index": 7, "fits": False}, {"index": -1, "fits": False}],
        [{"index": 0, "fits": True}, {"index": 0, "fits": False}, {"index": 1, "fits": True}],
    ],
)
def test_a_query_without_a_verdict_is_kept_and_flagged(verdicts: list[dict[str, Any]]) -> None:
    found, _ = made("web", {"queries": ["gardens", "meals"]}, {"verdicts": verdicts})
    assert found == GeneratedQueries(["gardens", "meals"], flagged=["gardens"])


def test_a_check_that_fails_flags_all() -> None:
    found, _ = made("web", {"queries": ["gardens", "meals"]}, ModelReplyError("x"))
    assert found == GeneratedQueries(["gardens", "meals"], flagged=["gardens", "meals"])


@pytest.mark.parametrize(
    "replies",
    [
        [ModelReplyError("x")],
        [ModelUnavailableError("x")],
        [{"queries": []}],
        [{"queries": [" ", "??"]}],
        [{"queries": ["used cars"]}, {"verdicts": [{"index": 0, "fits": False}]}],
    ],
)
@pytest.mark.parametrize("kind", list(QUERY_PROMPTS))
def test_without_usable_queries_the_rules_make_them(kind: str, replies: list[dict[str, Any] | Exception]) -> None:
    found, _ = made(kind, *replies)
    assert found == create_generate_queries(kind)(QUESTION, year=2026)
    assert found.fallback and found.queries and QUESTION not in found.queries


def test_what_one_question_brought_does_not_reach_the_next() -> None:
    generate = create_generate_queries("academic")
    first = generate("glacier melt in Peru", model=ScriptedModel([{"queries": ["glaciers"]}, FITS]), year=2026)
    second = generate("beekeeping in Wales", year=2025)
    assert first.queries == ["glaciers"]
    assert not any("glacier" in query for query in second.queries)
    assert second == create_generate_queries("academic")("beekeeping in Wales", year=2025)


def test_more_queries_than_wanted_are_left_out() -> None:
    found, _ = made("web", {"queries": ["a1", "b2", "c3", "d4"]}, FITS, limit=2)
    assert found.queries == ["a1", "b2"]


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="en, es"):
        create_generate_queries("web")(QUESTION, language="fr", year=2026)
