"""The decision table of the supervisor as it was at one step: each rule, each number, each threshold. Pure.

Made of the `trace_json` of a step, so that a page can show why a route was taken long after it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.labels import LabelledEnum
from pipeline.orchestrator_routing import REVIEW_AGENT


class TableRule(LabelledEnum):
    """The rules of the table in their order; the first that holds decides. Named after what they lead to."""

    LIMIT = "limit", "The maximum number of steps is reached: a person decides"
    COMPLETE = "complete", "Nothing is open: completed without review"
    RETRY = "retry", "A model can help: ask it"
    REVIEW = "review", "No proposals were looked for yet: the review agent looks"
    OTHERWISE = "otherwise", "Otherwise: a person decides"


class Check(LabelledEnum):
    """What a rule compares."""

    STEPS = "steps", "Steps taken"
    AUTO_COMPLETE = "auto_complete", "May be completed without review"
    MISSING = "missing_fields", "Missing"
    BLOCKING = "blocking_codes", "Reasons that prevent completion"
    WEAK = "weak_fields", "Low confidence"
    CONFIDENCE = "confidence", "Confidence"
    RETRY_CONFIDENCE = "retry_confidence", "Confidence"
    TRIES = "tries", "Readings"
    MODEL = "model", "A model is set up"
    REVIEWED = "reviewed", "The review agent has looked"


#: The route that each rule leads to.
ROUTES: Mapping[TableRule, str] = {
    TableRule.LIMIT: "escalate",
    TableRule.COMPLETE: "complete",
    TableRule.RETRY: "retry",
    TableRule.REVIEW: "review",
    TableRule.OTHERWISE: "escalate",
}


@dataclass(frozen=True, slots=True)
class Compared:
    """One comparison."""

    check: Check
    #: A number, a switch, or keys of fields or reasons.
    value: Any
    #: "≥", "<", or "" for a switch or a list that must be empty or not.
    comparison: str
    threshold: float | int | None
    holds: bool


@dataclass(frozen=True, slots=True)
class TableRow:
    """One rule, with all that it compares; it holds if all of it does."""

    rule: TableRule
    compared: tuple[Compared, ...]

    @property
    def holds(self) -> bool:
        """Whether the rule holds."""
        return all(one.holds for one in self.compared)


def decision_table(trace: Mapping[str, Any], tools_used: Sequence[str]) -> list[TableRow]:
    """Return the table down to the rule that decided, which is the last row; empty if the trace lacks numbers."""
    values, limits = trace.get("values") or {}, trace.get("thresholds") or {}
    if values.get("confidence") is None or not limits:
        return []
    rows: list[TableRow] = []
    for row in _rows(values, limits, bool(trace.get("model_configured")), tools_used):
        rows.append(row)
        if row.holds:
            break
    return rows


def _rows(
    values: Mapping[str, Any], limits: Mapping[str, Any], has_model: bool, tools_used: Sequence[str]
) -> list[TableRow]:
    confidence, tries = values["confidence"], values.get("tries", 0)
    missing = list(values.get("missing_fields", ()))
    reviewed = REVIEW_AGENT in tools_used
    complete = (
        Compared(Check.AUTO_COMPLETE, limits["auto_complete"], "", None, bool(limits["auto_complete"])),
        *(_empty(check, values.get(check.value, ())) for check in (Check.MISSING, Check.BLOCKING, Check.WEAK)),
        _at_least(Check.CONFIDENCE, confidence, limits["complete_confidence"]),
    )
    retry = (
        Compared(Check.MODEL, has_model, "", None, has_model),
        _below(Check.RETRY_CONFIDENCE, confidence, limits["retry_confidence"]),
        _below(Check.TRIES, tries, limits["max_tries"]),
        Compared(Check.MISSING, missing, "", None, bool(missing)),
    )
    return [
        TableRow(TableRule.LIMIT, (_at_least(Check.STEPS, len(tools_used), limits["max_steps"]),)),
        TableRow(TableRule.COMPLETE, complete),
        TableRow(TableRule.RETRY, retry),
        TableRow(TableRule.REVIEW, (Compared(Check.REVIEWED, reviewed, "", None, not reviewed),)),
        TableRow(TableRule.OTHERWISE, ()),
    ]


def _empty(check: Check, names: Sequence[str]) -> Compared:
    return Compared(check, list(names), "", None, not names)


def _at_least(check: Check, value: float, threshold: float) -> Compared:
    return Compared(check, value, "≥", threshold, value >= threshold)


def _below(check: Check, value: float, threshold: float) -> Compared:
    return Compared(check, value, "<", threshold, value < threshold)
