"""Write notices of batches that have become quiet, once for each batch and state."""

from __future__ import annotations

import uuid

from sqlalchemy import or_, select, true, update
from sqlalchemy.orm import Session

from core.config import Settings
from core.mail.language import language_of
from core.mail.send import mail_is_configured
from core.messages import Message, Param
from core.models import MailKind, NoticeKind, Profile, UploadBatch
from core.saying import Language, say
from services.accounts.roles import Role
from services.context import Context
from services.mails.put_mail import WrittenMail, put_mail
from services.messages.notice import NoticeText
from services.notices.batch_state import Counts, counts_of, has_news, is_quiet, was_read
from services.notices.preferences import chosen_of
from services.recovery.kinds import MAILS
from services.recovery.work import enqueue

#: Limit of batches that one call tells of.
_AT_ONCE = 100
_TEXTS = {
    NoticeKind.OWN_BATCH_DONE: (NoticeText.DONE_SUBJECT, NoticeText.DONE),
    NoticeKind.OWN_BATCH_WAITS: (NoticeText.WAITS_SUBJECT, NoticeText.WAITS),
    NoticeKind.ANY_BATCH_WAITS: (NoticeText.ANY_WAITS_SUBJECT, NoticeText.ANY_WAITS),
}


def tell_batches(context: Context, batch_id: uuid.UUID | None = None) -> int:
    """Write and queue notices of batches that are quiet in a state that nobody was told of; return their number.

    With an id, of that batch alone. Without a mail server the state is only noted, so that one who sets it up
    later is not told of everything before.
    """
    with context.database.session() as session:
        quiet = session.scalars(
            select(UploadBatch.id)
            .where(true() if batch_id is None else UploadBatch.id == batch_id, has_news(), is_quiet())
            .order_by(UploadBatch.created_at)
            .limit(_AT_ONCE)
        ).all()
    written = [mail for found in quiet for mail in _tell(context, found)]
    enqueue(context, MAILS, *written)
    return len(written)


def _tell(context: Context, batch_id: uuid.UUID) -> list[uuid.UUID]:
    """Note the state of a quiet batch and write its notices; return their ids. Whoever notes it first writes."""
    with context.database.session() as session:
        counts = counts_of(session, batch_id)
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
    """Return who hears of it: whoever handed it in and, where it waits, the reviewers who want to."""
    own = NoticeKind.OWN_BATCH_DONE if state == "done" else NoticeKind.OWN_BATCH_WAITS
    reviewers = [role.value for role in Role if role.may_review and state == "waits"]
    people = session.scalars(
        select(Profile).where(
            Profile.is_active,
            ~Profile.is_demo,
            or_(Profile.id == batch.uploaded_by, Profile.role.in_(reviewers)),
        )
    )
    found = []
    for person in people:
        kind = own if person.id == batch.uploaded_by else NoticeKind.ANY_BATCH_WAITS
        if kind in chosen_of(person.notices):
            found.append((person, kind))
    return found


def _written(
    settings: Settings, batch: UploadBatch, person: Profile, kind: NoticeKind, counts: Counts
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
