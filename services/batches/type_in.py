"""A person types in an entry of which no page can be read: its file is damaged, or it is on paper alone."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date

from sqlalchemy import func, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.errors import AppError, ConflictError, InvalidInputError, NotFoundError, StorageError
from core.messages import Message
from core.models import Run, RunStatus, Season, Submission, SubmissionStatus, Upload, UploadBatch, UploadStatus
from pipeline.duplicates.keys import keys_of
from pipeline.duplicates.subject import Subject
from pipeline.messages import RunReason
from pipeline.profiles import all_profiles
from pipeline.profiles.declared import derived_fields, fields_of_form
from pipeline.reason_codes import ReasonCode
from pipeline.schema import DocClass, DocFormat
from pipeline.supabase_db import get_record_by_id
from pipeline.validation.confidence import record_confidence
from services.accounts.person import Person
from services.audit import event
from services.batches.received import checked_received, first_received
from services.context import Context
from services.defaults.in_force import defaults_in_force
from services.duplicates.check_submission import check_submission
from services.duplicates.prepare import Prepared
from services.entries.apply_decision import apply_values, cleaned_values, tell_edits
from services.messages.batch import BatchConflict, BatchEvent, BatchRefused
from services.messages.refused import Refused
from services.messages.season import SeasonRefused
from services.runs.settle_run import escalate, still_incomplete
from services.runs.submission_language import submission_language
from services.seasons import current_season, season_policy
from services.stats.run_facts import note_run
from services.visibility import visible_to

#: Numbers of typed entries within their file begin here: a file that can be read later counts its own from 0.
FIRST_INDEX = 1_000_000
#: The version of an entry that nobody has changed since.
FIRST_VERSION = 2
SLIP = "Typed in by hand: there is no file of this entry.\nEntry slip {}\n"
SLIP_NAME = "typed-in.txt"


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
    if session.scalar(seen) is None:
        raise NotFoundError("no such file for this person")
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
        season_id = _open_season(session, person, batch_id)
    slip_id = uuid.uuid4()
    key, data = f"originals/{season_id}/{slip_id}", SLIP.format(slip_id).encode()
    context.store.put(key, data, "text/plain; charset=utf-8")
    try:
        with context.database.session() as session:
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


def _open_season(session: Session, person: Person, batch_id: uuid.UUID | None) -> uuid.UUID:
    if batch_id is None:
        season = current_season(session)
    else:
        of_batch = select(Season).join(UploadBatch, UploadBatch.season_id == Season.id)
        found = session.scalar(
            of_batch.where(UploadBatch.id == batch_id, visible_to(person, UploadBatch.uploaded_by))
        )
        if found is None:
            raise NotFoundError("no such batch for this person")
        season = found
    if season.closed_at is not None:
        raise InvalidInputError(SeasonRefused.IS_CLOSED, season=season.name)
    return season.id


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
        escalate(session, run, still_incomplete(standing.missing), {"missing_fields": standing.missing})
    # The machine left it to a person: so it is counted, whatever the person made of it.
    outcome, reason = SubmissionStatus.ESCALATED.value, Message.of(RunReason.TYPED_IN_BY_PERSON)
    note_run(session, run, submission, outcome, reason, [], None)
    return TypedSubmission(submission.id, standing.missing, standing.status is SubmissionStatus.ESCALATED)


def _prepared(given: Mapping[str, str | None]) -> Prepared:
    """Return what the entry is compared by with those that came already: there is no page of it."""
    subject = Subject(
        given.get("student_name"), given.get("school_name"), given.get("grade"), given.get("essay_text")
    )
    return Prepared(subject, keys_of(subject))
