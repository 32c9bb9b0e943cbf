"""The entries of an upload batch as members of the joint pass, and the changes of those that wait for it."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.models import Run, Submission, SubmissionField, SubmissionStatus, Upload
from pipeline.orchestrator.artifacts import artifact_dir_of, load_reading
from pipeline.pages.page_model import Source
from pipeline.profiles.declared import alike_fields
from pipeline.schema import FieldReading, SubmissionRecord
from pipeline.together.change import Member
from pipeline.together.decide import decide
from services.context import Context
from services.seasons import season_policy

#: Entries whose values do not count: not read to the end, or replaced.
_WITHOUT_VALUES = (
    SubmissionStatus.QUEUED.value,
    SubmissionStatus.PROCESSING.value,
    SubmissionStatus.FAILED.value,
    SubmissionStatus.REJECTED.value,
    SubmissionStatus.SUPERSEDED.value,
)


def changes_of(context: Context, upload_id: uuid.UUID, run_ids: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
    """Return the changes of these runs, whose first readings are stored, as JSON by run id.

    The other entries of the batch count with the values that they have now, those of a person included; nothing of
    them is changed. Raises NotFoundError if a stored reading is missing.
    """
    with context.database.session() as session:
        upload = session.get_one(Upload, upload_id)
        runs = session.scalars(select(Run).where(Run.run_id.in_(run_ids))).all()
        submissions = {run.run_id: run.submission_id for run in runs}
        members = list(_settled(session, upload.batch_id, set(submissions.values())))
        register = season_policy(session, upload.season_id, context.settings).schools
    for run in runs:
        record, _ = load_reading(context.store, artifact_dir_of(run.submission_id, run.run_no))
        members.append(Member(record, str(upload_id)))
    spellings = [spelling for name, aliases in register.items() for spelling in (name, *aliases)]
    changes = decide(members, spellings)
    return {
        run_id: [change.model_dump(mode="json") for change in changes.get(str(submission_id), ())]
        for run_id, submission_id in submissions.items()
    }


def _settled(session: Session, batch_id: uuid.UUID, but: set[uuid.UUID]) -> Iterator[Member]:
    """Yield the entries of the batch that have values, with the fields that entries have in common."""
    rows = session.execute(
        select(
            Submission.id,
            Submission.upload_id,
            SubmissionField.name,
            SubmissionField.value,
            SubmissionField.source,
            SubmissionField.confidence,
        )
        .join(SubmissionField, SubmissionField.submission_id == Submission.id)
        .where(
            Submission.batch_id == batch_id,
            Submission.id.not_in(but),
            Submission.status.not_in(_WITHOUT_VALUES),
            SubmissionField.name.in_(alike_fields()),
            SubmissionField.value.is_not(None),
            # A value that was respelled after others says nothing of its own.
            SubmissionField.way.is_(None),
        )
        .order_by(Submission.id)
    )
    found: dict[uuid.UUID, tuple[str, dict[str, FieldReading]]] = {}
    for row in rows:
        _, readings = found.setdefault(row.id, (str(row.upload_id), {}))
        source = Source(row.source) if row.source else None
        readings[row.name] = FieldReading(value=row.value, source=source, confidence=row.confidence)
    for key, (file, readings) in found.items():
        values = {name: reading.value for name, reading in readings.items()}
        yield Member(SubmissionRecord(submission_id=str(key), readings=readings, **values), file)
