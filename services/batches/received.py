"""When entries were received: on the day of the upload, unless a person gives another."""

from __future__ import annotations

import uuid
from datetime import date

from sqlalchemy import Date, cast, func, select, update
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.config import Settings
from core.errors import InvalidInputError, NotFoundError
from core.messages import Message
from core.models import Submission, Upload, UploadBatch, UploadSplit
from services.accounts.person import Person
from services.audit import event
from services.context import Context
from services.messages.batch import BatchEvent, BatchRefused
from services.visibility import visible_to

EARLIEST = date(2000, 1, 1)


def typed_day(text: str) -> date | None:
    """Return the day that somebody typed, None for nothing. Raises InvalidInputError for what is no day."""
    typed = text.strip()
    if not typed:
        return None
    try:
        day = date.fromisoformat(typed)
    except ValueError as exc:
        raise InvalidInputError(BatchRefused.NOT_A_DAY) from exc
    if day < EARLIEST:
        raise InvalidInputError(BatchRefused.NOT_A_DAY)
    return day


def checked_received(settings: Settings, text: str) -> date | None:
    """Return the day received that somebody typed. Raises InvalidInputError; a day to come is none either."""
    day = typed_day(text)
    if day is not None and day > settings.office_day(utcnow()):
        raise InvalidInputError(BatchRefused.DAY_TO_COME)
    return day


def first_received(session: Session, settings: Settings, upload: Upload) -> date:
    """Return the day on which the entries of a file were received, before a person says otherwise of one."""
    batch = session.get_one(UploadBatch, upload.batch_id)
    if batch.received_on is not None:
        return batch.received_on
    came = upload.created_at
    if upload.split_id is not None:
        # A corrected split makes a file later; its pages came with the files that it is made of.
        sources = session.get_one(UploadSplit, upload.split_id).upload_ids
        came = session.scalars(select(func.min(Upload.created_at)).where(Upload.id.in_(sources))).one() or came
    return settings.office_day(came)


def receive_batch(context: Context, person: Person, batch_id: uuid.UUID, text: str) -> None:
    """Give the day on which the batch was received; "": that of the upload. Entries with their own day keep it.

    Raises NotFoundError for a batch that this person does not see, InvalidInputError.
    """
    day = checked_received(context.settings, text)
    with context.database.session() as session:
        batch = session.scalar(
            update(UploadBatch)
            .where(UploadBatch.id == batch_id, visible_to(person, UploadBatch.uploaded_by))
            .values(received_on=day)
            .returning(UploadBatch)
        )
        if batch is None:
            raise NotFoundError("no such batch for this person")
        of_upload = cast(func.timezone(context.settings.office_timezone, Upload.created_at), Date)
        rows = session.execute(
            select(Submission, of_upload.label("uploaded_on"))
            .join(Upload, Upload.id == Submission.upload_id)
            .where(Submission.batch_id == batch_id, ~Submission.received_given)
            .with_for_update(of=Submission, key_share=True)
        ).all()
        for submission, uploaded_on in rows:
            _receive(session, submission, day or uploaded_on, person.id)


def receive_submission(context: Context, person: Person, submission_id: uuid.UUID, text: str) -> None:
    """Give the day on which one entry was received; "": that of its batch, or of the upload.

    Raises NotFoundError for an entry that this person does not see, InvalidInputError.
    """
    day = checked_received(context.settings, text)
    with context.database.session() as session:
        submission = session.scalar(
            select(Submission)
            .where(Submission.id == submission_id, visible_to(person, Submission.owner_user_id))
            .with_for_update(key_share=True)
        )
        if submission is None:
            raise NotFoundError("no such entry for this person")
        submission.received_given = day is not None
        upload = session.get_one(Upload, submission.upload_id)
        _receive(session, submission, day or first_received(session, context.settings, upload), person.id)


def _receive(session: Session, submission: Submission, day: date, actor_id: uuid.UUID) -> None:
    before = submission.received_on
    if before == day:
        return
    submission.received_on = day
    session.add(
        event(
            submission,
            "received_changed",
            actor_id,
            before=before.isoformat(),
            after=day.isoformat(),
            message=Message.of(BatchEvent.RECEIVED),
        )
    )
