"""Read a file into predictions. With `first_reading.py`, the only module that uses the pipeline's entry points."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from core.config import Settings
from core.file_store import LocalFileStore
from core.llm.ledger import Model
from core.llm.providers import open_model, open_vision_model
from pipeline.joint_pass.respelling import respell
from pipeline.joint_pass.votes import Respelling
from pipeline.looks.second_look import second_readings
from pipeline.orchestrator.artifacts import ReadTogether
from pipeline.orchestrator.context import MemoryRecorder, Proposal, ProposedField, ReadAgain, RunContext, RunResult
from pipeline.orchestrator.run import run_in_memory
from pipeline.orchestrator_state import AgentState
from pipeline.schema import FieldReading
from pipeline.splitting.document_analysis import Chunk
from scripts.regression.first_reading import OpenFile, open_file, read_first
from scripts.regression.prediction import Offered, Prediction, Seen
from scripts.regression.school_list import SchoolList, spellings
from services.runs.run import run_directly


def read_file(
    path: Path,
    use_orchestrator: bool,
    ocr_provider: str,
    cache_dir: Path | None,
    schools: SchoolList | None = None,
    changes: Mapping[str, Sequence[Respelling]] | None = None,
    rules: Mapping[str, Any] | None = None,
    settings: Settings | None = None,
    read_again: ReadAgain = second_readings,
    vision: Model | None = None,
) -> list[Prediction]:
    """Read one file as an upload is read, with a recorder in memory instead of the database.

    `changes` are those of a joint pass, by the id of the entry; without them the entries of the file are decided
    together. `rules` are what a season sets for itself, by the names of the policy's fields; `settings` those of
    the process unless given; `read_again` is how the review agent reads fields again; `vision` is the second
    reader's model, by default that of the settings. With a cache folder, recognised pages are reused
    in later runs. Raises what the reading raises.
    """
    with ExitStack() as stack:
        folder = cache_dir or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        file = open_file(path, ocr_provider, LocalFileStore(folder), schools or {}, rules, settings)
        mode = "graph" if use_orchestrator else "direct"
        members = read_first(file, mode)
        decided = respell(members, spellings(schools or {})) if changes is None else changes
        return [_run(file, chunk, mode, decided, read_again, vision) for chunk in file.analysis.chunks]


def _run(
    file: OpenFile,
    chunk: Chunk,
    mode: str,
    changes: Mapping[str, Sequence[Respelling]],
    read_again: ReadAgain,
    vision: Model | None,
) -> Prediction:
    """Run the rest of an entry from its first reading."""
    recorder = MemoryRecorder()
    context = RunContext(
        settings=file.settings,
        store=file.store,
        policy=file.policy,
        recorder=recorder,
        read=ReadTogether(changes.get(file.key_of(chunk), ())),
        model=open_model(file.settings),
        vision=open_vision_model(file.settings) if vision is None else vision,
        read_again=read_again,
    )
    state = _state(file, chunk, mode)
    result = run_in_memory(state, context) if mode == "graph" else run_directly(state, context)
    return _prediction(result, recorder.proposal)


def _state(file: OpenFile, chunk: Chunk, mode: str) -> AgentState:
    key = file.key_of(chunk)
    return {
        "submission_id": key,
        "run_id": f"{key}:1",
        "run_no": 1,
        "image_path": file.pdf_key,
        "artifact_dir": file.artifacts_of(chunk, mode),
        "ocr_provider_name": file.provider,
        "original_filename": file.name,
        "chunk_metadata": chunk.model_dump(mode="json"),
        "doc_format": file.analysis.format.value,
        "owner_user_id": "regression",
        "upload_batch_id": None,
        "tries": 0,
        "tools_used": [],
    }


def _prediction(result: RunResult, proposal: Proposal | None) -> Prediction:
    record = result.record
    return Prediction(
        student_name=record.student_name,
        school_name=record.school_name,
        grade=record.grade,
        teacher_name=record.teacher_name,
        city_or_location=record.city_or_location,
        father_figure_name=record.value_of("father_figure_name"),
        phone=record.phone,
        email=record.email,
        writing_about=record.value_of("writing_about"),
        word_count=record.word_count,
        needs_review=record.needs_review,
        outcome=result.outcome.value,
        review_reason_codes=list(record.review_reason_codes),
        doc_class=record.doc_class.value if record.doc_class else None,
        page_start=record.page_start,
        page_end=record.page_end,
        essay_text=record.essay_text,
        missing_fields=list(result.missing_fields),
        weak_fields=list(result.weak_fields),
        offered={item.name: _offered(item) for item in proposal.fields} if proposal else {},
        seen={name: _seen(reading) for name, reading in record.readings.items()},
    )


def _offered(item: ProposedField) -> Offered:
    return Offered(item.current_value, item.proposed_value, item.preferred.value)


def _seen(reading: FieldReading) -> Seen:
    return Seen(
        confidence=reading.confidence,
        source=reading.source.value if reading.source else None,
        method=reading.method,
        places=tuple((piece.page, (*piece.box,)) for piece in reading.evidence),
        probability=reading.probability,
        signals=reading.signals,
        second=reading.second.value if reading.second else None,
        agreement=reading.second.agreement.value if reading.second else None,
        likelihood=reading.second.likelihood if reading.second else None,
    )
