"""The second reader's node: when it looks, what agreement and difference lead to, and what they never do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.errors import ModelUnavailableError
from core.messages import Message
from pipeline.orchestrator.context import MemoryRecorder, RunResult
from pipeline.orchestrator.run import run_in_memory
from pipeline.orchestrator_state import Outcome
from pipeline.pages.page_model import Source
from pipeline.reason_codes import TogetherWay
from pipeline.schema import Agreement, Preferred, SubmissionRecord
from pipeline.validation.policy import Policy
from tests.support.reading.orchestration import (
    ENTRIES,
    FakeModel,
    FakeSecondReader,
    context,
    entry,
    first_state,
    read,
)

HAND = {
    "student_name": read("Marisol Vega", 0.79, Source.OCR),
    "school_name": read("Larkspur Elementary", 0.79, Source.OCR),
    "grade": read("4", 0.79, Source.OCR),
}
SAME = {"student_name": "MARISOL VEGA", "school_name": "Larkspur Elementary", "grade": "4"}


def handwritten(policy: Policy | None = None, **changes: Any) -> SubmissionRecord:
    found = entry(policy, **{**HAND, **changes})
    return found.model_copy(update={"ocr_confidence_avg": 0.93})


def run(
    record: SubmissionRecord, look: FakeSecondReader, folder: Path, **changes: Any
) -> tuple[RunResult, MemoryRecorder]:
    recorder = MemoryRecorder()
    nodes = context(record, folder, recorder, **{"vision": FakeModel({}), "ask_second_reader": look, **changes})
    return run_in_memory(first_state(), nodes), recorder


def test_an_entry_on_which_both_readers_agree_passes_without_a_person(tmp_path: Path) -> None:
    look = FakeSecondReader(SAME)
    result, recorder = run(handwritten(), look, tmp_path)
    assert result.outcome is Outcome.COMPLETED and not result.record.needs_review
    assert result.tools_used == ["run_pipeline", "second_reader"]
    assert look.looks == [("student_name", "school_name", "grade")]
    seen = result.record.readings["student_name"]
    assert result.record.student_name == "Marisol Vega" and seen.confidence == 0.79
    assert seen.second is not None and (seen.second.value, seen.second.agreement) == (
        "MARISOL VEGA",
        Agreement.AGREE,
    )
    assert recorder.steps[2].reason.code == "second_reader_looked"


@pytest.mark.parametrize(
    "rule", [{"agreed_completes": False}, {"agreed_confidence": 0.7}, {"auto_complete": False}]
)
def test_agreement_passes_nothing_where_the_rules_say_no(tmp_path: Path, rule: dict[str, Any]) -> None:
    result, recorder = run(handwritten(), FakeSecondReader(SAME), tmp_path, policy=Policy(**rule))
    assert result.outcome is not Outcome.COMPLETED
    if "auto_complete" not in rule:
        assert recorder.proposal is not None
        assert {one.preferred for one in recorder.proposal.fields} == {Preferred.PROPOSED}
        assert {one.reason.code for one in recorder.proposal.fields if one.reason} == {"both_readers_have_it"}


@pytest.mark.parametrize(
    ("likelihood", "preferred"), [(-0.1, Preferred.PROPOSED), (-5.0, Preferred.NEITHER), (None, Preferred.NEITHER)]
)
def test_where_they_differ_both_stand(tmp_path: Path, likelihood: float | None, preferred: Preferred) -> None:
    look = FakeSecondReader({**SAME, "student_name": "Marisol Vera"}, likelihood)
    result, recorder = run(handwritten(), look, tmp_path)
    assert result.outcome is Outcome.SUGGESTED and result.record.student_name == "Marisol Vega"
    assert recorder.proposal is not None
    [field] = recorder.proposal.fields
    assert (field.name, field.current_value, field.proposed_value) == (
        "student_name",
        "Marisol Vega",
        "Marisol Vera",
    )
    assert (field.preferred, field.source, field.method) == (preferred, "model", "second_reader")


def test_what_was_read_before_other_entries_changed_it_is_marked_where_the_second_reader_has_it(
    tmp_path: Path,
) -> None:
    """The second reader has seen the page, the other entries have not."""
    way = Message.of(TogetherWay.AS_IN_FILE, count=3).to_json()
    respelled = {
        "student_name": HAND["student_name"].model_copy(update={"disagrees_with": "Marisol Vera", "way": way})
    }
    result, recorder = run(
        handwritten(**respelled), FakeSecondReader({**SAME, "student_name": "Marisol Vera"}, 0.0), tmp_path
    )
    assert result.outcome is Outcome.SUGGESTED and recorder.proposal is not None
    found = {one.name: one for one in recorder.proposal.fields}["student_name"]
    assert (found.proposed_value, found.preferred) == ("Marisol Vera", Preferred.PROPOSED)


def test_a_value_that_the_model_alone_gives_completes_nothing(tmp_path: Path) -> None:
    """Also where it is likely on the line, and every other field is sure."""
    record = handwritten(grade=read(None))
    result, recorder = run(record, FakeSecondReader(SAME, -0.05), tmp_path)
    assert result.outcome is Outcome.SUGGESTED and result.record.grade is None
    assert recorder.proposal is not None
    found = {one.name: one for one in recorder.proposal.fields}
    assert found["grade"].proposed_value == "4" and found["grade"].current_value is None


def test_a_sure_value_that_it_disputes_holds_the_entry(tmp_path: Path) -> None:
    record = handwritten(grade=read("4", 0.97, Source.OCR))
    result, _ = run(record, FakeSecondReader({**SAME, "grade": "9"}), tmp_path)
    assert result.outcome is Outcome.SUGGESTED and result.weak_fields == ["grade"]


@pytest.mark.parametrize("kind", ENTRIES)
def test_it_looks_only_at_pictures_that_leave_something_open(tmp_path: Path, kind: str) -> None:
    """Entries without a recognised page, sure ones and blank forms are never shown to it."""
    look = FakeSecondReader(SAME)
    result, _ = run(ENTRIES[kind](), look, tmp_path)
    assert not look.looks and "second_reader" not in result.tools_used
    recognised = ENTRIES[kind]().model_copy(update={"ocr_confidence_avg": 0.9})
    run(recognised, look, tmp_path / "recognised")
    assert bool(look.looks) is (kind in ("weak_name", "no_grade", "hardly_read"))


def test_without_a_vision_model_nothing_changes(tmp_path: Path) -> None:
    look = FakeSecondReader(SAME)
    result, _ = run(handwritten(), look, tmp_path, vision=None)
    assert result.tools_used == ["run_pipeline", "review_agent"] and not look.looks


def test_a_provider_that_fails_leaves_the_run_as_it_was(tmp_path: Path) -> None:
    look = FakeSecondReader(fails=ModelUnavailableError("vision: http_429"))
    result, recorder = run(handwritten(), look, tmp_path)
    assert result.tools_used == ["run_pipeline", "second_reader", "review_agent"] and len(look.looks) == 1
    assert recorder.steps[2].reason.code == "model_failed"


def test_the_trace_of_a_step_has_verdicts_and_no_values(tmp_path: Path) -> None:
    _, recorder = run(handwritten(), FakeSecondReader({**SAME, "student_name": "Quenby Alder"}), tmp_path)
    trace = recorder.steps[2].trace
    assert trace["values"]["readings"]["student_name"]["second"] == "differ"
    assert trace["values"]["readings"]["grade"]["second"] == "agree"
    assert "Quenby" not in str(recorder.steps)
