"""The record of an entry to and from its rows: submission, fields, evidence."""

from __future__ import annotations

import uuid
from collections.abc import Mapping

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.models import FieldEvidence, Submission, SubmissionField
from pipeline.pages.page_model import Box, Source
from pipeline.schema import FIELD_NAMES, EvidenceBox, FieldReading, SubmissionRecord

_PROJECTED = ("student_name", "school_name", "grade")


def load_record(session: Session, submission: Submission) -> SubmissionRecord:
    """The record as it stands in the database."""
    fields = session.scalars(select(SubmissionField).where(SubmissionField.submission_id == submission.id)).all()
    evidence = _load_evidence(session, [field.id for field in fields])
    values = {field.name: field.value for field in fields if field.name in FIELD_NAMES}
    readings = {
        field.name: FieldReading(
            value=field.value,
            confidence=field.confidence,
            source=Source(field.source) if field.source else None,
            method=field.method,
            evidence=evidence.get(field.id, []),
        )
        for field in fields
    }
    return SubmissionRecord.model_validate(
        {
            **values,
            "word_count": int(count) if (count := values.get("word_count")) else None,
            "submission_id": str(submission.id),
            "doc_class": submission.doc_class,
            "doc_format": submission.doc_format,
            "profile": submission.profile,
            "page_start": submission.page_start,
            "page_end": submission.page_end,
            "readings": readings,
            "needs_review": submission.needs_review,
            "review_reason_codes": submission.review_reason_codes,
            "ocr_confidence_avg": submission.ocr_confidence_avg,
        }
    )


def _load_evidence(session: Session, field_ids: list[uuid.UUID]) -> dict[uuid.UUID, list[EvidenceBox]]:
    pieces: dict[uuid.UUID, list[EvidenceBox]] = {}
    rows = session.scalars(
        select(FieldEvidence)
        .where(FieldEvidence.field_id.in_(field_ids))
        .order_by(FieldEvidence.field_id, FieldEvidence.ordinal)
    )
    for row in rows:
        box = EvidenceBox(page=row.page, box=Box(row.x0, row.y0, row.x1, row.y1))
        pieces.setdefault(row.field_id, []).append(box)
    return pieces


def values_of(session: Session, submission: Submission) -> dict[str, str | None]:
    """The fields' values by name."""
    rows = session.execute(
        select(SubmissionField.name, SubmissionField.value).where(SubmissionField.submission_id == submission.id)
    )
    return {row.name: row.value for row in rows}


def write_record(session: Session, submission: Submission, record: SubmissionRecord, run_no: int) -> None:
    """Replace all fields of the entry by those of a reading, and project what lists need."""
    session.execute(delete(SubmissionField).where(SubmissionField.submission_id == submission.id))
    for name in FIELD_NAMES:
        value = getattr(record, name)
        _insert_field(session, submission, name, None if value is None else str(value), record, run_no)
    submission.profile = record.profile
    submission.ocr_confidence_avg = record.ocr_confidence_avg
    submission.review_reason_codes = list(record.review_reason_codes)
    project(submission, record)


def project(submission: Submission, record: SubmissionRecord) -> None:
    """Copy the columns that lists show from the record."""
    for name in _PROJECTED:
        setattr(submission, name, getattr(record, name))
    submission.word_count = record.word_count
    submission.updated_at = utcnow()


def _insert_field(
    session: Session, submission: Submission, name: str, value: str | None, record: SubmissionRecord, run_no: int
) -> None:
    reading = record.readings.get(name, FieldReading())
    first = reading.evidence[0] if reading.evidence else None
    field = SubmissionField(
        id=uuid.uuid4(),
        submission_id=submission.id,
        season_id=submission.season_id,
        name=name,
        value=value,
        confidence=reading.confidence if value is not None else 0.0,
        source=reading.source.value if reading.source and value is not None else None,
        method=reading.method,
        run_no=run_no,
        **_place(first),
    )
    session.add(field)
    session.flush()
    for ordinal, piece in enumerate(reading.evidence):
        x0, y0, x1, y1 = piece.box
        session.add(FieldEvidence(field_id=field.id, ordinal=ordinal, page=piece.page, x0=x0, y0=y0, x1=x1, y1=y1))


def _place(piece: EvidenceBox | None) -> dict[str, float | int | None]:
    if piece is None:
        return {}
    return {"page": piece.page, "x0": piece.box.x0, "y0": piece.box.y0, "x1": piece.box.x1, "y1": piece.box.y1}


def set_values(
    session: Session, submission: Submission, values: Mapping[str, str | None]
) -> dict[str, str | None]:
    """Write values that a person gave; where they stand on the page stays. Returns what they replaced."""
    before: dict[str, str | None] = {}
    fields = session.scalars(
        select(SubmissionField).where(
            SubmissionField.submission_id == submission.id, SubmissionField.name.in_(values)
        )
    )
    known = {field.name: field for field in fields}
    for name, value in values.items():
        field = known.get(name)
        if field is None:
            field = SubmissionField(submission_id=submission.id, season_id=submission.season_id, name=name)
            session.add(field)
            field.version = 0
        before[name] = field.value
        field.value = value
        field.confidence = 1.0
        field.source = Source.PERSON.value
        field.method = "person"
        field.run_no = submission.run_no
        field.version += 1
        field.updated_at = utcnow()
    session.flush()
    return before
