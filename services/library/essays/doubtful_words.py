"""Words of essays that could be names: noted when an essay is to enter the library, decided on by a person."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.models import EssayWord
from services.context import Context
from services.library.essays.without_names import Doubt

_WAITS = EssayWord.taken_out.is_(None)


def decided_words(session: Session, submission_id: uuid.UUID) -> dict[str, bool]:
    """Return whether each word of an essay that was decided on is taken out."""
    rows = session.execute(
        select(EssayWord.word, EssayWord.taken_out).where(EssayWord.submission_id == submission_id, ~_WAITS)
    )
    return {word: bool(taken_out) for word, taken_out in rows}


def note_doubts(session: Session, submission_id: uuid.UUID, doubts: Sequence[Doubt], at: datetime) -> bool:
    """Replace the words of an essay that wait for a person; return whether there are any."""
    session.execute(delete(EssayWord).where(EssayWord.submission_id == submission_id, _WAITS))
    if doubts:
        rows = [{"submission_id": submission_id, "word": doubt.key, "created_at": at} for doubt in doubts]
        session.execute(insert(EssayWord).on_conflict_do_nothing(), rows)
    return bool(doubts)


def waiting_essays(context: Context) -> int:
    """Return how many essays wait for a person."""
    with context.database.session() as session:
        return session.scalar(select(func.count(EssayWord.submission_id.distinct())).where(_WAITS)) or 0


def decide_word(
    context: Context, actor_id: uuid.UUID, submission_id: uuid.UUID, word: str, *, taken_out: bool
) -> bool:
    """Take a doubtful word out of an essay or keep it; return False if it does not wait any more."""
    with context.database.session() as session:
        won = session.scalar(
            update(EssayWord)
            .where(EssayWord.submission_id == submission_id, EssayWord.word == word, _WAITS)
            .values(taken_out=taken_out, decided_by=actor_id, decided_at=utcnow())
            .returning(EssayWord.word)
        )
    return won is not None
