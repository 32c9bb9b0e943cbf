"""A record as rows of its entry."""

from __future__ import annotations

import uuid
from typing import Any

from core.models import FieldEvidence, Submission, SubmissionField
from pipeline.pages.page_model import Source
from pipeline.schema import EvidenceBox, FieldReading, SubmissionRecord


def field_row(submission: Submission, record: SubmissionRecord, name: str, run_no: int) -> SubmissionField:
    """The row of one field as a run read it. A field without a value has no source and no confidence,
    unless a person has emptied it.
    """
    value = stored_value(record, name)
    reading = record.readings.get(name, FieldReading())
    # That a person has emptied it is known, too.
    given = value is not None or reading.is_decided
    return SubmissionField(
        id=uuid.uuid4(),
        submission_id=submission.id,
        season_id=submission.season_id,
        name=name,
        value=value,
        confidence=reading.confidence if given else 0.0,
        source=reading.source.value if reading.source and given else None,
        method=reading.method,
        way=reading.way if reading.disagrees_with is not None or reading.source is Source.BATCH_DEFAULT else None,
        unfit=reading.unfit,
        probability=reading.probability if given else None,
        decided_by=uuid.UUID(reading.decided_by) if reading.decided_by else None,
        decided_at=reading.decided_at,
        run_no=run_no,
        **(_place(reading.evidence[0]) if reading.evidence else {}),
    )


def evidence_rows(field: SubmissionField, record: SubmissionRecord) -> list[FieldEvidence]:
    """Every piece of a page that the field was read from, in reading order."""
    reading = record.readings.get(field.name, FieldReading())
    return [
        FieldEvidence(field_id=field.id, ordinal=ordinal, **_place(piece))
        for ordinal, piece in enumerate(reading.evidence)
    ]


def stored_value(record: SubmissionRecord, name: str) -> str | None:
    """A field's value as `submission_fields.value` keeps it: text, also of a number."""
    return record.value_of(name)


def _place(piece: EvidenceBox) -> dict[str, Any]:
    return {"page": piece.page, "x0": piece.box.x0, "y0": piece.box.y0, "x1": piece.box.x1, "y1": piece.box.y1}
