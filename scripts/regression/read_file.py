"""Read a file into predictions. The only module that uses the pipeline's entry points."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path

from core.config import get_settings
from core.file_store import FileStore, LocalFileStore
from core.llm import open_model
from pipeline.document_analysis import Chunk, DocumentAnalysis
from pipeline.files.intake import to_pdf
from pipeline.orchestrator.context import RunContext
from pipeline.orchestrator.memory import MemoryRecorder
from pipeline.orchestrator.result import RunResult
from pipeline.orchestrator.run import run_in_memory
from pipeline.orchestrator_state import AgentState
from pipeline.runner import analyse, process_submission
from pipeline.schema import FieldReading
from pipeline.validation.season_policy import policy_of
from scripts.regression.prediction import Prediction, Seen
from scripts.regression.school_list import SchoolList
from services.runs.run_directly import run_directly


def read_file(
    path: Path,
    use_orchestrator: bool,
    ocr_provider: str,
    cache_dir: Path | None,
    schools: SchoolList | None = None,
) -> list[Prediction]:
    """Read one file as an upload is read, with a recorder in memory instead of the database.

    With a cache folder, recognised pages are reused in later runs. Raises what the reading raises.
    """
    if cache_dir is not None:
        return _read(path, use_orchestrator, ocr_provider, LocalFileStore(cache_dir), schools or {})
    with tempfile.TemporaryDirectory() as folder:
        return _read(path, use_orchestrator, ocr_provider, LocalFileStore(Path(folder)), schools or {})


def _read(
    path: Path, use_orchestrator: bool, provider: str, store: FileStore, schools: SchoolList
) -> list[Prediction]:
    settings = get_settings()
    data = path.read_bytes()
    pdf = to_pdf(data, path.name, settings).pdf
    digest = hashlib.sha256(data).hexdigest()
    key = f"regression/{digest}.pdf"
    store.put(key, pdf, "application/pdf")
    analysis = analyse(pdf, settings, store, provider)
    policy = policy_of(settings, known_schools=schools)
    predictions = []
    for chunk in analysis.chunks:
        context = RunContext(
            settings=settings,
            store=store,
            policy=policy,
            recorder=MemoryRecorder(),
            read=process_submission,
            schools=tuple(schools),
            model=open_model(settings),
        )
        mode = "graph" if use_orchestrator else "direct"
        state = _state(f"{digest}-{chunk.index}-{mode}", key, path.name, provider, analysis, chunk)
        result = run_in_memory(state, context) if use_orchestrator else run_directly(state, context)
        predictions.append(_prediction(result))
    return predictions


def _state(
    name: str, key: str, filename: str, provider: str, analysis: DocumentAnalysis, chunk: Chunk
) -> AgentState:
    return {
        "submission_id": name,
        "run_id": f"{name}:1",
        "run_no": 1,
        "image_path": key,
        "artifact_dir": f"artifacts/{name}/1",
        "ocr_provider_name": provider,
        "original_filename": filename,
        "chunk_metadata": chunk.model_dump(mode="json"),
        "doc_format": analysis.format.value,
        "owner_user_id": "regression",
        "upload_batch_id": None,
        "tries": 0,
        "tools_used": [],
    }


def _prediction(result: RunResult) -> Prediction:
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
        seen={name: _seen(reading) for name, reading in record.readings.items()},
    )


def _seen(reading: FieldReading) -> Seen:
    return Seen(
        confidence=reading.confidence,
        source=reading.source.value if reading.source else None,
        method=reading.method,
        places=tuple((piece.page, (*piece.box,)) for piece in reading.evidence),
    )
