"""Rows of an entry as its record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.models import FieldEvidence, Submission, SubmissionField
from pipeline.pages.page_model import Box, Source
from pipeline.schema import FIELD_NAMES, EvidenceBox, FieldReading, SubmissionRecord


def record_of(
    submission: Submission, fields: Mapping[SubmissionField, Sequence[FieldEvidence]]
) -> SubmissionRecord:
    """Make the record of an entry from its row, its fields and the evidence of each, in order."""
    values = {field.name: field.value for field in fields if field.name in FIELD_NAMES}
    return SubmissionRecord.model_validate(
        {
            **values,
            "word_count": int(count) if (count := values.get("word_count")) else None,
            "submission_id": str(submission.id),
            "doc_class": submission.doc_class,
            "doc_format": submission.doc_format,
            "profile": submission.profile,
            "profile_version": submission.profile_version,
            "page_start": submission.page_start,
            "page_end": submission.page_end,
            "readings": {field.name: _reading(field, evidence) for field, evidence in fields.items()},
            "needs_review": submission.needs_review,
            "review_reason_codes": submission.review_reason_codes,
            "ocr_confidence_avg": submission.ocr_confidence_avg,
            "waived": submission.waived,
        }
    )


def _reading(field: SubmissionField, evidence: Sequence[FieldEvidence]) -> FieldReading:
    return FieldReading(
        value=field.value,
        confidence=field.confidence,
        source=Source(field.source) if field.source else None,
        method=field.method,
        way=field.way,
        unfit=field.unfit,
        probability=field.probability,
        decided_by=str(field.decided_by) if field.decided_by else None,
        decided_at=field.decided_at,
        evidence=[
            EvidenceBox(page=piece.page, box=Box(piece.x0, piece.y0, piece.x1, piece.y1)) for piece in evidence
        ],
    )
