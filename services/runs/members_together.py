"""The entries of an upload batch as members of a joint pass, and the changes of those that it is about."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.file_store import FileStore
from core.models import Run, Submission, SubmissionField, SubmissionStatus, Upload, UploadBatch
from pipeline.orchestrator.artifacts import artifact_dir_of, load_first, load_reading
from pipeline.pages.page_model import Source
from pipeline.profiles.declared import alike_fields
from pipeline.schema import FieldReading, Report, SubmissionRecord
from pipeline.together.change import Member
from pipeline.together.decide import decide
from pipeline.validation.defaults import without_defaults
from services.context import Context
from services.seasons import season_policy

#: Entries that take part in no pass: failed, or replaced.
_GONE = (
    SubmissionStatus.FAILED.value,
    SubmissionStatus.REJECTED.value,
    SubmissionStatus.SUPERSEDED.value,
)
#: Entries whose values do not count: not read to the end, or gone.
_WITHOUT_VALUES = (SubmissionStatus.QUEUED.value, SubmissionStatus.PROCESSING.value, *_GONE)

#: Changes in JSON by the id of the run.
Changes = dict[str, list[dict[str, Any]]]


def changes_of(context: Context, upload_id: uuid.UUID, run_ids: Sequence[str]) -> Changes:
    """Return the changes of these runs of one file, whose first readings are stored.

    The other entries of the batch count with the values that they have now, those of a person included; nothing of
    them is changed. Raises NotFoundError if a stored reading is missing.
    """
    with context.database.session() as session:
        batch_id = session.get_one(Upload, upload_id).batch_id
        runs = session.scalars(select(Run).where(Run.run_id.in_(run_ids))).all()
    members = {run.run_id: Member(first_reading(context.store, run)[0], str(upload_id)) for run in runs}
    return changes_among(context, batch_id, members)


def changes_among(context: Context, batch_id: uuid.UUID, members: Mapping[str, Member]) -> Changes:
    """Return the changes of members by the id of their runs. The other entries of the batch count too."""
    asked = {member.key for member in members.values()}
    with context.database.session() as session:
        batch = session.get_one(UploadBatch, batch_id)
        others = list(_settled(session, batch_id, [uuid.UUID(key) for key in asked]))
        # What entries of the batch teach about schools they say themselves.
        schools = season_policy(session, batch.season_id, context.settings, but_batch=batch_id).schools
    spellings = [spelling for name, aliases in schools.items() for spelling in (name, *aliases)]
    changes = decide([*others, *members.values()], spellings, only=asked)
    return {
        run_id: [change.model_dump(mode="json") for change in changes.get(member.key, ())]
        for run_id, member in members.items()
    }


def first_reading(store: FileStore, run: Run) -> tuple[SubmissionRecord, Report]:
    """Load the record and report of a run as they were before a joint pass, without defaults.

    Raises NotFoundError.
    """
    load = load_first if run.together else load_reading
    record, report = load(store, artifact_dir_of(run.submission_id, run.run_no))
    return without_defaults(record), report


def has_others(session: Session, upload_id: uuid.UUID, run_ids: Collection[str]) -> bool:
    """Whether the batch of a file has entries that are not those of these runs."""
    of_runs = select(Run.submission_id).where(Run.run_id.in_(run_ids))
    others = select(Submission.id).where(
        Submission.batch_id == select(Upload.batch_id).where(Upload.id == upload_id).scalar_subquery(),
        Submission.status.not_in(_GONE),
        Submission.id.not_in(of_runs),
    )
    return bool(session.scalar(select(others.exists())))


def _settled(session: Session, batch_id: uuid.UUID, but: Collection[uuid.UUID]) -> Iterator[Member]:
    """Yield the entries of the batch that have values, with the fields that entries have in common."""
    rows = session.execute(
        select(
            Submission.id,
            Submission.upload_id,
            SubmissionField.name,
            SubmissionField.value,
            SubmissionField.source,
            SubmissionField.confidence,
            SubmissionField.decided_at,
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
            # Neither does one that no page gives.
            SubmissionField.source != Source.BATCH_DEFAULT.value,
        )
        .order_by(Submission.id)
    )
    found: dict[uuid.UUID, tuple[str, dict[str, FieldReading]]] = {}
    for row in rows:
        _, readings = found.setdefault(row.id, (str(row.upload_id), {}))
        source = Source(row.source) if row.source else None
        readings[row.name] = FieldReading(
            value=row.value, source=source, confidence=row.confidence, decided_at=row.decided_at
        )
    for key, (file, readings) in found.items():
        values = {name: reading.value for name, reading in readings.items()}
        yield Member(SubmissionRecord(submission_id=str(key), readings=readings, **values), file)
