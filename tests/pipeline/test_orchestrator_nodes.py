"""Each node alone: what it returns, and what it leaves alone."""

from pathlib import Path
from typing import Any

import pytest
from langgraph.runtime import Runtime

from core import plain_data
from core.errors import ModelUnavailableError
from pipeline.orchestrator.context import RunContext
from pipeline.orchestrator_nodes import (
    announce_escalation,
    escalation_payload,
    retry_llm_node,
    review_agent_node,
    run_pipeline_node,
    save_complete_node,
)
from pipeline.orchestrator_state import AgentState, applied
from tests.support.reading.orchestration import (
    ENTRIES,
    ESSAY,
    REACTION,
    VALUES,
    FakeModel,
    FakeSecondLook,
    blank,
    complete,
    context,
    first_state,
    hardly_read,
    no_grade,
    read,
    weak_name,
)


def checked(node: str, delta: AgentState) -> AgentState:
    return plain_data.checked_delta(node, delta, AgentState.__annotations__)


def runtime(given: RunContext) -> Runtime[RunContext]:
    return Runtime(context=given)


def after_reading(given: RunContext) -> AgentState:
    state = first_state()
    return applied(state, run_pipeline_node(state, runtime(given)))


def test_the_first_reading_says_what_is_open(tmp_path: Path) -> None:
    delta = run_pipeline_node(first_state(), runtime(context(no_grade(), tmp_path)))
    assert delta["missing_fields"] == ["grade"]
    assert delta["weak_fields"] == []
    assert delta["confidence"] == pytest.approx(0.6 + 0.4 * 3 / 4)
    assert delta["needs_review"] is True
    assert (delta["tries"], delta["tools_used"]) == (1, ["run_pipeline"])
    assert delta["reason"]["params"]["problems"] == [{"code": "missing", "params": {"fields": ["grade"]}}]


@pytest.mark.parametrize("kind", ENTRIES)
def test_a_reading_leaves_json_and_none_of_the_texts(kind: str, tmp_path: Path) -> None:
    delta = checked("run_pipeline", run_pipeline_node(first_state(), runtime(context(ENTRIES[kind](), tmp_path))))
    assert ESSAY[:20] not in str(delta)
    assert REACTION not in str(delta)
    assert "raw_text" not in (delta["report"] or {})


def test_the_model_is_asked_for_the_missing_fields_and_its_values_stay_out_of_the_record(tmp_path: Path) -> None:
    model = FakeModel({"grade": "4", "school_name": "Larkspur Elementary", "student_name": "Not asked"})
    given = context(hardly_read(), tmp_path, model=model)
    state = after_reading(given)
    delta = checked("retry_with_llm", retry_llm_node(state, runtime(given)))
    record = delta["record"] or {}
    assert record["grade"] is None
    assert record["readings"]["grade"]["value"] == "4"
    assert record["readings"]["grade"]["source"] == "model"
    assert record["readings"]["student_name"]["value"] == "Marisol Vega"
    assert "EXTRACTION_FALLBACK_USED" in record["review_reason_codes"]
    assert delta["missing_fields"] == ["school_name", "grade"]
    assert (delta["tries"], delta["tools_used"]) == (1, ["retry_with_llm"])
    assert delta["needs_review"] is True


def test_without_an_answer_the_entry_goes_on(tmp_path: Path) -> None:
    given = context(hardly_read(), tmp_path, model=FakeModel(error=ModelUnavailableError("down")))
    state = after_reading(given)
    delta = retry_llm_node(state, runtime(given))
    assert delta["record"] == state["record"]
    assert delta["reason"] == {"code": "model_failed", "params": {"technical": "model_unavailable"}}


def test_what_the_model_makes_up_is_nothing(tmp_path: Path) -> None:
    given = context(hardly_read(), tmp_path, model=FakeModel({"school_name": "Nowhere Academy"}))
    state = after_reading(given)
    assert retry_llm_node(state, runtime(given))["record"] == state["record"]


def test_the_review_agent_proposes_and_does_not_apply(tmp_path: Path) -> None:
    given = context(no_grade(), tmp_path, read_again=FakeSecondLook({"grade": [read("4", 0.7)]}))
    state = after_reading(given)
    delta = checked("review_agent", review_agent_node(state, runtime(given)))
    assert delta["final_outcome"] == "suggested"
    assert delta["tools_used"] == ["review_agent"]
    assert not {"record", "needs_review"} & delta.keys()
    assert given.recorder.proposed()


def test_without_a_proposal_there_is_no_outcome_yet(tmp_path: Path) -> None:
    given = context(no_grade(), tmp_path)
    assert "final_outcome" not in review_agent_node(after_reading(given), runtime(given))
    assert not given.recorder.proposed()


def test_a_blank_form_is_not_looked_at_again(tmp_path: Path) -> None:
    look = FakeSecondLook({"grade": [read("4")]})
    given = context(blank(), tmp_path, read_again=look, model=FakeModel({"grade": "4"}))
    assert "final_outcome" not in review_agent_node(after_reading(given), runtime(given))
    assert not look.asked
    assert not given.recorder.proposed()


def test_a_repeated_review_does_not_ask_again(tmp_path: Path) -> None:
    model = FakeModel({"grade": "4"})
    given = context(no_grade(), tmp_path, model=model)
    state = after_reading(given)
    first, second = (review_agent_node(state, runtime(given)) for _ in range(2))
    assert first["final_outcome"] == second["final_outcome"] == "suggested"
    assert len(model.asked) == 1


def test_the_machine_completes(tmp_path: Path) -> None:
    given = context(complete(), tmp_path)
    delta = checked("save_complete", save_complete_node(after_reading(given), runtime(given)))
    assert (delta["status"], delta["final_outcome"], delta["needs_review"]) == ("completed", "completed", False)


@pytest.mark.parametrize(
    ("kind", "reason"),
    [("blank", "blank_form"), ("no_grade", "nothing_to_propose"), ("weak_name", "low_confidence")],
)
def test_an_escalation_says_why(kind: str, reason: str, tmp_path: Path) -> None:
    given = context(ENTRIES[kind](), tmp_path)
    state = applied(after_reading(given), {"tools_used": ["review_agent"]})
    delta = checked("mark_for_human", announce_escalation(state, runtime(given)))
    assert delta["final_outcome"] == "escalated"
    assert delta["reason"]["code"] == reason


def test_the_limit_of_steps_is_a_reason(tmp_path: Path) -> None:
    given = context(no_grade(), tmp_path)
    state: AgentState = {**after_reading(given), "max_steps": 1}
    assert announce_escalation(state, runtime(given))["reason"]["code"] == "limit_of_steps"


def test_what_a_person_is_told_holds_no_values(tmp_path: Path) -> None:
    given = context(weak_name(), tmp_path)
    payload: dict[str, Any] = escalation_payload(after_reading(given), given)
    assert payload["weak_fields"] == ["student_name"]
    assert not [value for value in VALUES.values() if value in str(payload.values()) and len(value) > 1]
