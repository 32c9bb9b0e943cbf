"""Words of essays that may be names: asked one by one, decided and undone."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from core.models import EssayWord, LibraryDocument
from pipeline.supabase_db import get_field_values
from services.context import Context
from services.library.essays.add_essays import (
    Doubt,
    clean_essay,
    decided_words,
    essay_fields,
    essay_of,
    essay_title,
    withdraw,
)


@dataclass(frozen=True)
class WordToDecide:
    submission_id: uuid.UUID
    #: "M. Q., grade 4".
    essay: str
    doubt: Doubt
    #: Number of words that wait, this one among them.
    waiting: int


def next_word(context: Context) -> WordToDecide | None:
    """Return the word that waits longest, None if none does."""
    waits = EssayWord.taken_out.is_(None)
    with context.database.reading() as session:
        row = session.execute(
            select(EssayWord.submission_id, EssayWord.word)
            .where(waits)
            .order_by(EssayWord.created_at, EssayWord.submission_id, EssayWord.word)
            .limit(1)
        ).first()
        if row is None:
            return None
        entry = get_field_values(session, row.submission_id, essay_fields())
        decided = decided_words(session, row.submission_id)
        waiting = session.scalar(select(func.count()).select_from(EssayWord).where(waits)) or 0
    doubts = clean_essay(essay_of(entry), entry, decided).doubts
    # The essay may have changed since the word was noted.
    doubt = next((one for one in doubts if one.key == row.word), Doubt(row.word, row.word, "", ""))
    return WordToDecide(row.submission_id, essay_title(entry), doubt, waiting)


@dataclass(frozen=True)
class DecidedWord:
    submission_id: uuid.UUID
    #: In lower case, without accents.
    word: str
    taken_out: bool


def last_decided_word(context: Context, actor_id: uuid.UUID) -> DecidedWord | None:
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
