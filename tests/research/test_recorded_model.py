"""Nobody is asked twice: not for a reply, not for a failure, not by two threads at once."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import pytest
from pydantic import BaseModel

from core.errors import ModelReplyError, ModelUnavailableError
from core.llm.ledger import Usage
from core.models import ReportCall
from research.config import BudgetSpentError
from research.node_context import RecordingModel, call_key
from research.storage import ResearchBudget


class Reply(BaseModel):
    said: str


class OtherReply(BaseModel):
    said: str


@dataclass
class Paper:
    """A record in memory."""

    calls: dict[str, ReportCall] = field(default_factory=dict)

    def find(self, call_key: str) -> ReportCall | None:
        return self.calls.get(call_key)

    def keep(self, call_key: str, call: ReportCall) -> None:
        self.calls[call_key] = call


@dataclass
class Talker:
    """Says what it is told to, and counts."""

    say: Callable[[str], Reply] = lambda user: Reply(said=user)
    asked: list[str] = field(default_factory=list)

    def ask(self, system: str, user: str, schema: Any, *, purpose: str, **_: Any) -> tuple[Any, Usage]:
        self.asked.append(user)
        return self.say(user), Usage("test", "talker", 1, 10, 5, cost_usd=0.25)


def recorded(talker: Talker, paper: Paper, **limits: float) -> RecordingModel:
    return RecordingModel(talker, paper, ResearchBudget(limits))  # type: ignore[arg-type]


def test_a_reply_is_found_again_by_another_process() -> None:
    talker, paper = Talker(), Paper()
    first, _ = recorded(talker, paper).ask("s", "u", Reply, purpose="p")
    later = recorded(talker, paper)
    again, usage = later.ask("s", "u", Reply, purpose="p")
    assert first == again == Reply(said="u")
    assert talker.asked == ["u"]
    assert (usage.tokens_in, usage.cost_usd, later.budget.calls) == (10, 0.25, 0)


def test_what_was_spent_is_counted() -> None:
    model = recorded(Talker(), Paper())
    model.ask("s", "one", Reply, purpose="p")
    model.ask("s", "two", Reply, purpose="p")
    assert model.budget.as_json() | {"minutes": 0} == {
        "calls": 2,
        "tokens": 30,
        "tokens_in": 20,
        "tokens_out": 10,
        "usd": 0.5,
        "minutes": 0,
        "exhausted": None,
    }


def test_a_failure_is_remembered_too() -> None:
    def fail(_: str) -> Reply:
        raise ModelReplyError("no JSON")

    talker, paper = Talker(fail), Paper()
    for _ in range(2):
        with pytest.raises(ModelReplyError):
            recorded(talker, paper).ask("s", "u", Reply, purpose="p")
    assert talker.asked == ["u"]


def test_a_model_that_is_away_is_not_waited_for_again_and_again() -> None:
    def away(user: str) -> Reply:
        if user == "4":
            return Reply(said="back")
        raise ModelUnavailableError("away")

    talker, paper = Talker(away), Paper()
    model = recorded(talker, paper)
    for question in ("0", "1", "2", "3", "4"):
        with pytest.raises(ModelUnavailableError):
            model.ask("s", question, Reply, purpose="p")
    assert talker.asked == ["0", "1", "2"]
    assert model.budget.calls == 3
    assert len(paper.calls) == 5


def test_a_spent_budget_refuses_new_questions_only() -> None:
    talker, paper = Talker(), Paper()
    model = recorded(talker, paper, calls=1)
    model.ask("s", "u", Reply, purpose="p")
    model.ask("s", "u", Reply, purpose="p")
    with pytest.raises(BudgetSpentError):
        model.ask("s", "other", Reply, purpose="p")
    assert talker.asked == ["u"]


def test_threads_that_ask_the_same_pay_once() -> None:
    talker = Talker()
    model = recorded(talker, Paper())
    with ThreadPoolExecutor(8) as threads:
        said = list(threads.map(lambda _: model.ask("s", "u", Reply, purpose="p")[0], range(16)))
    assert set(map(str, said)) == {"said='u'"}
    assert talker.asked == ["u"]


def test_every_part_of_a_question_counts() -> None:
    keys = {
        call_key("p", "s", "u", Reply),
        call_key("q", "s", "u", Reply),
        call_key("p", "t", "u", Reply),
        call_key("p", "s", "v", Reply),
        call_key("p", "s", "u", OtherReply),
        call_key("p", "su", "", Reply),
    }
    assert len(keys) == 6
