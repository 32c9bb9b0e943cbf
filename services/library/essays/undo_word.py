"""Take back the last decision that a person made on a doubtful word."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.models import EssayWord, LibraryDocument
from services.context import Context
from services.library.essays.add_essays import withdraw


@dataclass(frozen=True)
class DecidedWord:
    """A word that a person decided on."""

    submission_id: uuid.UUID
    #: In lower case, without accents.
    word: str
    taken_out: bool


def last_decision(context: Context, actor_id: uuid.UUID) -> DecidedWord | None:
    """Return the word that the person decided on last, None if there is none."""
    with context.database.session() as session:
        row = _last(session, actor_id)
        return DecidedWord(row.submission_id, row.word, bool(row.taken_out)) if row else None


def undo_word(context: Context, actor_id: uuid.UUID, submission_id: uuid.UUID, word: str) -> bool:
    """Let the word wait again, and take its essay out of the library until it is decided on.

    Return False if it is not the word that the person decided on last.
    """
    with context.database.session() as session:
        row = _last(session, actor_id, lock=True)
        if row is None or (row.submission_id, row.word) != (submission_id, word):
            return False
        row.taken_out = row.decided_by = row.decided_at = None
        withdraw(session, LibraryDocument.submission_id == submission_id)
        return True


def _last(session: Session, actor_id: uuid.UUID, *, lock: bool = False) -> EssayWord | None:
    query = (
        select(EssayWord)
        .where(EssayWord.decided_by == actor_id)
        .order_by(EssayWord.decided_at.desc(), EssayWord.submission_id, EssayWord.word)
        .limit(1)
    )
    return session.scalar(query.with_for_update() if lock else query)
