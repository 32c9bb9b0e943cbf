"""Readings of scanned entries as the first part of a run stores them."""

from __future__ import annotations

import uuid

from pipeline.orchestrator.artifacts import store_reading
from pipeline.pages.page_model import Source
from pipeline.schema import FieldReading, SubmissionRecord
from services.context import Context


def keep(context: Context, submission_id: uuid.UUID, school: str) -> None:
    """Store the first run's reading of an entry, in which a school was recognised."""
    record = SubmissionRecord(
        submission_id=str(submission_id),
        artifact_dir=f"artifacts/{submission_id}/1",
        school_name=school,
        readings={"school_name": FieldReading(value=school, confidence=0.7, source=Source.OCR)},
    )
    store_reading(context.store, record, {"raw_text": school})
