"""The table that a page shows leads to the route that was taken, whatever the numbers are."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.orchestrator.decisions import Check, TableRule, decision_table, decision_trace
from pipeline.orchestrator_routing import route_after_pipeline
from pipeline.orchestrator_state import AgentState
from pipeline.validation.policy import Policy
from tests.pipeline.orchestrator.test_recorded import certainty, policies
from tests.support.long import examples
from tests.support.reading.orchestration import entry, read

#: The route that each rule leads to.
ROUTES = {
    TableRule.LIMIT: "escalate",
    TableRule.COMPLETE: "complete",
    TableRule.LOOK: "look",
    TableRule.RETRY: "retry",
    TableRule.REVIEW: "review",
    TableRule.OTHERWISE: "escalate",
}
names = st.lists(st.sampled_from(["grade", "phone"]), max_size=2, unique=True)
states: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "record": st.builds(
            lambda codes, mean: (
                entry().model_dump(mode="json") | {"review_reason_codes": codes, "ocr_confidence_avg": mean}
            ),
            st.lists(st.sampled_from(["UNKNOWN_SCHOOL", "DOC_TYPE_UNKNOWN"]), max_size=2),
            st.sampled_from([None, 0.9]),
        ),
        "confidence": certainty,
        "tries": st.integers(1, 3),
        "missing_fields": names,
        "weak_fields": names,
        "tools_used": st.lists(
            st.sampled_from(["run_pipeline", "second_reader", "retry_with_llm", "review_agent"]),
            min_size=1,
            max_size=5,
        ),
    }
)


@given(values=states, policy=policies, with_model=st.booleans(), with_vision=st.booleans())
@settings(max_examples=examples(100, 3000), deadline=None)
def test_the_last_row_is_the_route(
    values: dict[str, Any], policy: Policy, with_model: bool, with_vision: bool
) -> None:
    state: AgentState = values  # type: ignore[assignment]
    trace = decision_trace(state, policy, None, with_model, [], with_vision)
    table = decision_table(trace, values["tools_used"])
    assert [row.holds for row in table] == [False] * (len(table) - 1) + [True]
    assert ROUTES[table[-1].rule] == route_after_pipeline(
        state, policy, model_configured=with_model, vision_configured=with_vision
    )


def test_it_shows_which_number_failed_which_threshold() -> None:
    record = entry(student_name=read("Marisol Vega", 0.7))
    state: AgentState = {
        "record": record.model_dump(mode="json"),
        "confidence": 0.82,
        "weak_fields": ["student_name"],
    }
    complete = decision_table(decision_trace(state, Policy(), "review", False, []), ["run_pipeline"])[1]
    failed = {one.check: (one.value, one.comparison, one.threshold) for one in complete.compared if not one.holds}
    assert failed == {Check.WEAK: (["student_name"], "", None), Check.CONFIDENCE: (0.82, "≥", 0.9)}


def test_a_row_without_numbers_has_no_table() -> None:
    assert decision_table({}, []) == []
