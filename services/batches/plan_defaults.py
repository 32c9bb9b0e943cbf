"""What defaults do to the entries of a batch: which take them, and which keep what they have."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.models import Submission, SubmissionField, SubmissionStatus, Upload
from pipeline.pages.page_model import Source
from pipeline.profiles.declared import fields_of_form
from pipeline.validation.defaults import DEFAULT_FIELDS, LANGUAGE, takes_default

_READING = (SubmissionStatus.QUEUED, SubmissionStatus.PROCESSING)
_WAITING = (SubmissionStatus.SUGGESTED, SubmissionStatus.ESCALATED)
_GONE = (
    SubmissionStatus.SUPERSEDED.value,
    SubmissionStatus.FAILED.value,
    SubmissionStatus.REJECTED.value,
)


class Effect(StrEnum):
    """What becomes of one value."""

    CHANGES = "changes"
    KEEPS = "keeps"
    #: Something is written there, and it is no value of the kind.
    UNFIT = "unfit"
    WHEN_READ = "when_read"


@dataclass(frozen=True)
class PlannedValue:
    """One value of an entry, and what it becomes."""

    #: A name of `DEFAULT_FIELDS`, or LANGUAGE.
    name: str
    before: str | None
    after: str | None
    effect: Effect


@dataclass(frozen=True)
class PlannedSubmission:
    """One entry of the batch."""

    id: uuid.UUID
    status: str
    student_name: str | None
    filename: str
    page_start: int
    page_end: int
    values: Sequence[PlannedValue]

    @property
    def changes(self) -> dict[str, str | None]:
        """The values that change, by name."""
        return {one.name: one.after for one in self.values if one.effect is Effect.CHANGES}


@dataclass(frozen=True)
class _Kept:
    value: str | None = None
    source: str | None = None
    unfit: bool = False


def plan_defaults(session: Session, batch_id: uuid.UUID, given: Mapping[str, str]) -> list[PlannedSubmission]:
    """Return the entries of the batch that are in force, with what these values would do to each.

    Entries that wait take them where nothing is written; completed ones only in place of an earlier default, and
    decided ones never. An entry of which nothing was read stays blank.
    """
    rows = session.execute(
        select(Submission, Upload.original_filename)
        .join(Upload, Upload.id == Submission.upload_id)
        .where(Submission.batch_id == batch_id, Submission.status.not_in(_GONE))
        .order_by(Upload.position, Submission.upload_id, Submission.chunk_index)
    ).all()
    fields, filled = _fields(session, [submission.id for submission, _ in rows])
    return [
        PlannedSubmission(
            submission.id,
            submission.status,
            submission.student_name,
            filename,
            submission.page_start,
            submission.page_end,
            _values(submission, fields.get(submission.id, {}), submission.id in filled, given),
        )
        for submission, filename in rows
    ]


def _fields(
    session: Session, ids: Sequence[uuid.UUID]
) -> tuple[dict[uuid.UUID, dict[str, _Kept]], set[uuid.UUID]]:
    """Return the fields that defaults concern, by entry, and the entries of which anything was read."""
    found: dict[uuid.UUID, dict[str, _Kept]] = {}
    filled = set()
    rows = session.execute(
        select(
            SubmissionField.submission_id,
            SubmissionField.name,
            SubmissionField.value,
            SubmissionField.source,
            SubmissionField.unfit,
            SubmissionField.decided_at,
        ).where(SubmissionField.submission_id.in_(ids))
    )
    for row in rows:
        if row.name in DEFAULT_FIELDS:
            # A default that a person has confirmed is that person's.
            source = row.source if row.decided_at is None else Source.PERSON.value
            kept = _Kept(row.value, source, row.unfit)
            found.setdefault(row.submission_id, {})[row.name] = kept
        if row.value is not None and row.source != Source.BATCH_DEFAULT:
            filled.add(row.submission_id)
    return found, filled


def _values(
    submission: Submission, fields: Mapping[str, _Kept], filled: bool, given: Mapping[str, str]
) -> list[PlannedValue]:
    asked = fields_of_form(submission.profile, submission.profile_version)
    found = [
        _planned(submission.status, name, fields.get(name, _Kept()), filled, given.get(name))
        for name in DEFAULT_FIELDS
        if name in asked
    ]
    language = _Kept(submission.language, Source.BATCH_DEFAULT if submission.language_given else None)
    found.append(_planned(submission.status, LANGUAGE, language, filled, given.get(LANGUAGE)))
    return [one for one in found if one.name in given or one.effect is Effect.CHANGES]


def _planned(status: str, name: str, kept: _Kept, filled: bool, wanted: str | None) -> PlannedValue:
    if status in _READING:
        return PlannedValue(name, kept.value, wanted, Effect.WHEN_READ)
    if kept.value is None and kept.unfit:
        return PlannedValue(name, None, None, Effect.UNFIT)
    has_default = kept.source == Source.BATCH_DEFAULT
    may = takes_default(kept.value, kept.source, kept.unfit) and (
        (status in _WAITING and filled) or (has_default and status == SubmissionStatus.COMPLETED)
    )
    if may and wanted != kept.value:
        return PlannedValue(name, kept.value, wanted, Effect.CHANGES)
    return PlannedValue(name, kept.value, kept.value, Effect.KEEPS)
