"""What the settled entries of a season teach about its schools: how they are written, and by how many entries.

Nothing of it is stored: it is counted from the entries that are settled now, so that it holds no more of an entry
that was opened again, rejected or replaced, and no decision can count twice.
"""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from core.models import COMPLETE_STATUSES, Submission, SubmissionField
from pipeline.extraction.values.text import plain
from pipeline.profiles import FieldKind
from pipeline.profiles.declared import fields_of_kind

#: Least number of settled entries that make a spelling known where no person decided it.
ENOUGH = 2


@dataclass(frozen=True)
class TaughtSchool:
    """A school's name as settled entries have it."""

    #: The most frequent of the forms that differ in case, accents and spaces only.
    name: str
    #: Number of settled entries.
    settled: int
    #: Whether a person typed or approved the name; only determined for a name that one entry has.
    by_person: bool

    @property
    def counts(self) -> bool:
        """Whether the name is known from now on."""
        return self.settled >= ENOUGH or self.by_person


def taught_schools(
    session: Session, season_id: uuid.UUID, but_batch: uuid.UUID | None = None
) -> list[TaughtSchool]:
    """Return the school names of the season's settled entries, the most frequent first.

    Entries of the batch `but_batch` are left out.
    """
    settled_ones = _settled(season_id)
    if but_batch is not None:
        settled_ones.append(Submission.batch_id != but_batch)
    forms: dict[str, Counter[str]] = {}
    rows = session.execute(
        select(Submission.school_name, func.count()).where(*settled_ones).group_by(Submission.school_name)
    )
    for name, settled in rows:
        assert name is not None  # `_settled` asks for it
        forms.setdefault(plain(name), Counter())[name] = settled
    single = [name for found in forms.values() if found.total() == 1 for name in found]
    decided = _decided_by_person(session, settled_ones, single)
    taught = [
        TaughtSchool(
            min(found, key=lambda form: (-found[form], form)), found.total(), not decided.isdisjoint(found)
        )
        for found in forms.values()
    ]
    return sorted(taught, key=lambda one: (-one.settled, one.name))


def _settled(season_id: uuid.UUID) -> list[ColumnElement[bool]]:
    return [
        Submission.season_id == season_id,
        Submission.status.in_(COMPLETE_STATUSES),
        Submission.school_name.is_not(None),
    ]


def _decided_by_person(
    session: Session, settled_ones: Sequence[ColumnElement[bool]], names: Collection[str]
) -> set[str]:
    """Return those of the names that a person typed or approved in one of the settled entries."""
    return set(
        session.scalars(
            select(Submission.school_name)
            .join(SubmissionField, SubmissionField.submission_id == Submission.id)
            .where(
                *settled_ones,
                Submission.school_name.in_(names),
                SubmissionField.name.in_(fields_of_kind(FieldKind.SCHOOL)),
                SubmissionField.decided_at.is_not(None),
            )
        )
    )
