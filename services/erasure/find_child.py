"""Find the entries of a child by name, for a person to choose from: names are not unique."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from core.errors import NotFoundError
from core.models import Season, Submission, SubmissionStatus
from pipeline.extraction.values.text import plain
from services.context import Context


@dataclass(frozen=True)
class NamedSubmission:
    """One entry, with what tells children of one name apart."""

    submission_id: uuid.UUID
    student_name: str | None
    school_name: str | None
    grade: str | None
    status: str
    created_at: datetime


def find_child(context: Context, name: str, season: str) -> list[NamedSubmission]:
    """Return the season's entries of this name, written in any case, with or without accents; oldest first.

    Superseded ones are left out: they go with those that replaced them. Raises NotFoundError for an unknown
    season.
    """
    with context.database.session() as session:
        season_id = session.scalar(select(Season.id).where(Season.name == season))
        if season_id is None:
            raise NotFoundError(f"no season {season!r}")
        rows = session.execute(
            select(
                Submission.id,
                Submission.student_name,
                Submission.school_name,
                Submission.grade,
                Submission.status,
                Submission.created_at,
            )
            .where(
                Submission.season_id == season_id,
                Submission.student_name.is_not(None),
                Submission.status != SubmissionStatus.SUPERSEDED.value,
            )
            .order_by(Submission.created_at, Submission.id)
        ).all()
    return [NamedSubmission(*row) for row in rows if plain(row.student_name or "") == plain(name)]
