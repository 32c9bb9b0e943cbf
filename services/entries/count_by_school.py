"""How far the entries of each school and grade are: received, complete, waiting, and what is missing."""

from __future__ import annotations

import uuid
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from core.models import COMPLETE_STATUSES, Submission, SubmissionStatus
from services.accounts.person import Person
from services.context import Context
from services.entries.grade_order import grade_order
from services.schools.same_school import schools_meant
from services.seasons import shown_season
from services.visibility import visible_to

#: Schools a page.
PAGE_SIZE = 50
#: Of an entry that waits for a person.
WAITING_STATUSES = (SubmissionStatus.SUGGESTED.value, SubmissionStatus.ESCALATED.value)
_UNDER_WAY = (SubmissionStatus.QUEUED.value, SubmissionStatus.PROCESSING.value)
#: What was replaced was not received twice.
_RECEIVED = Submission.status != SubmissionStatus.SUPERSEDED.value
#: "" where no school is known.
_SCHOOL = func.coalesce(Submission.school_name, "")
_GRADE = func.coalesce(Submission.grade, "")


@dataclass(frozen=True)
class Counts:
    """Numbers of entries."""

    received: int = 0
    complete: int = 0
    #: For a person.
    waiting: int = 0
    #: Being read, or about to be.
    under_way: int = 0
    #: Rejected, or not readable.
    out: int = 0
    #: Fields that are missing in entries that wait, with how often.
    missing: dict[str, int] = field(default_factory=dict)

    def plus(self, other: Counts) -> Counts:
        """Return the sum."""
        return Counts(
            self.received + other.received,
            self.complete + other.complete,
            self.waiting + other.waiting,
            self.under_way + other.under_way,
            self.out + other.out,
            dict(Counter(self.missing) + Counter(other.missing)),
        )


@dataclass(frozen=True)
class SchoolCounts:
    """One school: its grades in order, kindergarten first, with "" for entries without one."""

    #: "" for entries without a school.
    name: str
    grades: list[tuple[str, Counts]]

    @property
    def total(self) -> Counts:
        """All grades together."""
        total = Counts()
        for _, counts in self.grades:
            total = total.plus(counts)
        return total


@dataclass(frozen=True)
class BySchool:
    """Schools in the order of their names."""

    schools: list[SchoolCounts]
    #: All schools of the season together.
    total: Counts
    #: The last school of this page, if there are more.
    after: str | None


def count_by_school(
    context: Context, person: Person, after: str | None = None, season_id: uuid.UUID | None = None
) -> BySchool:
    """Return the schools that follow `after`, PAGE_SIZE at most, of the current season unless another is given.

    Raises NotFoundError for a season that does not exist.
    """
    with context.database.session() as session:
        season_id = shown_season(session, season_id).id
        mine = (
            Submission.season_id == season_id,
            visible_to(person, Submission.owner_user_id),
            _RECEIVED,
        )
        named = _named(session, season_id, mine, after)
        names = list(dict.fromkeys(named.values()))
        spellings = {spelling: name for spelling, name in named.items() if name in names[:PAGE_SIZE]}
        here = (*mine, _SCHOOL.in_(spellings))
        missing = _missing(session, here)
        rows = session.execute(_counted(_SCHOOL, _GRADE).where(*here).group_by(_SCHOOL, _GRADE)).all()
        total = session.execute(_counted().where(*mine)).one()
    found: dict[str, dict[str, Counts]] = {name: {} for name in names[:PAGE_SIZE]}
    for school, grade, received, complete, waiting, under_way, out in rows:
        of_school = found[spellings[school]]
        counts = Counts(received, complete, waiting, under_way, out, missing[school, grade])
        of_school[grade] = of_school.get(grade, Counts()).plus(counts)
    schools = [
        SchoolCounts(name, sorted(grades.items(), key=lambda of: grade_order(of[0])))
        for name, grades in found.items()
    ]
    return BySchool(schools, Counts(*total), names[PAGE_SIZE - 1] if len(names) > PAGE_SIZE else None)


def _named(
    session: Session, season_id: uuid.UUID, mine: Sequence[ColumnElement[bool]], after: str | None
) -> dict[str, str]:
    """Return {spelling: name} of the schools of one page and, if there are more, of the first of the next."""
    written = select(_SCHOOL.label("spelling")).where(*mine).group_by(_SCHOOL).subquery("written")
    meant = schools_meant()
    name = func.coalesce(meant.c.name, written.c.spelling)
    on = (meant.c.season_id == season_id) & (meant.c.spelling == written.c.spelling)
    query = select(written.c.spelling, name.label("name"), func.dense_rank().over(order_by=name).label("place"))
    found = query.select_from(written).outerjoin(meant, on)
    ranked = (found if after is None else found.where(name > after)).subquery("ranked")
    rows = session.execute(
        select(ranked.c.spelling, ranked.c.name)
        .where(ranked.c.place <= PAGE_SIZE + 1)
        .order_by(ranked.c.name, ranked.c.spelling)
    )
    return {row.spelling: row.name for row in rows}


def _counted(*keys: ColumnElement[Any]) -> Any:
    def number(statuses: Sequence[str]) -> ColumnElement[int]:
        return func.count().filter(Submission.status.in_(statuses))

    known = (*COMPLETE_STATUSES, *WAITING_STATUSES, *_UNDER_WAY)
    out = func.count().filter(Submission.status.not_in(known))
    return select(
        *keys, func.count(), number(COMPLETE_STATUSES), number(WAITING_STATUSES), number(_UNDER_WAY), out
    ).select_from(Submission)


def _missing(session: Session, here: Sequence[ColumnElement[bool]]) -> dict[tuple[str, str], dict[str, int]]:
    name = func.unnest(Submission.missing_fields)
    rows: Sequence[Any] = session.execute(
        select(_SCHOOL, _GRADE, name, func.count())
        .where(*here, Submission.status.in_(WAITING_STATUSES))
        .group_by(_SCHOOL, _GRADE, name)
        .order_by(func.count().desc(), name)
    ).all()
    found: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    for school, grade, missing, number in rows:
        found[school, grade][missing] = number
    return found
