"""The graph over real documents, without a model and without fakes."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from core.config import Settings
from core.file_store import LocalFileStore
from pipeline.orchestrator.context import MemoryRecorder, RunContext, RunResult
from pipeline.orchestrator.run import run_in_memory
from pipeline.runner import analyse, process_submission, read_submission
from services.policy import policy_of

SAMPLES = Path(__file__).resolve().parents[3] / "samples"
#: A filled form, one without a grade, one nobody filled in, and pictures of text.
FILES = (
    "01-form-filled-on-screen.pdf",
    "02-form-without-grade.pdf",
    "06-blank-form.pdf",
    "12-essay-as-outlines.pdf",
)


def read_first(name: str, folder: Path) -> tuple[RunResult, MemoryRecorder, dict[str, Any]]:
    """The first entry of a sample through the graph, and what its label says."""
    data = (SAMPLES / name).read_bytes()
    settings, store, recorder = Settings(_env_file=None), LocalFileStore(folder / "files"), MemoryRecorder()
    store.put("originals/entry.pdf", data)
    analysis = analyse(data, settings, store)
    context = RunContext(
        settings=settings, store=store, policy=policy_of(settings), recorder=recorder, read=read_submission
    )
    result = run_in_memory(
        {
            "submission_id": "entry",
            "run_id": "entry:1",
            "run_no": 1,
            "image_path": "originals/entry.pdf",
            "artifact_dir": "artifacts/entry/1",
            "ocr_provider_name": settings.ocr_provider,
            "original_filename": name,
            "chunk_metadata": analysis.chunks[0].model_dump(mode="json"),
            "doc_format": analysis.format.value,
            "tries": 0,
            "tools_used": [],
        },
        context,
    )
    labels = json.loads((SAMPLES / "labels.json").read_text(encoding="utf-8"))
    return result, recorder, labels[sha256(data).hexdigest()]["entries"][0]


@pytest.mark.parametrize("name", FILES)
def test_a_sample_comes_to_what_its_label_says(name: str, tmp_path: Path) -> None:
    result, recorder, label = read_first(name, tmp_path)
    assert result.outcome == label["expected_outcome"]
    assert (recorder.proposal is not None) == (result.outcome == "suggested")
    assert result.record.student_name == label["student_name"]
    assert [step.step for step in recorder.steps.values()] == list(range(1, len(recorder.steps) + 1))
    traced = json.dumps([step.trace for step in recorder.steps.values()], ensure_ascii=False)
    read = [reading.value for reading in result.record.readings.values()]
    assert not [value for value in read if value and len(value) > 3 and value in traced]


def test_it_gives_what_the_reading_alone_gives(tmp_path: Path) -> None:
    result, _, _ = read_first(FILES[0], tmp_path)
    store = LocalFileStore(tmp_path / "files")
    settings = Settings(_env_file=None)
    chunk = analyse(store.get("originals/entry.pdf"), settings, store).chunks[0].model_dump(mode="json")
    record, report = process_submission(
        "originals/entry.pdf",
        "entry",
        "artifacts/entry/1",
        settings.ocr_provider,
        FILES[0],
        chunk,
        "native_text",
        settings=settings,
        store=store,
        policy=policy_of(settings),
    )
    assert result.record == record
    assert result.report.keys() == report.keys()
    assert result.report["raw_text"] == report["raw_text"]
