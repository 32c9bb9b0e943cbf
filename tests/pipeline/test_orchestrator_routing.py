"""The table of routes, row by row and by property."""

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.orchestrator_routing import Route, route_after_pipeline, route_after_review
from pipeline.orchestrator_state import AgentState, applied
from pipeline.validation.policy import Policy

DEFAULT = Policy()
RULES_ALONE, WITH_MODEL = False, True


def state(**changes: Any) -> AgentState:
    """A sure and complete first reading, but for what is changed."""
    good: AgentState = {
        "record": {"review_reason_codes": []},
        "tools_used": ["run_pipeline"],
        "tries": 1,
        "missing_fields": [],
        "weak_fields": [],
        "confidence": 0.95,
        "max_steps": 5,
    }
    return {**good, **changes}  # type: ignore[typeddict-item]


def with_code(code: str) -> AgentState:
    return state(record={"review_reason_codes": [code]})


UNSURE = {"confidence": 0.4, "missing_fields": ["grade"]}
AFTER_REVIEW = {"tools_used": ["run_pipeline", "review_agent"]}

ROWS: list[tuple[str, AgentState, bool, Route]] = [
    ("1 the limit comes before everything", state(tools_used=["a"] * 5), RULES_ALONE, "escalate"),
    ("1 beyond the limit", state(tools_used=["a"] * 6), WITH_MODEL, "escalate"),
    ("1 the state's limit counts", state(max_steps=1), RULES_ALONE, "escalate"),
    ("1 not one step earlier", state(tools_used=["a"] * 4), RULES_ALONE, "complete"),
    ("2 all is well", state(), RULES_ALONE, "complete"),
    ("2 exactly sure enough", state(confidence=0.9), RULES_ALONE, "complete"),
    ("2 also after the model was asked", state(tries=2), WITH_MODEL, "complete"),
    ("2 a code that does not block", with_code("DOC_TYPE_UNKNOWN"), RULES_ALONE, "complete"),
    ("2 not with a missing field", state(missing_fields=["grade"]), RULES_ALONE, "review"),
    ("2 not with a weak field", state(weak_fields=["grade"]), RULES_ALONE, "review"),
    ("2 not with a blocking code", with_code("TEMPLATE_ONLY"), RULES_ALONE, "review"),
    ("2 not below the threshold", state(confidence=0.89), RULES_ALONE, "review"),
    ("2 not without a record", state(record=None), RULES_ALONE, "review"),
    ("3 worth another try", state(**UNSURE), WITH_MODEL, "retry"),
    ("3 not without a model", state(**UNSURE), RULES_ALONE, "review"),
    ("3 not a third time", state(**UNSURE, tries=2), WITH_MODEL, "review"),
    ("3 not when nothing is missing", state(confidence=0.4), WITH_MODEL, "review"),
    ("3 not at the threshold", state(confidence=0.5, missing_fields=["grade"]), WITH_MODEL, "review"),
    ("3 comes before the review agent", state(**UNSURE, **AFTER_REVIEW), WITH_MODEL, "retry"),
    ("4 half sure", state(confidence=0.7), RULES_ALONE, "review"),
    ("5 the review agent has run", state(confidence=0.7, **AFTER_REVIEW), RULES_ALONE, "escalate"),
]


@pytest.mark.parametrize(("state", "model", "route"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_the_table(state: AgentState, model: bool, route: Route) -> None:
    assert route_after_pipeline(state, DEFAULT, model_configured=model) == route


def test_nothing_is_completed_where_the_machine_may_not() -> None:
    assert route_after_pipeline(state(), Policy(auto_complete=False)) == "review"


def test_a_proposal_ends_the_run_and_none_goes_to_a_person() -> None:
    assert route_after_review({"final_outcome": "suggested"}) == "suggested"
    assert route_after_review({}) == "escalate"


fields = st.lists(st.sampled_from(["student_name", "school_name", "grade"]), max_size=2)
codes = st.lists(st.sampled_from(["TEMPLATE_ONLY", "UNKNOWN_SCHOOL", "DOC_TYPE_UNKNOWN"]), max_size=2)
readings = st.fixed_dictionaries(
    {},
    optional={
        "missing_fields": fields,
        "weak_fields": fields,
        "confidence": st.floats(0, 1),
        "record": st.none() | codes.map(lambda found: {"review_reason_codes": found}),
    },
)
policies = st.builds(
    Policy,
    complete_confidence=st.floats(0, 1),
    retry_confidence=st.floats(0, 1),
    max_tries=st.integers(1, 10),
    max_steps=st.integers(1, 8),
    auto_complete=st.booleans(),
)


tools = st.lists(st.sampled_from(["run_pipeline", "review_agent"]), max_size=9)


@given(readings, policies, st.booleans(), tools, st.integers(0, 9))
def test_every_state_routes(reading: Any, policy: Policy, model: bool, tools: list[str], tries: int) -> None:
    found: AgentState = {**reading, "tools_used": tools, "tries": tries}
    assert route_after_pipeline(found, policy, model_configured=model) in get_args(Route)


@given(st.lists(readings, min_size=10, max_size=10), policies, st.booleans())
def test_every_run_ends_within_its_steps(later: list[Any], policy: Policy, model: bool) -> None:
    """Whatever each reading finds, no run uses more tools than it may."""
    after = {"retry": "retry_with_llm", "review": "review_agent"}
    run: AgentState = {"tools_used": ["run_pipeline"], "tries": 1, "max_steps": policy.max_steps, **later[0]}
    for reading in later[1:]:
        route = route_after_pipeline(run, policy, model_configured=model)
        if route not in after:
            break
        run = applied(run, {"tools_used": [after[route]], "tries": 1 if route == "retry" else 0, **reading})
        if route == "review":
            break
    else:
        pytest.fail("the run did not end")
    assert len(run["tools_used"]) <= policy.max_steps
