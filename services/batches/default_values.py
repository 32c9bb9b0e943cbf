"""Values that hold for all entries of an upload: planned, shown, applied."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.errors import ConflictError, InvalidInputError, NotFoundError
from core.messages import LabelledEnum, Message, keys_of
from core.models import BatchDefault, Run, Submission, SubmissionField, SubmissionStatus, Upload, UploadBatch
from pipeline.pages.page_model import Source
from pipeline.profiles import fields_of_form
from pipeline.supabase_db import fill_defaults, get_record_by_id
from pipeline.validate import DEFAULT_FIELDS, LANGUAGE, can_approve_record, takes_default, with_missing_codes
from services.accounts.person import Person, visible_to
from services.audit import event, tell_values
from services.context import Context
from services.entries.change import cleaned_value
from services.entries.decision import latest_run, lock_entry, tell_items
from services.items.holds import is_open
from services.messages.entries import BatchConflict, BatchEvent, BatchRefused
from services.recovery.kinds import RUNS
from services.recovery.work import queue_rows
from services.runs.inputs import end_answered
from services.runs.joint_pass import hand_on, read_anew
from services.runs.settle import ask_for_missing
from services.school_names import key_of, schools_by_key
from services.seasons import defaults_by, give_defaults, latest_row, season_policy

# Change the defaults of a batch after its entries were read, and take such a change back: both as one.


@dataclass(frozen=True)
class DefaultsView:
    """The defaults of a batch that are in force."""

    version: int
    given: Mapping[str, str]
    given_by: str
    given_at: datetime
    #: The id that `undo_defaults` takes; None where it was taken back itself.
    undo: uuid.UUID | None


@dataclass(frozen=True)
class Applied:
    """Result of a change: how many entries took it, and how many could not because somebody has them open."""

    #: None where nothing was said anew and only entries were reached that had missed it.
    change_id: uuid.UUID | None
    reached: int
    held: int


def defaults_view(context: Context, person: Person, batch_id: uuid.UUID) -> DefaultsView | None:
    """Return what is in force, None where nothing was ever said. Raises NotFoundError."""
    with context.database.session() as session:
        visible_batch(session, person, batch_id)
        row = latest_row(session, batch_id)
        if row is None:
            return None
        by = defaults_by(session, row.given, row.given_by).given_by
        undo = row.id if row.undoes is None and (row.given or row.version > 1) else None
        return DefaultsView(row.version, row.given, by, row.created_at, undo)


def preview_defaults(
    context: Context, person: Person, batch_id: uuid.UUID, typed: Mapping[str, str]
) -> tuple[dict[str, str], list[PlannedSubmission]]:
    """Return the checked values, and what they would do to each entry. Writes nothing.

    Raises NotFoundError, InvalidInputError.
    """
    with context.database.session() as session:
        batch = visible_batch(session, person, batch_id)
        given = checked_defaults(session, batch.season_id, typed)
        return given, plan_defaults(session, batch_id, given)


def apply_defaults(
    context: Context, person: Person, batch_id: uuid.UUID, typed: Mapping[str, str], version: int
) -> Applied:
    """Put the values in force and give them to the entries that take them; `version` is what the person saw.

    Entries that nobody has decided on are decided anew with their stored reading. Applying the same again reaches
    what was missed. Raises NotFoundError, ConflictError, and InvalidInputError if nothing would change.
    """
    with context.database.session() as session:
        batch = visible_batch(session, person, batch_id)
        given = checked_defaults(session, batch.season_id, typed)
        latest = latest_row(session, batch_id)
        if version != (latest.version if latest else 0):
            raise ConflictError(BatchConflict.DEFAULTS_CHANGED)
        planned = plan_defaults(session, batch_id, given)
        change_id = None
        if given != (latest.given if latest else {}):
            change_id = give_defaults(session, batch, person.id, given, version).id
        elif not any(one.changes for one in planned):
            raise InvalidInputError(BatchRefused.NOTHING_TO_APPLY)
    return _reached(context, person, change_id, given, planned, taken_back=False)


def undo_defaults(context: Context, person: Person, batch_id: uuid.UUID, change_id: uuid.UUID) -> Applied:
    """Put the values before a change in force again, for every entry that has those of the change.

    Raises NotFoundError, and ConflictError if the change is no longer the latest one.
    """
    with context.database.session() as session:
        batch = visible_batch(session, person, batch_id)
        latest = latest_row(session, batch_id)
        if latest is None or latest.id != change_id or latest.undoes is not None:
            raise ConflictError(BatchConflict.DEFAULTS_TAKEN_BACK)
        before = session.scalar(
            select(BatchDefault.given).where(
                BatchDefault.batch_id == batch_id, BatchDefault.version == latest.version - 1
            )
        )
        given = dict(before or {})
        row = give_defaults(session, batch, person.id, given, latest.version, undoes=latest.id)
        planned = plan_defaults(session, batch_id, given)
    return _reached(context, person, row.id, given, planned, taken_back=True)


def visible_batch(session: Session, person: Person, batch_id: uuid.UUID) -> UploadBatch:
    """Return the batch. Raises NotFoundError if it does not exist or this person may not see it."""
    batch: UploadBatch | None = session.scalar(
        select(UploadBatch).where(UploadBatch.id == batch_id, visible_to(person, UploadBatch.uploaded_by))
    )
    if batch is None:
        raise NotFoundError("no such batch for this person")
    return batch


def _reached(
    context: Context,
    person: Person,
    change_id: uuid.UUID | None,
    given: Mapping[str, str],
    planned: list[PlannedSubmission],
    taken_back: bool,
) -> Applied:
    """Give the values to each entry that changes, in short transactions, and queue what is decided anew."""
    with context.database.session() as session:
        defaults = defaults_by(session, dict(given), person.id)
    done = [
        reach(context, person.id, one.id, one.changes, defaults.way, taken_back) for one in planned if one.changes
    ]
    queue_rows(context, RUNS, *(one.run_id for one in done if one.run_id is not None))
    held = sum(one.outcome is Reached.HELD for one in done)
    return Applied(change_id, sum(one.outcome is Reached.CHANGED for one in done), held)


# What somebody says of a batch as they hand it in.


@dataclass(frozen=True)
class SaidOfBatch:
    """Values that stand where a page gives none, as typed, and the day on which the batch was received."""

    #: By the keys that `checked_defaults` takes.
    defaults: Mapping[str, str] = field(default_factory=dict)
    received_on: date | None = None


NOTHING_SAID = SaidOfBatch()


# What defaults do to the entries of a batch: which take them, and which keep what they have.


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


# Check what somebody says of a whole batch, as a value that a person types is checked.


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


# Give one entry the defaults of its batch after it was read.


_OPEN = (SubmissionStatus.SUGGESTED, SubmissionStatus.ESCALATED, SubmissionStatus.COMPLETED)


class Reached(StrEnum):
    """What came of it."""

    CHANGED = "changed"
    #: Somebody has it open.
    HELD = "held"
    #: Somebody has decided it, or it is being read.
    MISSED = "missed"


@dataclass(frozen=True)
class ReachedSubmission:
    """One entry that was to change, and the run that decides it anew."""

    outcome: Reached
    run_id: str | None = None


def reach(
    context: Context,
    actor_id: uuid.UUID,
    submission_id: uuid.UUID,
    changes: Mapping[str, str | None],
    way: Message,
    taken_back: bool,
) -> ReachedSubmission:
    """Give the entry these values, which are in force for its batch by now; nothing that a person typed changes.

    What no person has touched is decided anew from its stored reading. Otherwise, and where that is not kept, the
    values are written, and the entry waits on.
    """
    told = Message.of(BatchEvent.TAKEN_BACK if taken_back else BatchEvent.GIVEN, fields=sorted(changes))
    anew = _handed_on(context, submission_id) if set(changes) != {LANGUAGE} else None
    with context.database.session() as session:
        submission = lock_entry(session, submission_id)
        if submission.status not in _OPEN:
            return ReachedSubmission(Reached.MISSED)
        if session.scalar(select(is_open()).where(Submission.id == submission_id)):
            return ReachedSubmission(Reached.HELD)
        if anew is not None and anew.run_id == f"{submission_id}:{submission.run_no}":
            following = read_anew(session, anew.run_id, anew.together or [], reopened=anew.reopened)
            if following is not None:
                session.add(event(submission, "defaults_changed", actor_id, message=told))
                return ReachedSubmission(Reached.CHANGED, following)
        _write(context, session, submission, actor_id, changes, way, told)
        return ReachedSubmission(Reached.CHANGED)


def _handed_on(context: Context, submission_id: uuid.UUID) -> Run | None:
    """Return the entry's run whose reading its next run can begin with; None where that is not kept.

    One that was shown before the joint pass is to be decided anew by that pass alone.
    """
    with context.database.session() as session:
        run = session.get_one(Run, f"{submission_id}:{session.get_one(Submission, submission_id).run_no}")
    if run.shown_early or run.together is None:
        return None
    try:
        hand_on(context.store, run)
    except NotFoundError:
        return None
    return run


def _write(
    context: Context,
    session: Session,
    submission: Submission,
    actor_id: uuid.UUID,
    changes: Mapping[str, str | None],
    way: Message,
    told: Message,
) -> None:
    if LANGUAGE in changes:
        submission.language, submission.language_given = changes[LANGUAGE], changes[LANGUAGE] is not None
    values = {name: value for name, value in changes.items() if name != LANGUAGE}
    if not values:
        session.add(event(submission, "defaults_changed", actor_id, message=told))
        return
    before = fill_defaults(session, submission.id, values, way)
    policy = season_policy(session, submission.season_id, context.settings)
    _, missing = can_approve_record(get_record_by_id(session, submission.id), policy)
    submission.version += 1
    submission.missing_fields = missing
    submission.review_reason_codes = with_missing_codes(submission.review_reason_codes, missing)
    tell_values(session, submission, "defaults_changed", before, values, actor_id, message=told)
    tell_items(session, submission.id, values, by_person=False)
    end_answered(session, submission.id, [name for name, value in values.items() if value is not None])
    if submission.status == SubmissionStatus.COMPLETED and missing:
        submission.status, submission.needs_review = SubmissionStatus.ESCALATED.value, True
        run = latest_run(session, submission)
        ask_for_missing(session, run, missing)
