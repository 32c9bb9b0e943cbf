"""Type the entries of an upload that no machine could read: the file is damaged, or there is paper alone."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import func, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.config import Settings
from core.errors import AppError, ConflictError, InvalidInputError, StorageError, existing
from core.messages import Message
from core.models import (
    Run,
    RunStatus,
    SecurityEventKind,
    Submission,
    SubmissionStatus,
    Upload,
    UploadBatch,
    UploadSplit,
    UploadStatus,
)
from pipeline.duplicates.comparison import Subject, pair_keys
from pipeline.profiles import ProfileKind, all_profiles, derived_fields, fields_of_form
from pipeline.reason_codes import ReasonCode, RunReason
from pipeline.schema import DocClass, DocFormat
from pipeline.supabase_db import get_record_by_id
from pipeline.validation.certainty import record_confidence
from services.accounts.person import Person, visible_to
from services.audit import event, record_change
from services.batches.default_values import batch_to_change, visible_batch
from services.context import Context
from services.duplicates import Prepared, check_submission
from services.entries.change import apply_values, cleaned_values, tell_edits
from services.entries.decision import latest_run, win_entry
from services.items.holds import refuse_if_held
from services.messages.entries import BatchConflict, BatchEvent, BatchRefused, Refused
from services.runs.settle import ask_for_missing, set_status, submission_language, supersede_items
from services.seasons import (
    current_season,
    defaults_in_force,
    forms_in_use,
    hold_said,
    require_open,
    season_policy,
)
from services.stats.lists import note_run

#: Numbers of typed entries within their file begin here: a file that can be read later counts its own from 0.
FIRST_INDEX = 1_000_000
#: The version of an entry that nobody has changed since.
FIRST_VERSION = 2
SLIP = "Typed in by hand: there is no file of this entry.\nEntry slip {}\n"
SLIP_NAME = "typed-in.txt"
EARLIEST = date(2000, 1, 1)


@dataclass(frozen=True)
class TypedSubmission:
    """The new entry; it may wait for a person."""

    id: uuid.UUID
    missing: list[str]
    #: Whether it waits for a person: something is missing, or it may have been sent before.
    waits: bool


def type_in_submission(
    context: Context,
    person: Person,
    form: str,
    values: Mapping[str, str],
    received: str = "",
    *,
    upload_id: uuid.UUID | None = None,
    batch_id: uuid.UUID | None = None,
) -> TypedSubmission:
    """Make an entry of what a person typed, by the fields of a form; it is settled if nothing is missing.

    It is of a file that has failed, `upload_id`, or of paper: then it goes into the batch `batch_id`, or a new
    one, with a slip in place of the file. Raises NotFoundError, ConflictError if somebody came first, and
    InvalidInputError for values that do not fit, none at all, and a closed season.
    """
    if form not in all_profiles():
        raise InvalidInputError(Refused.PROFILE_UNKNOWN, name=form, choices=list(all_profiles()))
    version = all_profiles()[form].version
    names = fields_of_form(form, version)
    typed = set(names) - derived_fields()
    cleaned = cleaned_values({name: value for name, value in values.items() if name in typed})
    if not any(cleaned.values()):
        raise InvalidInputError(BatchRefused.NOTHING_TYPED)
    # A field without a value is the person's statement that the entry has none.
    given = {**dict.fromkeys(names), **cleaned}
    day = checked_received(context.settings, received)
    if upload_id is not None:
        with context.database.session() as session:
            upload = _won_file(session, person, upload_id)
            return _made(context, session, person, upload, form, version, given, day)
    return _without_file(context, person, batch_id, form, version, given, day)


def _won_file(session: Session, person: Person, upload_id: uuid.UUID) -> Upload:
    """Take a failed file; it keeps why it failed. Raises NotFoundError, ConflictError if it has not failed."""
    seen = select(Upload.id).where(Upload.id == upload_id, visible_to(person, Upload.uploaded_by))
    existing(session.scalar(seen), "no such file for this person")
    upload: Upload | None = session.scalar(
        update(Upload)
        .where(Upload.id == upload_id, Upload.status == UploadStatus.FAILED.value)
        .values(status=UploadStatus.TYPED.value, updated_at=utcnow())
        .returning(Upload)
    )
    if upload is None:
        raise ConflictError(BatchConflict.FILE_TYPED_IN)
    return upload


def _without_file(
    context: Context,
    person: Person,
    batch_id: uuid.UUID | None,
    form: str,
    version: int | None,
    given: Mapping[str, str | None],
    day: date | None,
) -> TypedSubmission:
    with context.database.session() as session:
        season_id = _season_id(session, person, batch_id)
        require_open(session, season_id)
    slip_id = uuid.uuid4()
    key, data = f"originals/{season_id}/{slip_id}", SLIP.format(slip_id).encode()
    context.store.put(key, data, "text/plain; charset=utf-8")
    try:
        with context.database.session() as session:
            require_open(session, season_id)
            batch = _batch(session, person, season_id, batch_id)
            upload = Upload(
                id=slip_id,
                season_id=season_id,
                batch_id=batch.id,
                uploaded_by=batch.uploaded_by,
                position=batch.file_count - 1,
                original_filename=SLIP_NAME,
                content_type="text/plain",
                byte_size=len(data),
                sha256=hashlib.sha256(data).hexdigest(),
                storage_key=key,
                status=UploadStatus.TYPED.value,
            )
            session.add(upload)
            session.flush()
            return _made(context, session, person, upload, form, version, given, day)
    except (AppError, SQLAlchemyError):
        with suppress(StorageError):
            context.store.delete(key)
        raise


def _season_id(session: Session, person: Person, batch_id: uuid.UUID | None) -> uuid.UUID:
    """Return the season of the batch, the current one for None. Raises NotFoundError."""
    batch = None if batch_id is None else visible_batch(session, person, batch_id)
    return current_season(session).id if batch is None else batch.season_id


def _batch(session: Session, person: Person, season_id: uuid.UUID, batch_id: uuid.UUID | None) -> UploadBatch:
    """Return a new batch for the one slip, or an own one that has room for it."""
    if batch_id is None:
        batch = UploadBatch(id=uuid.uuid4(), season_id=season_id, uploaded_by=person.id, file_count=1)
        session.add(batch)
        session.flush()
        return batch
    return session.scalars(
        update(UploadBatch)
        .where(UploadBatch.id == batch_id)
        .values(file_count=UploadBatch.file_count + 1)
        .returning(UploadBatch)
    ).one()


def _made(
    context: Context,
    session: Session,
    person: Person,
    upload: Upload,
    form: str,
    version: int | None,
    given: Mapping[str, str | None],
    day: date | None,
) -> TypedSubmission:
    """Write the entry, with a run that has done nothing, as every decision refers to one."""
    index = session.scalar(select(func.count()).where(Submission.upload_id == upload.id)) or 0
    submission = Submission(
        id=uuid.uuid4(),
        season_id=upload.season_id,
        batch_id=upload.batch_id,
        upload_id=upload.id,
        owner_user_id=upload.uploaded_by,
        chunk_index=FIRST_INDEX + index,
        page_start=1,
        page_end=1,
        doc_class=DocClass.SINGLE_SCANNED.value,
        doc_format=DocFormat.IMAGE_ONLY.value,
        profile=form,
        profile_version=version,
        chunk_metadata={},
        run_no=1,
        version=1,
        received_on=day or first_received(session, context.settings, upload),
        received_given=day is not None,
    )
    session.add(submission)
    upload.entry_count = 1
    session.flush()
    run = Run(
        run_id=f"{submission.id}:1",
        submission_id=submission.id,
        season_id=submission.season_id,
        run_no=1,
        status=RunStatus.SETTLED.value,
        settled_at=utcnow(),
        reason=Message.of(RunReason.TYPED_IN_BY_PERSON),
    )
    session.add(run)
    session.flush()
    policy = season_policy(session, submission.season_id, context.settings)
    if check_submission(session, submission, _prepared(given), one_entry_each=policy.one_entry_each):
        submission.review_reason_codes = [ReasonCode.DUPLICATE_SUBMISSION.value]
    standing = apply_values(session, context.settings, submission, given, actor_id=person.id)
    record = get_record_by_id(session, submission.id)
    submission.language, submission.language_given = submission_language(
        record, defaults_in_force(session, submission.batch_id)
    )
    submission.confidence = run.confidence = record_confidence(record, policy)
    run.outcome = standing.status.value
    source = BatchEvent.TYPED_FROM_FILE if upload.error_code else BatchEvent.TYPED_FROM_PAPER
    session.add(event(submission, "typed_in", person.id, message=Message.of(source)))
    tell_edits(session, submission, person.id, standing, None)
    if standing.status is SubmissionStatus.ESCALATED:
        ask_for_missing(session, run, standing.missing)
    # The machine left it to a person: so it is counted, whatever the person made of it.
    outcome, reason = SubmissionStatus.ESCALATED.value, Message.of(RunReason.TYPED_IN_BY_PERSON)
    note_run(session, run, submission, outcome, reason, [], None)
    return TypedSubmission(submission.id, standing.missing, standing.status is SubmissionStatus.ESCALATED)


def _prepared(given: Mapping[str, str | None]) -> Prepared:
    """Return what the entry is compared by with those that came already: there is no page of it."""
    subject = Subject(
        given.get("student_name"), given.get("school_name"), given.get("grade"), given.get("essay_text")
    )
    return Prepared(subject, pair_keys(subject))


@dataclass(frozen=True)
class FormToType:
    """The fields of the chosen form, with what is known of the batch already."""

    form: str
    #: Keys of the forms that can be chosen.
    forms: list[str]
    fields: list[str]
    values: dict[str, str]
    batch_id: uuid.UUID | None
    upload_id: uuid.UUID | None = None
    filename: str | None = None
    #: Why the file could not be read.
    why: Message | None = None


def form_to_type(
    context: Context,
    person: Person,
    form: str | None = None,
    upload_id: uuid.UUID | None = None,
    batch_id: uuid.UUID | None = None,
) -> FormToType:
    """Return what to ask for; without a form that there is, by the one that the season had last.

    Raises NotFoundError for a file that has not failed, and for one or a batch that this person may not see.
    """
    with context.database.session() as session:
        upload = None
        if upload_id is not None:
            failed = select(Upload).where(Upload.id == upload_id, Upload.status == UploadStatus.FAILED.value)
            found = session.scalar(failed.where(visible_to(person, Upload.uploaded_by)))
            upload = existing(found, "no failed file of this id for this person")
            batch_id = upload.batch_id
        season_id = _season_id(session, person, batch_id)
        last = session.scalar(
            select(Submission.profile)
            .where(Submission.season_id == season_id, Submission.profile.is_not(None))
            .order_by(Submission.created_at.desc())
            .limit(1)
        )
        used = forms_in_use(session, season_id)
        values = {} if batch_id is None else defaults_in_force(session, batch_id).values
    profiles = {key: one for key, one in all_profiles().items() if one.kind is not ProfileKind.ESSAY_PAGE}
    newest = sorted((key for key, one in profiles.items() if one.kind is ProfileKind.FORM), reverse=True)
    chosen = next(key for key in (form, last, *used, *newest, *profiles) if key in profiles)
    return FormToType(
        form=chosen,
        forms=list(profiles),
        fields=[name for name in fields_of_form(chosen) if name not in derived_fields()],
        values=dict(values),
        batch_id=batch_id,
        upload_id=upload_id,
        filename=upload.original_filename if upload else None,
        why=upload.error if upload else None,
    )


def undo_type_in(context: Context, person: Person, submission_id: uuid.UUID, version: int) -> uuid.UUID:
    """Take the entry back and return the id of its batch.

    Raises NotFoundError, and ConflictError if it has changed since `version`, was not typed in, or another person
    has it open.
    """
    with context.database.session() as session:
        submission: Submission = win_entry(session, submission_id, version)
        upload = session.get_one(Upload, submission.upload_id, with_for_update={"key_share": True})
        if upload.status != UploadStatus.TYPED or submission.status == SubmissionStatus.SUPERSEDED:
            raise ConflictError(BatchRefused.NOT_TYPED_IN)
        refuse_if_held(session, submission_id, person.id)
        supersede_items(session, submission_id, person.id)
        latest_run(session, submission).outcome = SubmissionStatus.SUPERSEDED.value
        set_status(session, submission, SubmissionStatus.SUPERSEDED, person.id, kind="undone")
        upload.status = (UploadStatus.FAILED if upload.error_code else UploadStatus.SUPERSEDED).value
        upload.updated_at = utcnow()
        return submission.batch_id


# When entries were received: on the day of the upload, unless a person gives another.


def typed_day(text: str) -> date | None:
    """Return the day that somebody typed, None for nothing. Raises InvalidInputError for what is no day."""
    typed = text.strip()
    if not typed:
        return None
    with suppress(ValueError):
        if (day := date.fromisoformat(typed)) >= EARLIEST:
            return day
    raise InvalidInputError(BatchRefused.NOT_A_DAY)


def checked_received(settings: Settings, text: str) -> date | None:
    """Return the day received that somebody typed. Raises InvalidInputError; a day to come is none either."""
    day = typed_day(text)
    if day is not None and day > settings.office_day(utcnow()):
        raise InvalidInputError(BatchRefused.DAY_TO_COME)
    return day


def first_received(session: Session, settings: Settings, upload: Upload) -> date:
    """Return the day on which the entries of a file were received, before a person says otherwise of one.

    That of the batch does not change until the transaction ends.
    """
    hold_said(session, upload.batch_id)
    given = session.scalars(select(UploadBatch.received_on).where(UploadBatch.id == upload.batch_id)).one()
    return given or settings.office_day(_came(session, upload))


def _came(session: Session, upload: Upload) -> datetime:
    """Return when the first page of a file came: a corrected split makes a file later, also of such files."""
    if upload.split_id is None:
        return upload.created_at
    sources = session.get_one(UploadSplit, upload.split_id).upload_ids
    files = session.scalars(select(Upload).where(Upload.id.in_(sources))).all()
    return min((_came(session, file) for file in files), default=upload.created_at)


def receive_batch(context: Context, person: Person, batch_id: uuid.UUID, text: str) -> None:
    """Give the day on which the batch was received; "": that of the upload. Entries with their own day keep it.

    Raises NotFoundError for a batch that this person does not see, InvalidInputError, also in a closed season.
    """
    day = checked_received(context.settings, text)
    with context.database.session() as session:
        visible_batch(session, person, batch_id)
        batch, entries = _batch_to_receive(session, person, batch_id)
        record_change(
            session,
            SecurityEventKind.BATCH_CHANGED,
            {"received": batch.received_on and batch.received_on.isoformat()},
            {"received": day and day.isoformat()},
            actor_id=person.id,
            batch=str(batch_id),
        )
        batch.received_on = day
        files = session.scalars(select(Upload).where(Upload.id.in_({one.upload_id for one in entries}))).all()
        days = {file.id: day or context.settings.office_day(_came(session, file)) for file in files}
        told = Message.of(BatchEvent.RECEIVED)
        for submission in entries:
            _receive(session, submission, days[submission.upload_id], person.id, told)


def _batch_to_receive(
    session: Session, person: Person, batch_id: uuid.UUID
) -> tuple[UploadBatch, Sequence[Submission]]:
    """Return the batch and its entries without a day of their own, locked in the order of `lock_entry`."""
    following = select(Submission).where(Submission.batch_id == batch_id, ~Submission.received_given)
    while True:
        with session.begin_nested() as attempt:
            entries = session.scalars(following.order_by(Submission.id).with_for_update(key_share=True)).all()
            batch = batch_to_change(session, person, batch_id)
            # An entry that came while this waited for the batch is not locked yet.
            if len(session.scalars(following).all()) == len(entries):
                return batch, entries
            attempt.rollback()


def receive_submission(context: Context, person: Person, submission_id: uuid.UUID, text: str) -> None:
    """Give the day on which one entry was received; "": that of its batch, or of the upload.

    A reviewer may do so in a closed season, too. Raises NotFoundError for an entry that this person does not see,
    InvalidInputError.
    """
    day = checked_received(context.settings, text)
    with context.database.session() as session:
        seen = (Submission.id == submission_id, visible_to(person, Submission.owner_user_id))
        found = session.scalar(select(Submission).where(*seen).with_for_update(key_share=True))
        submission = existing(found, "no such entry for this person")
        own_received(session, context.settings, submission, day, person.id, Message.of(BatchEvent.RECEIVED))


def own_received(
    session: Session,
    settings: Settings,
    submission: Submission,
    day: date | None,
    actor_id: uuid.UUID,
    why: Message,
) -> None:
    """Give the entry, which is locked, a day of its own; None: that of its batch, or of the upload."""
    submission.received_given = day is not None
    upload = session.get_one(Upload, submission.upload_id)
    _receive(session, submission, day or first_received(session, settings, upload), actor_id, why)


def keep_received(
    session: Session, submission: Submission, replaced: Sequence[Submission], actor_id: uuid.UUID | None = None
) -> None:
    """Give the entry the earliest day that one has which it replaces, if a person gave it or it is earlier."""
    first = min(replaced, key=lambda one: (one.received_on, not one.received_given), default=submission)
    if first.received_given or first.received_on < submission.received_on:
        submission.received_given = True
        _receive(session, submission, first.received_on, actor_id, Message.of(BatchEvent.RECEIVED_KEPT))


def _receive(
    session: Session, submission: Submission, day: date, actor_id: uuid.UUID | None, why: Message
) -> None:
    before, after = submission.received_on.isoformat(), day.isoformat()
    if before != after:
        submission.received_on = day
        session.add(event(submission, "received_changed", actor_id, before=before, after=after, message=why))
