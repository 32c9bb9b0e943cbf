"""What carries a child's name beside the entries: filters that people keep, names of files."""

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


def is_called_after(filename: str, children: Collection[str]) -> bool:
    """Whether a file is called after one of the children: by the first and the last word of the name."""
    # "ZebulonQuarrington_2.pdf" has the words of "Zebulon A. Quarrington".
    parted = re.sub(r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])|(?<=[a-z])(?=[A-Z])|_", " ", filename)
    words = set(_words(parted))
    named = [child for child in map(_words, children) if len(child) > 1]
    return any({child[0], child[-1]} <= words for child in named)


def is_named_in(text: str, children: Collection[str]) -> bool:
    """Whether a text says the whole name of one of the children, its words one after the other."""
    words = f" {' '.join(_words(text))} "
    named = [child for child in map(_words, children) if len(child) > 1]
    return any(f" {' '.join(child)} " in words for child in named)


def _names(text: str, child: Collection[str]) -> bool:
    words = _words(text)
    return bool(words) and all(any(part.startswith(word) for part in child) for word in words)


def _is_in(name: str, child: Collection[str]) -> bool:
    """Whether the filter is called after the child: by its whole name."""
    return len(child) > 1 and set(child) <= set(_words(name))


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", plain(text).replace("'", ""))
