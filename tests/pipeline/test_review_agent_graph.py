"""The review agent: what it asks whom, and what it leaves to a person."""

from pathlib import Path
from typing import Any

import pytest

from core.errors import ModelReplyError, NotFoundError
from core.file_store import LocalFileStore
from pipeline.orchestrator.context import MemoryRecorder, ProposedField, RunContext
from pipeline.orchestrator.run import run_in_memory
from pipeline.pages.page_model import Box, Source
from pipeline.schema import EvidenceBox, SubmissionRecord
from pipeline.validation.policy import Policy
from tests.support.reading.orchestration import (
    ESSAY,
    FakeModel,
    FakeSecondLook,
    context,
    entry,
    first_state,
    no_grade,
    read,
    weak_essay,
    weak_name,
)


def proposed(record: SubmissionRecord, folder: Path, **changes: Any) -> dict[str, ProposedField]:
    recorder = MemoryRecorder()
    run_in_memory(first_state(), context(record, folder, recorder, **changes))
    return {field.name: field for field in recorder.proposal.fields} if recorder.proposal else {}


def test_a_model_is_asked_first_and_the_page_for_what_it_leaves_open(tmp_path: Path) -> None:
    record = entry(grade=read(None), student_name=read("Mirasol Vega", 0.6, Source.OCR))
    look = FakeSecondLook({"student_name": [read("Marisol Vega", 0.7, Source.OCR)]})
    fields = proposed(record, tmp_path, model=FakeModel({"grade": "4"}), read_again=look)
    assert look.asked == ["student_name"]
    assert (fields["grade"].source, fields["student_name"].proposed_value) == ("model", "Marisol Vega")


def test_a_model_that_fails_leaves_everything_to_the_page(tmp_path: Path) -> None:
    look = FakeSecondLook({"grade": [read("4", 0.7)]})
    model = FakeModel(error=ModelReplyError("nonsense"))
    fields = proposed(no_grade(), tmp_path, model=model, read_again=look)
    assert fields["grade"].proposed_value == "4"


def test_a_models_value_is_shown_where_it_stands(tmp_path: Path) -> None:
    place = EvidenceBox(page=1, box=Box(0.1, 0.1, 0.2, 0.2))
    fields = proposed(
        no_grade(), tmp_path, model=FakeModel({"grade": "4"}), locate=lambda *_, **__: {"grade": [place]}
    )
    assert fields["grade"].evidence == place


def test_the_school_list_goes_along(tmp_path: Path) -> None:
    seen: list[Any] = []

    def look(*_: Any, schools: Any, **__: Any) -> dict[str, list[Any]]:
        seen.append(schools)
        return {}

    policy = Policy(known_schools={"Bellwether Academy": []})
    proposed(entry(policy), tmp_path, policy=policy, read_again=look)
    assert seen == [{"Bellwether Academy": []}]


def test_a_weak_essay_is_confirmed_as_read_and_not_read_again(tmp_path: Path) -> None:
    look = FakeSecondLook()
    fields = proposed(weak_essay(), tmp_path, read_again=look)
    assert (fields["essay_text"].proposed_value, look.asked) == (ESSAY, [])


def test_the_document_must_be_there(tmp_path: Path) -> None:
    given: RunContext = context(weak_name(), tmp_path, store=LocalFileStore(tmp_path / "empty"))
    with pytest.raises(NotFoundError):
        run_in_memory(first_state(), given)


def test_a_model_is_asked_for_what_nobody_requires_where_the_form_has_a_label(tmp_path: Path) -> None:
    record = no_grade().model_copy(update={"profile": "ifi_2026"})
    look = FakeSecondLook()
    model = FakeModel({"grade": "4", "phone": "312-555-0134"})
    fields = proposed(record, tmp_path, model=model, read_again=look)
    assert {name: field.proposed_value for name, field in fields.items()} == {
        "grade": "4",
        "phone": "312-555-0134",
    }
    assert look.asked == []
