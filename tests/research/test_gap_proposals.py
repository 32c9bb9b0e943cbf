"""Gaps that a model proposes, beside those of the rules."""

from __future__ import annotations

import pytest
from pydantic import BaseModel, ValidationError

from core.llm.ledger import Usage
from research.gaps.gap_closing import gap_id, merged_gaps
from research.memo import Gap
from research.readers.model.gap_proposals import propose_gaps
from research.report_type import ReportType


class Scripted:
    """A model with one reply."""

    def __init__(self, *gaps: dict[str, object]) -> None:
        self._reply = {"gaps": list(gaps)}

    def ask(self, system: str, user: str, schema: type[BaseModel], **_: object) -> tuple[BaseModel, Usage]:
        return schema.model_validate(self._reply), Usage("scripted", "none")


def proposed(topic: str, priority: int = 1) -> dict[str, object]:
    return {"topic": topic, "description": f"Nothing on {topic}", "priority": priority, "search_query": "q"}


def propose(*gaps: dict[str, object]) -> list[Gap]:
    return propose_gaps("Why?", ReportType.NARRATIVE, "notes", Scripted(*gaps))  # type: ignore[arg-type]


def test_at_most_five_are_taken() -> None:
    assert len(propose(*(proposed(f"topic {n}") for n in range(9)))) == 5


def test_what_the_rules_found_already_is_not_doubled() -> None:
    by_rule = [Gap("missing_topic", "Missing coverage: costs", 2, missing_topic="costs")]
    merged = merged_gaps(by_rule, propose(proposed("Costs"), proposed("staffing")))
    assert [gap.description for gap in merged] == ["Missing coverage: costs", "Nothing on staffing"]
    assert merged[0].id == gap_id("missing_topic", topic="costs")


def test_a_priority_that_there_is_not_is_no_reply() -> None:
    with pytest.raises(ValidationError):
        propose(proposed("costs", 7))
