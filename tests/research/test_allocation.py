"""Who works on a report: what is chosen, what applies, who gets which question."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest

from core.messages import Message
from research.allocation import (
    AllocationCode,
    Assignment,
    ResearcherAllocation,
    assign_questions,
    effective_allocation,
    explain_allocation,
    parse_allocation,
    without_unavailable,
)

TRIPLES = list(product(range(4), repeat=3))


def of(web: int, academic: int, book: int) -> ResearcherAllocation:
    return ResearcherAllocation(web_count=web, academic_count=academic, book_count=book)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("111", of(1, 1, 1)), ("210", of(2, 1, 0)), ("300", of(3, 0, 0)), ("2", of(2, 0, 0)), ("003", of(0, 0, 3))],
)
def test_an_allocation_is_read(text: str, expected: ResearcherAllocation) -> None:
    assert parse_allocation(text) == expected


@pytest.mark.parametrize(
    "unusable",
    [
        "",
        "000",
        "333",
        "220",
        "400",
        "0",
        "4",
        "21",
        "2100",
        " 210",
        "210\n",
        "2 1",
        "-10",
        "٢١٠",
        "²10",
        "２１０",
        "abc",
    ],
)
def test_what_is_no_allocation_is_refused(unusable: str) -> None:
    with pytest.raises(ValueError):
        parse_allocation(unusable)


@pytest.mark.parametrize("unusable", [210, 2, True, None, b"210", ["2", "1", "0"], 2.0])
def test_only_text_is_an_allocation(unusable: Any) -> None:
    with pytest.raises(ValueError, match="text"):
        parse_allocation(unusable)


@pytest.mark.parametrize("triple", TRIPLES)
def test_a_users_triple_applies_as_it_is_or_is_refused(triple: tuple[int, int, int]) -> None:
    text = "".join(map(str, triple))
    if 1 <= sum(triple) <= 3:
        assert effective_allocation(text, of(0, 0, 3)) == of(*triple)
        assert effective_allocation(of(*triple), None) == of(*triple)
    else:
        with pytest.raises(ValueError):
            effective_allocation(text, None)
        with pytest.raises(ValueError):
            effective_allocation(of(*triple), None)


@pytest.mark.parametrize("triple", TRIPLES)
def test_a_models_triple_is_scaled_to_three(triple: tuple[int, int, int]) -> None:
    model = of(*triple)
    found = effective_allocation(None, model)
    counts = list(found.values())
    assert model == of(*triple)
    assert sum(counts) == (min(sum(triple), 3) or 3)  # type: ignore[arg-type]
    if 0 < sum(triple) <= 3:
        assert found == model
    for a, b in product(range(3), repeat=2):
        if triple[a] > triple[b]:
            assert counts[a] >= counts[b], "who asked for more has no less"  # type: ignore[operator]


@pytest.mark.parametrize(
    ("proposed", "scaled"),
    [
        (of(3, 3, 3), of(1, 1, 1)),
        (of(3, 1, 0), of(2, 1, 0)),
        (of(3, 3, 0), of(2, 1, 0)),
        (of(0, 2, 2), of(0, 2, 1)),
        (of(2, 2, 1), of(1, 1, 1)),
        (of(1, 0, 3), of(1, 0, 2)),
    ],
)
def test_scaling_is_by_largest_remainder(proposed: ResearcherAllocation, scaled: ResearcherAllocation) -> None:
    assert effective_allocation(None, proposed) == scaled


@pytest.mark.parametrize(
    "junk",
    [
        None,
        {},
        of(0, 0, 0),
        {"web_count": "two"},
        {"web_count": None, "academic_count": 1},
        {"web_count": -1, "academic_count": 2},
        {"web_count": True},
        {"web_count": 1.5},
        "210",
        7,
        [1, 1, 1],
    ],
)
def test_what_is_unusable_of_a_model_falls_away(junk: Any) -> None:
    assert effective_allocation(None, junk) == of(1, 1, 1)


def test_a_missing_count_is_none_and_the_schemas_names_are_known() -> None:
    assert effective_allocation(None, {"academic_count": 2}) == of(0, 2, 0)
    assert effective_allocation(None, {"web_researchers": 3}) == of(3, 0, 0)


def test_the_users_choice_stays_first_over_rounds() -> None:
    user = "120"
    for model in (of(3, 0, 0), of(0, 0, 3), None):
        assert effective_allocation(user, model) == of(1, 2, 0)


@pytest.mark.parametrize(
    ("user", "model", "said"),
    [
        ("210", of(0, 0, 3), Message.of(AllocationCode.ASKED_FOR)),
        (None, of(0, 2, 1), Message.of(AllocationCode.BY_MODEL)),
        (None, of(3, 3, 3), Message.of(AllocationCode.BY_MODEL_SCALED, chosen=9, most=3)),
        (None, None, Message.of(AllocationCode.BY_DEFAULT)),
        (None, {"web_count": "x"}, Message.of(AllocationCode.MODEL_UNUSABLE)),
    ],
)
def test_what_applies_is_explained(user: str | None, model: Mapping[str, Any] | None, said: Message) -> None:
    assert explain_allocation(user, model) == said


def test_a_kind_that_is_down_gives_its_researchers_to_the_next() -> None:
    found, reasons = without_unavailable(of(1, 1, 1), {"academic", "book"})
    assert found == of(0, 2, 1)
    assert reasons == [Message.of(AllocationCode.HANDED_ON, kind="web", count=1, other_kind="academic")]


def test_behind_the_last_kind_comes_the_first() -> None:
    assert without_unavailable(of(0, 1, 2), ["web"])[0] == of(3, 0, 0)


def test_a_kind_that_is_down_without_researchers_is_no_matter() -> None:
    assert without_unavailable(of(2, 1, 0), {"web": True, "academic": True, "book": False}) == (of(2, 1, 0), [])


def test_with_no_kind_left_nobody_works() -> None:
    found, reasons = without_unavailable(of(1, 0, 2), set())
    assert found == of(0, 0, 0)
    assert [(reason.code, reason.params["kind"]) for reason in reasons] == [
        ("allocation_no_source", "web"),
        ("allocation_no_source", "book"),
    ]


@pytest.mark.parametrize("triple", [triple for triple in TRIPLES if 1 <= sum(triple) <= 3])
@pytest.mark.parametrize("number", range(1, 8))
def test_every_question_and_every_researcher_is_served(triple: tuple[int, int, int], number: int) -> None:
    questions = [f"Question {at}" for at in range(number)]
    found = assign_questions(questions, of(*triple))
    kinds = [assignment.kind for assignment in found]
    assert [kinds.count("web"), kinds.count("academic"), kinds.count("book")] == list(triple)
    assert all(assignment.questions for assignment in found)
    assert {question for assignment in found for question in assignment.questions} == set(questions)
    assert found == assign_questions(questions, of(*triple))


def test_questions_go_in_turn() -> None:
    assert assign_questions(["a", "b"], of(1, 1, 1)) == [
        Assignment("web", ("a",)),
        Assignment("academic", ("b",)),
        Assignment("book", ("a",)),
    ]
    assert assign_questions(["a", "b", "c", "d"], of(2, 0, 1)) == [
        Assignment("web", ("a", "d")),
        Assignment("web", ("b",)),
        Assignment("book", ("c",)),
    ]


def test_blank_and_repeated_questions_are_none() -> None:
    assert assign_questions(["a", " ", "a "], of(1, 0, 0)) == [Assignment("web", ("a",))]
    assert assign_questions([], of(1, 1, 1)) == []
