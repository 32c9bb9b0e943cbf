"""The next doubtful word that a person decides on, with the sentence around it."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from sqlalchemy import func, select

from core.models import EssayWord
from pipeline.supabase_db import get_field_values
from services.context import Context
from services.library.essays.add_essays import essay_fields, essay_of, essay_title
from services.library.essays.doubtful_words import decided_words
from services.library.essays.without_names import Doubt, clean_essay


@dataclass(frozen=True)
class WordToDecide:
    """A doubtful word of an essay."""

    submission_id: uuid.UUID
    #: "M. Q., grade 4".
    essay: str
    doubt: Doubt
    #: Number of words that wait, this one among them.
    waiting: int


def next_word(context: Context) -> WordToDecide | None:
    """Return the word that waits longest, None if none does."""
    waits = EssayWord.taken_out.is_(None)
    with context.database.session() as session:
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
