"""Write the letters of a request: rows, and mails that wait for those that go by mail."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Any

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from core.errors import ConflictError
from core.models import Letter, LetterItem, MailKind, SecurityEventKind, Submission
from services.context import Context
from services.letters.plan import LetterRequest, PlannedLetter, planned
from services.mails.put_mail import WrittenMail, put_mail
from services.messages.letter import LetterRefused
from services.recovery.kinds import MAILS
from services.recovery.work import enqueue
from services.runs.aside_rows import await_until
from services.seasons import current_season
from services.security_events import record_event

#: Mails that are queued before the page comes.
_QUEUED_AT_ONCE = 20


@dataclass(frozen=True)
class WrittenLetters:
    """What became of a request."""

    #: Letters that are printed.
    printed: list[uuid.UUID]
    #: How many wait to be sent by mail.
    mailed: int
    #: Entries that needed no letter any more, or that somebody else asked about meanwhile.
    left_out: int


def write_letters(context: Context, actor_id: uuid.UUID, request: LetterRequest) -> WrittenLetters:
    """Write the letters; of two people who ask about an entry at the same time, the first one does.

    Raises InvalidInputError for a request that cannot be met, ConflictError if no entry is left of it.
    """
    with context.database.session() as session:
        # In one order, so that two requests wait for each other; an item is added under these locks alone.
        session.execute(
            select(Submission.id)
            .where(Submission.id.in_(request.chosen))
            .order_by(Submission.id)
            .with_for_update(key_share=True)
        )
        plan = planned(session, context.settings, request)
        if not plan.letters:
            raise ConflictError(LetterRefused.NOTHING_LEFT)
        season_id = current_season(session).id
        rows = [_row(season_id, actor_id, request, letter) for letter in plan.letters]
        session.execute(insert(Letter), rows)
        pairs = list(zip(rows, plan.letters, strict=True))
        session.execute(insert(LetterItem), [item for row, letter in pairs for item in _items(row["id"], letter)])
        # What a reviewer asks for is out of the queue until the letter is late.
        late = datetime.combine(request.until + timedelta(days=1), time(), context.settings.office_zone)
        await_until(session, [one.id for letter in plan.letters for one in letter.submissions], late)
        mails = [_mail(session, season_id, row["id"], letter) for row, letter in pairs]
        record_event(session, SecurityEventKind.LETTERS_SENT, actor_id=actor_id, rows=len(plan.letters))
    waiting = [mail for mail in mails if mail is not None]
    # The reconciler queues the others, so that nobody waits for that here.
    enqueue(context, MAILS, *waiting[:_QUEUED_AT_ONCE])
    printed = [row["id"] for row, letter in pairs if letter.recipient is None]
    return WrittenLetters(printed, len(waiting), plan.left_out)


def _row(
    season_id: uuid.UUID, actor_id: uuid.UUID, request: LetterRequest, letter: PlannedLetter
) -> dict[str, Any]:
    subject, body = letter.texts[letter.language]
    return {
        "id": uuid.uuid4(),
        "season_id": season_id,
        "way": letter.way.value,
        "addressed_to": request.by.value,
        "addressee": letter.addressee,
        "subject": subject,
        "body": body,
        "language": letter.language,
        "answer_until": request.until,
        "asked_by": actor_id,
    }


def _items(letter_id: uuid.UUID, letter: PlannedLetter) -> list[dict[str, Any]]:
    return [
        {"letter_id": letter_id, "submission_id": one.id, "fields": list(one.missing)}
        for one in letter.submissions
    ]


def _mail(session: Session, season_id: uuid.UUID, letter_id: uuid.UUID, letter: PlannedLetter) -> uuid.UUID | None:
    """Put the letter among the mails that wait; None for one that is printed."""
    if letter.recipient is None:
        return None
    subject, body = letter.texts[letter.language]
    return put_mail(
        session,
        WrittenMail(
            MailKind.LETTER,
            season_id,
            letter.recipient,
            subject,
            body + "\n",
            letter.language,
            letter_id=letter_id,
        ),
    )
