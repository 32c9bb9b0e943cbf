"""Filters that people keep and that search for a child's name."""

from __future__ import annotations

import re
import uuid
from collections.abc import Collection

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from core.models import SavedFilter, Submission
from pipeline.extraction.values.text import plain


def filters_naming(session: Session, submission_ids: Collection[uuid.UUID]) -> list[uuid.UUID]:
    """Return the kept filters whose words, all of them, begin words of one of the children's names."""
    names = session.scalars(
        select(Submission.student_name).where(
            Submission.id.in_(submission_ids), Submission.student_name.is_not(None)
        )
    )
    children = [_words(name or "") for name in names]
    kept = session.execute(select(SavedFilter.id, SavedFilter.name, SavedFilter.filter)).all()
    return [
        row.id
        for row in kept
        if any(_names(row.filter.get("text") or "", child) or _is_in(row.name, child) for child in children)
    ]


def forget_filters(session: Session, submission_ids: Collection[uuid.UUID]) -> None:
    """Delete them in the caller's transaction, before the entries are deleted."""
    session.execute(delete(SavedFilter).where(SavedFilter.id.in_(filters_naming(session, submission_ids))))


def _names(text: str, child: Collection[str]) -> bool:
    words = _words(text)
    return bool(words) and all(any(part.startswith(word) for part in child) for word in words)


def _is_in(name: str, child: Collection[str]) -> bool:
    """Whether the filter is called after the child: by its whole name."""
    return len(child) > 1 and set(child) <= set(_words(name))


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", plain(text).replace("'", ""))
