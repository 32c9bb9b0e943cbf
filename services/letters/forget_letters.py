"""Remove what letters and their mails say of children whose entries are erased."""

from __future__ import annotations

import uuid
from collections.abc import Collection

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from core.models import Letter, LetterItem, OutgoingMail


def forget_letters(session: Session, submission_ids: Collection[uuid.UUID]) -> list[uuid.UUID]:
    """Blank the letters about these entries in the caller's transaction, and remove their mails.

    A letter about no other entry goes whole. Returns the ids of the mails, whose jobs are to be forgotten.
    """
    ids = list(session.scalars(select(LetterItem.letter_id).where(LetterItem.submission_id.in_(submission_ids))))
    mails = session.scalars(delete(OutgoingMail).where(OutgoingMail.letter_id.in_(ids)).returning(OutgoingMail.id))
    gone = list(mails)
    session.execute(delete(LetterItem).where(LetterItem.submission_id.in_(submission_ids)))
    kept = select(LetterItem.id).where(LetterItem.letter_id == Letter.id).exists()
    session.execute(delete(Letter).where(Letter.id.in_(ids), ~kept))
    session.execute(update(Letter).where(Letter.id.in_(ids)).values(subject="", body="", addressee=""))
    return gone
