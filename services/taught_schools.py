"""What the settled entries of a season teach about its schools: how they are written, and by how many entries.

Nothing of it is stored: it is counted from the entries that are settled now, so that it holds no more of an entry
that was opened again, rejected or replaced, and no decision can count twice.
"""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from core.models import Submission, SubmissionField, SubmissionStatus
from pipeline.extraction.values.text import plain
from pipeline.pages.page_model import Source
from pipeline.profiles import FieldKind
from pipeline.profiles.declared import fields_of_kind

#: Least number of settled entries that make a spelling known where no person decided it.
ENOUGH = 2
SETTLED = (SubmissionStatus.COMPLETED.value, SubmissionStatus.RESOLVED.value)


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


def taught_schools(session: Session, season_id: uuid.UUID) -> list[TaughtSchool]:
    """Return the school names of the season's settled entries, the most frequent first."""
    forms: dict[str, Counter[str]] = {}
    one_of: dict[str, uuid.UUID] = {}
    rows = session.execute(
        select(Submission.school_name, func.count(), func.array_agg(Submission.id)[1])
        .where(
            Submission.season_id == season_id,
            Submission.status.in_(SETTLED),
            Submission.school_name.is_not(None),
        )
        .group_by(Submission.school_name)
    )
    for name, settled, submission_id in rows:
        forms.setdefault(plain(name), Counter())[name] = settled
        one_of[plain(name)] = submission_id
    single = {key: one_of[key] for key, found in forms.items() if found.total() == 1}
    decided = _decided_by_person(session, single.values())
    taught = [
        TaughtSchool(min(found, key=lambda form: (-found[form], form)), found.total(), single.get(key) in decided)
        for key, found in forms.items()
    ]
    return sorted(taught, key=lambda one: (-one.settled, one.name))


def _decided_by_person(session: Session, submission_ids: Collection[uuid.UUID]) -> set[uuid.UUID]:
    """Return those of the entries whose school a person typed or approved."""
    return set(
        session.scalars(
            select(SubmissionField.submission_id).where(
                SubmissionField.submission_id.in_(submission_ids),
                SubmissionField.name.in_(fields_of_kind(FieldKind.SCHOOL)),
                SubmissionField.source == Source.PERSON.value,
            )
        )
    )
