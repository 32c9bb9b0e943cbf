"""Values that hold for all entries of an upload: said, checked, shown, and what they would change."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, case, select
from sqlalchemy.orm import Session

from core.errors import InvalidInputError, existing
from core.messages import LabelledEnum, Message, keys_of
from core.models import BatchDefaultStatus, Submission, SubmissionField, SubmissionStatus, Upload, UploadBatch
from core.plain_data import built
from pipeline.pages.page_model import Source
from pipeline.profiles import fields_of_form
from pipeline.validate import DEFAULT_FIELDS, LANGUAGE, takes_default
from services.accounts.person import Person, visible_to
from services.context import Context
from services.entries.change import cleaned_value
from services.messages.entries import BatchRefused
from services.school_names import key_of, schools_by_key
from services.seasons import defaults_by, hold_said, latest_row, require_open


@dataclass(frozen=True)
class DefaultsView:
    """The defaults of a batch that are in force."""

    version: int
    given: Mapping[str, str]
    given_by: str
    given_at: datetime
    #: The id of the change, which `undo_defaults` and `stop_defaults` take.
    id: uuid.UUID
    #: Whether it can be taken back: it takes none back itself, and there is something to take back.
    undoable: bool
    #: The change that it takes back.
    undoes: uuid.UUID | None
    status: str
    items_total: int | None
    items_done: int
    #: How many entries took the values, and how many could not because somebody has them open.
    reached: int
    held: int
    #: Why not all could be given.
    error: Message | None

    @property
    def applying(self) -> bool:
        """Whether a worker gives the values to entries."""
        return self.status == BatchDefaultStatus.APPLYING


def defaults_of(session: Session, batch_id: uuid.UUID) -> DefaultsView | None:
    """Return what is in force, None where nothing was ever said."""
    row = latest_row(session, batch_id)
    if row is None:
        return None
    by = defaults_by(session, row.given, row.given_by).given_by
    undoable = row.undoes is None and (bool(row.given) or row.version > 1)
    return built(DefaultsView, row, given_by=by, given_at=row.created_at, undoable=undoable)


def preview_defaults(
    context: Context, person: Person, batch_id: uuid.UUID, typed: Mapping[str, str]
) -> tuple[dict[str, str], list[PlannedSubmission], DefaultsView | None]:
    """Return the checked values, what they would do to each entry, and those in force. Writes nothing.

    Raises NotFoundError, InvalidInputError.
    """
    with context.database.reading() as session:
        batch = visible_batch(session, person, batch_id)
        given = checked_defaults(session, batch.season_id, typed)
        return given, plan_defaults(session, batch_id, given), defaults_of(session, batch_id)


def visible_batch(session: Session, person: Person, batch_id: uuid.UUID) -> UploadBatch:
    """Return the batch. Raises NotFoundError if it does not exist or this person may not see it."""
    seen = (UploadBatch.id == batch_id, visible_to(person, UploadBatch.uploaded_by))
    return existing(session.scalar(select(UploadBatch).where(*seen)), "no such batch for this person")


def batch_to_change(session: Session, person: Person, batch_id: uuid.UUID) -> UploadBatch:
    """Return the batch, locked with what was said of it until this change is done; its season stays open.

    Raises NotFoundError as `visible_batch`, and InvalidInputError if its season is closed.
    """
    batch = visible_batch(session, person, batch_id)
    require_open(session, batch.season_id)
    session.refresh(batch, with_for_update={"key_share": True})
    hold_said(session, batch_id, to_change=True)
    return batch


@dataclass(frozen=True)
class SaidOfBatch:
    """Values that stand where a page gives none, as typed, and the day on which the batch was received."""

    #: By the keys that `checked_defaults` takes.
    defaults: Mapping[str, str] = field(default_factory=dict)
    received_on: date | None = None


NOTHING_SAID = SaidOfBatch()


READING_STATUSES = (SubmissionStatus.QUEUED, SubmissionStatus.PROCESSING)
_WAITING = (SubmissionStatus.SUGGESTED, SubmissionStatus.ESCALATED)
_GONE = (SubmissionStatus.SUPERSEDED.value, SubmissionStatus.FAILED.value, SubmissionStatus.REJECTED.value)


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


def plan_defaults(
    session: Session, batch_id: uuid.UUID, given: Mapping[str, str], submission_id: uuid.UUID | None = None
) -> list[PlannedSubmission]:
    """Return the entries of the batch that are in force, or only one, with what these values would do to each.

    Entries that wait take them where nothing is written; completed ones only in place of an earlier default, and
    decided ones never. An entry of which nothing was read stays blank.
    """
    planned = (Submission.batch_id == batch_id) & Submission.status.not_in(_GONE)
    if submission_id is not None:
        planned &= Submission.id == submission_id
    rows = session.execute(
        select(
            Submission.id,
            Submission.status,
            Submission.student_name,
            Upload.original_filename.label("filename"),
            Submission.page_start,
            Submission.page_end,
            Submission.profile,
            Submission.profile_version,
            Submission.language,
            Submission.language_given,
            _HAS_VALUE.label("filled"),
        )
        .join(Upload, Upload.id == Submission.upload_id)
        .where(planned)
        .order_by(Upload.position, Submission.upload_id, Submission.chunk_index)
    ).all()
    stored = _stored(session, planned)
    return [built(PlannedSubmission, row, values=_values(row, stored.get(row.id, {}), given)) for row in rows]


#: Condition: something was read of the entry, or typed.
_HAS_VALUE = (
    select(SubmissionField.id)
    .where(
        SubmissionField.submission_id == Submission.id,
        SubmissionField.value.is_not(None),
        SubmissionField.source.is_distinct_from(Source.BATCH_DEFAULT.value),
    )
    .exists()
)


def _stored(session: Session, planned: ColumnElement[bool]) -> dict[uuid.UUID, dict[str, _Kept]]:
    """Return the fields that defaults concern, by entry; `planned`: the condition of the entries."""
    # A default that a person has confirmed is that person's.
    source = case((SubmissionField.decided_at.is_(None), SubmissionField.source), else_=Source.PERSON.value)
    rows = session.execute(
        select(
            SubmissionField.submission_id,
            SubmissionField.name,
            SubmissionField.value,
            source.label("source"),
            SubmissionField.unfit,
        )
        .join(Submission, Submission.id == SubmissionField.submission_id)
        .where(planned, SubmissionField.name.in_(DEFAULT_FIELDS))
    )
    found: dict[uuid.UUID, dict[str, _Kept]] = {}
    for row in rows:
        found.setdefault(row.submission_id, {})[row.name] = _Kept(row.value, row.source, row.unfit)
    return found


def _values(submission: Any, fields: Mapping[str, _Kept], given: Mapping[str, str]) -> list[PlannedValue]:
    """Return the values that are given or change; `submission`: the columns of an entry."""
    asked = fields_of_form(submission.profile, submission.profile_version)
    kept = {name: fields.get(name, _Kept()) for name in DEFAULT_FIELDS if name in asked}
    kept[LANGUAGE] = _Kept(submission.language, Source.BATCH_DEFAULT if submission.language_given else None)
    planned = partial(_planned, submission.status, filled=submission.filled)
    found = [planned(name, one, wanted=given.get(name)) for name, one in kept.items()]
    return [one for one in found if one.name in given or one.effect is Effect.CHANGES]


def _planned(status: str, name: str, kept: _Kept, filled: bool, wanted: str | None) -> PlannedValue:
    if status in READING_STATUSES:
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


class EssayLanguage(LabelledEnum):
    """Languages that an essay may be said to be written in."""

    ENGLISH = "en", "English"
    SPANISH = "es", "Spanish"


def checked_defaults(session: Session, season_id: uuid.UUID, typed: Mapping[str, str]) -> dict[str, str]:
    """Return the values as they are kept, by `DEFAULT_FIELDS` and LANGUAGE; other keys are left out.

    A school has the name that the season's list gives it. Raises InvalidInputError for a grade, school or language
    that there is not.
    """
    found = {name: cleaned_value(name, typed.get(name)) for name in DEFAULT_FIELDS}
    if school := found["school_name"]:
        found["school_name"] = _canonical(session, season_id, school)
    if language := typed.get(LANGUAGE, "").strip():
        if language not in keys_of(EssayLanguage):
            raise InvalidInputError(BatchRefused.LANGUAGE_UNKNOWN)
        found[LANGUAGE] = language
    return {name: value for name, value in found.items() if value is not None}


def _canonical(session: Session, season_id: uuid.UUID, name: str) -> str:
    listed = schools_by_key(session, season_id)
    if not listed:
        return name
    if (school := listed.get(key_of(name))) is None:
        raise InvalidInputError(BatchRefused.SCHOOL_NOT_LISTED, name=name)
    return school.name
