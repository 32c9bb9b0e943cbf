"""Notices about finished uploads, and who gets them."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, func, or_, select, true, update
from sqlalchemy.orm import Session

from core.config import Settings
from core.errors import existing
from core.mail import language_of, mail_is_configured
from core.messages import Language, Message, Param, say
from core.models import (
    COMPLETE_STATUSES,
    USUAL_NOTICES,
    MailKind,
    NoticeKind,
    Profile,
    Run,
    RunStatus,
    Submission,
    SubmissionStatus,
    Upload,
    UploadBatch,
    UploadStatus,
)
from services.accounts.person import Role
from services.context import Context
from services.mails.mails import WrittenMail, put_mail
from services.messages.office import NoticeText
from services.recovery.kinds import MAILS, RUNS, UNSPLIT
from services.recovery.work import queue_rows

#: Limit of batches that one call handles.
_AT_ONCE = 100
_TEXTS = {
    NoticeKind.OWN_BATCH_DONE: (NoticeText.DONE_SUBJECT, NoticeText.DONE),
    NoticeKind.OWN_BATCH_WAITS: (NoticeText.WAITS_SUBJECT, NoticeText.WAITS),
    NoticeKind.ANY_BATCH_WAITS: (NoticeText.ANY_WAITS_SUBJECT, NoticeText.ANY_WAITS),
}


def tell_batches(context: Context, batch_id: uuid.UUID | None = None) -> int:
    """Write and queue notices of quiet batches whose state was not reported; return their number.

    With an id, of that batch alone. Without a mail server the state is only noted, so that setting one up later
    does not send notices of all earlier batches.
    """
    quiet = context.database.scalars(
        select(UploadBatch.id)
        .where(true() if batch_id is None else UploadBatch.id == batch_id, has_news(), is_quiet())
        .order_by(UploadBatch.created_at)
        .limit(_AT_ONCE)
    )
    written = [mail for found in quiet for mail in _tell(context, found)]
    queue_rows(context, MAILS, *written)
    return len(written)


def _tell(context: Context, batch_id: uuid.UUID) -> list[uuid.UUID]:
    """Note the state of a quiet batch and write its notices; return their ids. Only the first caller writes."""
    with context.database.session() as session:
        counts = batch_counts(session, batch_id)
        batch = session.scalar(
            update(UploadBatch)
            .where(UploadBatch.id == batch_id, has_news(), is_quiet())
            .values(told=counts.state)
            .returning(UploadBatch)
        )
        if batch is None or not mail_is_configured(context.settings):
            return []
        if session.scalar(select(UploadBatch.id).where(UploadBatch.id == batch_id, was_read())) is None:
            return []
        mails = [
            put_mail(session, _written(context.settings, batch, person, kind, counts))
            for person, kind in _hearers(session, batch, counts.state)
        ]
    return [mail for mail in mails if mail is not None]


def _hearers(session: Session, batch: UploadBatch, state: str) -> list[tuple[Profile, NoticeKind]]:
    """Return who gets a notice: the uploader and, if the batch waits, the reviewers who chose to."""
    own = NoticeKind.OWN_BATCH_DONE if state == "done" else NoticeKind.OWN_BATCH_WAITS
    reviewers = [role.value for role in Role if role.may_review and state == "waits"]
    people = session.scalars(
        select(Profile).where(
            Profile.is_active, ~Profile.is_demo, or_(Profile.id == batch.uploaded_by, Profile.role.in_(reviewers))
        )
    )
    found = []
    for person in people:
        kind = own if person.id == batch.uploaded_by else NoticeKind.ANY_BATCH_WAITS
        if kind in chosen_of(person.notices):
            found.append((person, kind))
    return found


def _written(
    settings: Settings, batch: UploadBatch, person: Profile, kind: NoticeKind, counts: BatchCounts
) -> WrittenMail:
    language = language_of(person.language)
    day = settings.office_day(batch.created_at).isoformat()
    subject, opening = _TEXTS[kind]
    lines = [
        _said(language, NoticeText.HELLO),
        _said(language, opening, date=day),
        _said(
            language,
            NoticeText.COUNTS,
            entries=counts.entries,
            complete=counts.complete,
            waiting=counts.waiting,
            failed=counts.failed,
            rejected=counts.rejected,
        ),
        f"{_said(language, NoticeText.LINK)}\n{settings.public_link(f'/batches/{batch.id}')}",
        f"-- \n{_said(language, NoticeText.WHY)}",
    ]
    return WrittenMail(
        MailKind(kind.value),
        batch.season_id,
        person.email,
        _said(language, subject, date=day),
        "\n\n".join(lines) + "\n",
        language.code,
        person_id=person.id,
        batch_id=batch.id,
    )


def _said(language: Language, code: NoticeText, **params: Param) -> str:
    return say(Message.of(code, **params), language)


_UNDER_WAY = (SubmissionStatus.QUEUED.value, SubmissionStatus.PROCESSING.value)
_WAITING = (SubmissionStatus.SUGGESTED.value, SubmissionStatus.ESCALATED.value)


@dataclass(frozen=True)
class BatchCounts:
    entries: int
    complete: int
    waiting: int
    #: Entries and files that could not be read.
    failed: int
    rejected: int

    @property
    def state(self) -> str:
        """ "waits" if a person has to do something, else "done"."""
        return "waits" if self.waiting or self.failed else "done"


def is_quiet() -> ColumnElement[bool]:
    """Condition: all files of the batch have arrived, and no work on it runs or is about to start."""
    of_batch = select(Run.run_id).join(Submission, Submission.id == Run.submission_id)
    arrived = (
        select(func.count())
        .where(Upload.batch_id == UploadBatch.id, Upload.split_id.is_(None))
        .correlate(UploadBatch)
        .scalar_subquery()
    )
    return and_(
        arrived >= UploadBatch.file_count,
        ~select(Upload.id).where(Upload.batch_id == UploadBatch.id, Upload.status.in_(UNSPLIT)).exists(),
        ~select(Submission.id)
        .where(Submission.batch_id == UploadBatch.id, Submission.status.in_(_UNDER_WAY))
        .exists(),
        ~of_batch.where(
            Submission.batch_id == UploadBatch.id,
            or_(RUNS.due, Run.status == RunStatus.READ.value, Run.shown_early, Run.batch_due),
        ).exists(),
    )


def has_news() -> ColumnElement[bool]:
    """Condition: the state that the batch has if it is quiet was not reported. "done" is the last one."""
    waits = or_(
        select(Submission.id)
        .where(
            Submission.batch_id == UploadBatch.id,
            Submission.status.in_((*_WAITING, SubmissionStatus.FAILED.value)),
        )
        .exists(),
        select(Upload.id)
        .where(Upload.batch_id == UploadBatch.id, Upload.status == UploadStatus.FAILED.value)
        .exists(),
    )
    return or_(UploadBatch.told.is_(None), and_(UploadBatch.told == "waits", ~waits))


def was_read() -> ColumnElement[bool]:
    """Condition: the batch has a file that was read, or was to be; who types entries in needs no notice."""
    return (
        select(Upload.id)
        .where(Upload.batch_id == UploadBatch.id, Upload.status != UploadStatus.TYPED.value)
        .exists()
    )


def batch_counts(session: Session, batch_id: uuid.UUID) -> BatchCounts:
    """Return the numbers of a batch; replaced entries do not count."""
    rows = session.execute(
        select(Submission.status, func.count()).where(Submission.batch_id == batch_id).group_by(Submission.status)
    ).all()
    by_status = {row[0]: row[1] for row in rows if row[0] != SubmissionStatus.SUPERSEDED.value}
    files = session.scalar(
        select(func.count()).where(Upload.batch_id == batch_id, Upload.status == UploadStatus.FAILED.value)
    )
    return BatchCounts(
        sum(by_status.values()),
        sum(by_status.get(status, 0) for status in COMPLETE_STATUSES),
        sum(by_status.get(status, 0) for status in _WAITING),
        by_status.get(SubmissionStatus.FAILED.value, 0) + (files or 0),
        by_status.get(SubmissionStatus.REJECTED.value, 0),
    )


def notice_choices(context: Context, person_id: uuid.UUID) -> frozenset[NoticeKind]:
    """Return the kinds of notices that the person gets: those chosen, or the usual ones if they never chose.

    Raises NotFoundError.
    """
    with context.database.reading() as session:
        found = existing(session.get(Profile, person_id), "profile")
        return chosen_of(found.notices)


def notice_kinds_for(role: Role) -> tuple[NoticeKind, ...]:
    """Return the kinds of notices that a person of this role can get."""
    own = (NoticeKind.OWN_BATCH_DONE, NoticeKind.OWN_BATCH_WAITS) if role.may_upload else ()
    return (*own, NoticeKind.ANY_BATCH_WAITS) if role.may_review else own


def choose_notices(context: Context, person_id: uuid.UUID, kinds: Iterable[NoticeKind]) -> None:
    """Set the kinds of notices that the person gets. Raises NotFoundError."""
    wanted = set(kinds)
    with context.database.session() as session:
        found = existing(session.get(Profile, person_id), "profile")
        found.notices = [kind.value for kind in NoticeKind if kind in wanted]


def chosen_of(stored: list[str] | None) -> frozenset[NoticeKind]:
    """Return the kinds of the stored keys; keys of another version are left out."""
    return USUAL_NOTICES if stored is None else frozenset(kind for kind in NoticeKind if kind in stored)
