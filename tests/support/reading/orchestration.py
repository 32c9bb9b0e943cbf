"""Entries, fakes and rows for the tests of the orchestrator. Importable by the processes that they start."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel
from sqlalchemy import func, text

from core.config import Settings
from core.database import Database
from core.errors import ModelError
from core.file_store import FileStore, LocalFileStore
from core.llm.ledger import Usage
from core.models import Profile, Run, Season, Submission, Upload, UploadBatch
from pipeline.orchestrator.context import MemoryRecorder, RunContext, RunRecorder
from pipeline.orchestrator_state import AgentState
from pipeline.pages.page_model import Box, Source
from pipeline.schema import DocClass, EvidenceBox, FieldReading, Report, SubmissionRecord
from pipeline.second_reader.comparison import agreement_of, with_second
from pipeline.second_reader.reader import HeaderReading
from pipeline.validate import validate_record
from pipeline.validation.policy import Policy

T = TypeVar("T", bound=BaseModel)

#: What no log, checkpoint or trace may ever hold.
ESSAY = "My grandfather Quillon taught me to whistle on the porch. " * 12
REACTION = "We cried when we read it at the kitchen table."
RUN_ID = "00000000-0000-4000-8000-000000000001:1"
VALUES = {"student_name": "Marisol Vega", "school_name": "Larkspur Elementary", "grade": "4"}
TEXT = f"Marisol Vega\nLarkspur Elementary\nGrade 4\nPhone 312-555-0134\n{ESSAY}"


def read(value: str | None, confidence: float = 1.0, source: Source = Source.TEXT_LAYER) -> FieldReading:
    """A reading with its place on page 1."""
    where = [EvidenceBox(page=1, box=Box(0.1, 0.2, 0.3, 0.25))] if value else []
    return FieldReading(
        value=value, confidence=confidence if value else 0.0, source=source if value else None, evidence=where
    )


def entry(policy: Policy | None = None, codes: Sequence[str] = (), **fields: FieldReading) -> SubmissionRecord:
    """A complete and sure entry, but for the readings given."""
    readings = {name: read(value) for name, value in VALUES.items()}
    readings |= {"essay_text": read(ESSAY), "parent_reaction": read(REACTION), **fields}
    essay = readings["essay_text"].value
    record, _ = validate_record(
        {
            "submission_id": RUN_ID[:36],
            "artifact_dir": f"artifacts/{RUN_ID[:36]}/1",
            "doc_class": DocClass.SINGLE_TYPED,
            "profile": "plain",
            **{name: reading.value for name, reading in readings.items()},
            "word_count": len(essay.split()) if essay else None,
            "readings": readings,
            "review_reason_codes": list(codes),
        },
        policy or Policy(),
    )
    return record


def complete() -> SubmissionRecord:
    """Nothing open."""
    return entry()


def weak_name() -> SubmissionRecord:
    """A name that may not be believed unseen."""
    return entry(student_name=read("Marisol Vega", 0.6, Source.OCR))


def no_grade() -> SubmissionRecord:
    """A required field missing, the rest sure."""
    return entry(grade=read(None))


def hardly_read() -> SubmissionRecord:
    """Much missing, the rest unsure: worth another try with a model."""
    return entry(school_name=read(None), grade=read(None), student_name=read("Marisol Vega", 0.2, Source.OCR))


def weak_essay() -> SubmissionRecord:
    """An essay that may not be believed unseen."""
    return entry(essay_text=read(ESSAY, 0.7, Source.OCR))


def blank() -> SubmissionRecord:
    """A form that nobody filled in."""
    empty = {name: read(None) for name in (*VALUES, "essay_text", "parent_reaction")}
    return entry(codes=["TEMPLATE_ONLY"], **empty)


ENTRIES: dict[str, Callable[[], SubmissionRecord]] = {
    "complete": complete,
    "weak_name": weak_name,
    "no_grade": no_grade,
    "hardly_read": hardly_read,
    "weak_essay": weak_essay,
    "blank": blank,
}


@dataclass
class FakeReader:
    """Stands for `read_submission`: gives one record, and leaves the artifacts that it would leave."""

    record: SubmissionRecord
    calls: list[str] = field(default_factory=list)

    def __call__(
        self, state: AgentState, *, settings: Settings, store: FileStore, policy: Policy
    ) -> tuple[SubmissionRecord, Report]:
        submission_id, artifact_dir = state["submission_id"], state["artifact_dir"]
        self.calls.append(submission_id)
        record = self.record.model_copy(update={"submission_id": submission_id, "artifact_dir": artifact_dir})
        report: Report = {"ocr_summary": {"confidence_avg": None}, "extraction_debug": {"line": ESSAY[:40]}}
        kept = {"record": record.model_dump(mode="json"), "report": report}
        store.put(f"{artifact_dir}/reading.json", json.dumps(kept).encode())
        store.put(f"{artifact_dir}/text.txt", TEXT.encode())
        return record, {**report, "raw_text": TEXT}


@dataclass
class FakeSecondLook:
    """Stands for the second reading of the page."""

    found: dict[str, list[FieldReading]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def __call__(
        self, fields: Sequence[str], pdf_key: str, ocr_provider_name: str, record: SubmissionRecord, **clients: Any
    ) -> dict[str, list[FieldReading]]:
        self.asked.extend(fields)
        return {name: self.found[name] for name in fields if name in self.found}


@dataclass
class FakeSecondReader:
    """Stands for the second reader: what it reads, by field, compared with the entry as the product does."""

    said: dict[str, str | None] = field(default_factory=dict)
    #: Log-likelihood per letter that the recogniser gives to what differs.
    likelihood: float | None = None
    fails: ModelError | None = None
    looks: list[tuple[str, ...]] = field(default_factory=list)

    def __call__(
        self,
        wanted: Collection[str],
        pdf_key: str,
        ocr_provider_name: str,
        record: SubmissionRecord,
        **clients: Any,
    ) -> HeaderReading | None:
        self.looks.append(tuple(wanted))
        if self.fails is not None:
            raise self.fails
        found = {}
        for name, value in self.said.items():
            reading = record.readings.get(name, FieldReading())
            agreement = agreement_of(name, record.value_of(name), value, {})
            found[name] = with_second(reading, value, agreement, self.likelihood, None)
        return HeaderReading(1, found)


def nowhere(*_: Any, **__: Any) -> dict[str, list[EvidenceBox]]:
    """Stands for the search for a value's place."""
    return {}


def context(
    record: SubmissionRecord, folder: Path, recorder: RunRecorder | None = None, **changes: Any
) -> RunContext:
    """A run context over fakes; `settings` may be given among the changes."""
    store = LocalFileStore(folder / "files")
    store.put("originals/entry.pdf", b"%PDF-1.7")
    given: dict[str, Any] = {
        "settings": Settings(_env_file=None),
        "store": store,
        "policy": Policy(),
        "recorder": recorder or MemoryRecorder(),
        "read": FakeReader(record),
        "read_again": FakeSecondLook(),
        "locate": nowhere,
    }
    return RunContext(**{**given, **changes})


def first_state(run_id: str = RUN_ID) -> AgentState:
    """What a job starts a run with."""
    submission_id, _, run_no = run_id.rpartition(":")
    return {
        "submission_id": submission_id,
        "run_id": run_id,
        "run_no": int(run_no),
        "image_path": "originals/entry.pdf",
        "artifact_dir": f"artifacts/{submission_id}/{run_no}",
        "ocr_provider_name": "rapidocr",
        "original_filename": "entry.pdf",
        "chunk_metadata": None,
        "doc_format": "native_text",
        "owner_user_id": str(uuid.UUID(int=7)),
        "upload_batch_id": None,
        "tries": 0,
        "tools_used": [],
        "max_steps": 5,
    }


def insert_run(database: Database, lease_owner: str = "worker-1", seconds: int = 600) -> str:
    """Rows for one run under a lease, in a season of its own; the run's id."""
    submission_id = uuid.uuid4()
    run_id = f"{submission_id}:1"
    with database.session() as session:
        season = Season(name=f"season {submission_id}")
        person = Profile(email=f"{submission_id}@example.org", role="uploader")
        session.add_all([season, person])
        session.flush()
        batch = UploadBatch(season_id=season.id, uploaded_by=person.id)
        session.add(batch)
        session.flush()
        upload = Upload(
            season_id=season.id,
            batch_id=batch.id,
            uploaded_by=person.id,
            position=0,
            original_filename="entry.pdf",
            byte_size=8,
            sha256=submission_id.hex * 2,
            storage_key=f"originals/{submission_id}.pdf",
        )
        session.add(upload)
        session.flush()
        session.add(
            Submission(
                id=submission_id,
                season_id=season.id,
                batch_id=batch.id,
                upload_id=upload.id,
                owner_user_id=person.id,
                chunk_index=0,
                page_start=1,
                page_end=1,
                doc_class="SINGLE_TYPED",
                doc_format="native_text",
                status="processing",
            )
        )
        session.flush()
        session.add(
            Run(
                run_id=run_id,
                submission_id=submission_id,
                season_id=season.id,
                run_no=1,
                status="running",
                lease_owner=lease_owner,
                lease_until=func.now() + text(f"interval '{seconds} seconds'"),
            )
        )
    return run_id


class FakeModel:
    """A model that says what it was given, or fails."""

    def __init__(self, says: dict[str, str] | None = None, error: ModelError | None = None) -> None:
        self.says = says or {}
        self.error = error
        self.asked: list[str] = []

    def ask(self, system: str, user: str, schema: type[T], *, purpose: str, **_: Any) -> tuple[T, Usage]:
        self.asked.append(purpose)
        if self.error is not None:
            raise self.error
        wanted = {name: value for name, value in self.says.items() if name in schema.model_fields}
        return schema.model_validate(wanted), Usage("fake", "fake-1", 1, 10, 5)
