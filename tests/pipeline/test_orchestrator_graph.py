"""The graph over fakes: every route, and what is written down on the way."""

from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from core.errors import ConfigurationError, RecognitionError
from pipeline.orchestrator.context import MemoryRecorder, RunResult
from pipeline.orchestrator.run import run_in_memory
from pipeline.orchestrator_graph import NODES, create_orchestrator_graph
from pipeline.validation.policy import Policy
from tests.support.reading.orchestration import (
    ENTRIES,
    ESSAY,
    RUN_ID,
    FakeModel,
    FakeSecondLook,
    context,
    entry,
    first_state,
    read,
)


def run(kind: str, folder: Path, **changes: Any) -> tuple[RunResult, MemoryRecorder]:
    recorder = MemoryRecorder()
    return run_in_memory(first_state(), context(ENTRIES[kind](), folder, recorder, **changes)), recorder


def actions(recorder: MemoryRecorder) -> list[str]:
    assert list(recorder.steps) == list(range(1, len(recorder.steps) + 1))
    return [entry.action for entry in recorder.steps.values()]


def test_a_sure_and_complete_entry_completes(tmp_path: Path) -> None:
    result, recorder = run("complete", tmp_path)
    assert (result.outcome, result.record.needs_review) == ("completed", False)
    assert actions(recorder) == ["run_pipeline", "save_complete"]
    assert recorder.steps[2].final_outcome == "completed"
    assert result.interrupt is None


def test_what_completes_is_whole_again(tmp_path: Path) -> None:
    result, _ = run("complete", tmp_path)
    assert result.record.essay_text == ESSAY
    assert result.report["raw_text"].endswith(ESSAY)
    assert result.report["extraction_debug"]


def test_a_weak_field_is_to_be_confirmed(tmp_path: Path) -> None:
    result, recorder = run("weak_name", tmp_path)
    assert (result.outcome, result.record.needs_review) == ("suggested", True)
    assert actions(recorder) == ["run_pipeline", "review_agent"]
    assert recorder.proposal is not None
    assert [field.name for field in recorder.proposal.fields] == ["student_name"]
    assert result.record.student_name == "Marisol Vega"


def test_a_second_reading_is_proposed_and_named(tmp_path: Path) -> None:
    again = read("4", 0.7).model_copy(update={"method": "other_page"})
    result, recorder = run("no_grade", tmp_path, read_again=FakeSecondLook({"grade": [again]}))
    assert (result.outcome, result.record.grade, result.missing_fields) == ("suggested", None, ["grade"])
    assert recorder.proposal is not None
    [field] = recorder.proposal.fields
    assert (field.name, field.proposed_value, field.method) == ("grade", "4", "other_page")


def test_without_a_proposal_a_person_is_asked(tmp_path: Path) -> None:
    result, recorder = run("no_grade", tmp_path)
    assert (result.outcome, result.reason.code) == ("escalated", "nothing_to_propose")
    assert actions(recorder) == ["run_pipeline", "review_agent", "mark_for_human"]
    assert result.interrupt is not None
    assert result.interrupt["run_id"] == RUN_ID
    assert recorder.steps[3].final_outcome == "escalated"


def test_a_blank_form_goes_to_a_person_without_proposals(tmp_path: Path) -> None:
    result, recorder = run("blank", tmp_path)
    assert (result.outcome, result.reason.code, recorder.proposal) == ("escalated", "blank_form", None)


def test_with_a_model_an_unsure_reading_is_tried_again_and_its_values_are_proposed(tmp_path: Path) -> None:
    model = FakeModel({"grade": "4", "student_name": "Marisol Vega"})
    result, recorder = run("hardly_read", tmp_path, model=model)
    assert actions(recorder) == ["run_pipeline", "retry_with_llm", "review_agent"]
    assert result.outcome == "suggested"
    assert recorder.proposal is not None
    fields = {field.name: field for field in recorder.proposal.fields}
    assert fields["grade"].source == "model"
    assert (fields["grade"].current_value, fields["grade"].proposed_value) == (None, "4")
    assert fields["school_name"].proposed_value is None
    assert fields["student_name"].proposed_value == "Marisol Vega"


def test_the_record_of_a_run_is_as_read_whatever_the_model_said(tmp_path: Path) -> None:
    result, _ = run("hardly_read", tmp_path, model=FakeModel({"grade": "4"}))
    assert result.record.grade is None
    assert result.record.readings["grade"].source is None
    assert "EXTRACTION_FALLBACK_USED" in result.record.review_reason_codes


def test_where_the_machine_may_not_complete_everything_is_to_be_confirmed(tmp_path: Path) -> None:
    result, recorder = run("complete", tmp_path, policy=Policy(auto_complete=False))
    assert (result.outcome, result.record.needs_review) == ("suggested", True)
    assert recorder.proposal is not None
    assert {field.name: field.proposed_value for field in recorder.proposal.fields}["essay_text"] == ESSAY


def test_a_blocking_reason_alone_goes_to_a_person(tmp_path: Path) -> None:
    recorder = MemoryRecorder()
    record = entry(codes=["DUPLICATE_SUBMISSION"])
    result = run_in_memory(first_state(), context(record, tmp_path, recorder))
    assert (result.outcome, result.reason.code) == ("escalated", "needs_decision")


def test_the_limit_of_steps_ends_a_run(tmp_path: Path) -> None:
    recorder = MemoryRecorder()
    given = context(ENTRIES["weak_name"](), tmp_path, recorder)
    result = run_in_memory({**first_state(), "max_steps": 1}, given)
    assert (result.outcome, result.tools_used) == ("escalated", ["run_pipeline"])


def test_no_step_tells_a_value(tmp_path: Path) -> None:
    for kind in ENTRIES:
        _, recorder = run(kind, tmp_path, model=FakeModel({"grade": "4"}))
        for told in ("Marisol", "Larkspur", "whistle", "kitchen"):
            assert told not in str(recorder.steps)


def test_a_failed_second_look_is_no_failed_run(tmp_path: Path) -> None:
    def broken(*_: object, **__: object) -> dict[str, list[Any]]:
        raise RecognitionError("no engine")

    result, _ = run("weak_name", tmp_path, read_again=broken)
    assert result.outcome == "suggested"


def test_a_failed_reading_is_the_callers_matter(tmp_path: Path) -> None:
    def broken(*_: object, **__: object) -> tuple[Any, Any]:
        raise RecognitionError("no engine")

    with pytest.raises(RecognitionError):
        run("complete", tmp_path, read=broken)


def test_it_has_the_five_nodes() -> None:
    assert set(create_orchestrator_graph().get_graph().nodes) - {"__start__", "__end__"} == set(NODES)


def test_without_a_context_it_says_what_is_missing() -> None:
    with pytest.raises(ConfigurationError, match="without a context"):
        create_orchestrator_graph().invoke(first_state())


def test_it_also_stops_before_a_node_as_the_plan_shows(tmp_path: Path) -> None:
    graph = create_orchestrator_graph(InMemorySaver(), interrupt_before=["mark_for_human"])
    recorder = MemoryRecorder()
    given = context(ENTRIES["no_grade"](), tmp_path, recorder)
    config: Any = {"configurable": {"thread_id": RUN_ID}}
    graph.invoke(first_state(), config, context=given)
    assert graph.get_state(config).next == ("mark_for_human",)
    assert actions(recorder) == ["run_pipeline", "review_agent"]
    state = graph.invoke(Command(resume={"action": "settle"}), config, context=given)
    assert state["final_outcome"] == "resolved"
    assert [entry.final_outcome for entry in recorder.steps.values()][2:] == ["escalated", "resolved"]


def test_it_stops_before_a_node_and_goes_on_by_itself(tmp_path: Path) -> None:
    graph = create_orchestrator_graph(InMemorySaver(), interrupt_before=["mark_for_human"])
    given = context(ENTRIES["no_grade"](), tmp_path)
    config: Any = {"configurable": {"thread_id": RUN_ID}}
    graph.invoke(first_state(), config, context=given)
    graph.invoke(None, config, context=given)
    assert graph.get_state(config).interrupts
