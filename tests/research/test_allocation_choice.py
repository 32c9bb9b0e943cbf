"""What a model proposes of who should work."""

from __future__ import annotations

import pytest

from core.errors import ModelReplyError, ModelUnavailableError
from research.allocation import effective_allocation
from research.plan.allocation_choice import allocation_prompt, choose_allocation
from research.readers.model.prompts import ALLOCATION_GUIDELINES
from tests.support.research.scripted_model import ScriptedModel

#: What the guidelines must say, by a word of the subject.
WANTED = {
    "tools": (2, 1, 0),
    "medicine": (1, 2, 0),
    "humanities": (0, 2, 1),
    "history": (1, 1, 1),
    "general": (1, 1, 1),
    "news": (3, 0, 0),
}


@pytest.mark.parametrize("subject", WANTED)
def test_the_prompt_tells_what_suits_a_subject(subject: str) -> None:
    [line] = [
        line
        for line in allocation_prompt().splitlines()
        if line.startswith("- ") and line[-1].isdigit() and subject in line
    ]
    assert line.endswith(", ".join(map(str, WANTED[subject])))


@pytest.mark.parametrize(("subject", "triple"), ALLOCATION_GUIDELINES)
def test_a_proposal_by_the_guidelines_applies_as_it_is(subject: str, triple: tuple[int, int, int]) -> None:
    web, academic, book = triple
    reply = {"web_researchers": web, "academic_researchers": academic, "book_researchers": book}
    model = ScriptedModel([{**reply, "allocation_reasoning": " It suits.\n"}])
    proposed = choose_allocation(subject, model)
    assert proposed is not None and proposed.reasoning == "It suits."
    assert tuple(effective_allocation(None, proposed.counts).values()) == triple
    assert model.asked == [(allocation_prompt(), subject, "research.allocation")]


def test_a_proposal_of_too_many_is_handed_on_to_be_scaled() -> None:
    reply = {"web_researchers": 3, "academic_researchers": 3, "book_researchers": 3}
    proposed = choose_allocation("glaciers", ScriptedModel([reply]))
    assert proposed is not None and proposed.counts == {"web_count": 3, "academic_count": 3, "book_count": 3}
    assert effective_allocation(None, proposed.counts) == {"web_count": 1, "academic_count": 1, "book_count": 1}


@pytest.mark.parametrize("error", [ModelReplyError("x"), ModelUnavailableError("x")])
def test_a_model_that_fails_proposes_nothing(error: Exception) -> None:
    assert choose_allocation("glaciers", ScriptedModel([error])) is None


def test_without_a_model_there_is_no_proposal() -> None:
    assert choose_allocation("glaciers", None) is None
