"""Gaps that a model names, beside those of the rules."""

from __future__ import annotations

from typing import Any

from core.errors import ModelReplyError
from research.gap_detection import gap_id, merged_gaps
from research.memo import Finding, Gap
from research.readers.model.reading import open_reader
from research.text.meaning import NoMeaning
from tests.research.readers.reading_room import ASKED, COST
from tests.research.readers.test_contract import PLAN
from tests.support.research.scripted_model import ScriptedModel


def given(topic: str, priority: int = 1) -> dict[str, object]:
    return {"topic": topic, "description": f"Nothing on {topic}", "priority": priority, "search_query": "q"}


def gaps(reply: dict[str, Any] | Exception) -> tuple[list[Gap], ScriptedModel]:
    model = ScriptedModel([reply])
    found = {COST: [Finding("a", "It costs $40.", 0, 13), Finding("b", "It costs $40.", 0, 13)]}
    return open_reader(model, NoMeaning()).gaps(ASKED, PLAN, found), model


def test_at_most_five_are_taken() -> None:
    assert len(gaps({"gaps": [given(f"topic {number}") for number in range(9)]})[0]) == 5


def test_the_model_sees_each_finding_once_under_its_question() -> None:
    _, model = gaps({"gaps": []})
    assert model.asked[0][1].endswith(f"Found so far:\n{COST}\n<p1>It costs $40.</p1>")


def test_a_failing_model_names_none() -> None:
    assert gaps(ModelReplyError("x"))[0] == []


def test_what_the_rules_found_already_is_not_doubled() -> None:
    by_rule = [Gap("missing_topic", "Missing coverage: costs", 2, missing_topic="costs")]
    merged = merged_gaps(by_rule, gaps({"gaps": [given("Costs"), given("staffing")]})[0], "en")
    assert [gap.description for gap in merged] == ["Missing coverage: costs", "Nothing on staffing"]
    assert merged[1].id == gap_id("missing_topic", topic="Staffing")
