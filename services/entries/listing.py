"""The list of entries: its filters, order and counts."""

from __future__ import annotations

import re
import uuid
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import date, datetime
from typing import Any

from psycopg.errors import QueryCanceled
from sqlalchemy import ColumnElement, Label, Select, cast, false, func, or_, select, text
from sqlalchemy import text as text_of_sql
from sqlalchemy.dialects.postgresql import TSQUERY
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import InstrumentedAttribute, Session

from core.messages import LabelledEnum
from core.models import COMPLETE_STATUSES, SchoolCount, Submission, SubmissionStatus, Upload
from core.models.base import columns_of
from core.plain_data import built
from services.accounts.person import Person, visible_to
from services.context import Context
from services.keyset import RowPage, fetch_page
from services.school_names import is_school, schools_meant
from services.seasons import current_season, is_late, shown_season

# The orders of the list of entries. Each has an index, so that any page costs the same.


#: "" without a name: a keyset cannot compare nulls.
_STUDENT: Label[str] = func.coalesce(Submission.student_name, "").label("by_student")
_SCHOOL: Label[str] = func.coalesce(Submission.school_name, "").label("by_school")


class ListOrder(LabelledEnum):
    """What the list is sorted by."""

    NEWEST = "newest", "Newest first"
    OLDEST = "oldest", "Oldest first"
    STUDENT = "student", "Student"
    STUDENT_BACK = "student-z", "Student, Z to A"
    SCHOOL = "school", "School"
    SCHOOL_BACK = "school-z", "School, Z to A"

    @property
    def name_column(self) -> Label[str] | None:
        """The expression that it sorts by; None for the time of receipt."""
        if self in (ListOrder.STUDENT, ListOrder.STUDENT_BACK):
            return _STUDENT
        return _SCHOOL if self in (ListOrder.SCHOOL, ListOrder.SCHOOL_BACK) else None

    @property
    def descending(self) -> bool:
        """Whether the greatest value comes first."""
        return self in (ListOrder.NEWEST, ListOrder.STUDENT_BACK, ListOrder.SCHOOL_BACK)


# The list of entries: filtered, searched and paginated, without counting rows.


PAGE_SIZE = 50
#: Counting stops at this number, and is given up after this time.
MOST_COUNTED = 10_000
#: The number with a search, which takes longer for each entry.
MOST_COUNTED_BY_TEXT = 1_000
_COUNTED_WITHIN = text("set local statement_timeout = '250ms'")
#: Most similar entries that follow the exact matches.
SIMILAR = 20


@dataclass(frozen=True)
class SubmissionRow:
    id: uuid.UUID
    status: str
    needs_review: bool
    reason_codes: list[str]
    confidence: float | None
    student_name: str | None
    school_name: str | None
    grade: str | None
    filename: str
    page_start: int
    page_end: int
    created_at: datetime
    batch_id: uuid.UUID
    missing_fields: list[str]
    profile: str | None
    language: str | None
    received_on: date
    late: bool


def list_submissions(
    context: Context,
    person: Person,
    wanted: SubmissionFilter,
    cursor: str | None = None,
    limit: int = PAGE_SIZE,
    order: ListOrder = ListOrder.NEWEST,
    season_id: uuid.UUID | None = None,
) -> RowPage[SubmissionRow]:
    """Return one page of a season's entries, of the current one unless another is given.

    Raises InvalidInputError for a bad cursor.
    """
    name = order.name_column
    column: InstrumentedAttribute[datetime] | Label[str] = Submission.created_at if name is None else name
    with context.database.session() as session:
        query = _query(session, person, season_id or current_season(session).id, wanted)
        query = query if name is None else query.add_columns(name)
        rows, after, before = fetch_page(session, query, column, Submission.id, cursor, limit, order.descending)
    return RowPage([_row(row) for row in rows], after, before)


@dataclass(frozen=True)
class FilterCount:
    number: int
    #: Whether there are more than that.
    more: bool = False


def count_found(
    context: Context, person: Person, wanted: SubmissionFilter, season_id: uuid.UUID | None = None
) -> FilterCount | None:
    """Count the entries of a filter, up to MOST_COUNTED; None where even that would take long."""
    most = MOST_COUNTED_BY_TEXT if wanted.searches else MOST_COUNTED
    try:
        with context.database.session() as session:
            some = select(Submission.id).where(
                *_of(session, person, season_id or current_season(session).id, wanted)
            )
            session.execute(_COUNTED_WITHIN)
            number = session.scalar(select(func.count()).select_from(some.limit(most + 1).subquery())) or 0
    except OperationalError as error:
        if isinstance(error.orig, QueryCanceled):
            return None
        raise
    return FilterCount(min(number, most), number > most)


def _of(
    session: Session, person: Person, season_id: uuid.UUID, wanted: SubmissionFilter
) -> tuple[ColumnElement[bool], ...]:
    return (
        Submission.season_id == season_id,
        visible_to(person, Submission.owner_user_id),
        *wanted.conditions(session),
    )


def list_similar(
    context: Context,
    person: Person,
    wanted: SubmissionFilter,
    found: RowPage[SubmissionRow],
    order: ListOrder = ListOrder.NEWEST,
    season_id: uuid.UUID | None = None,
) -> RowPage[SubmissionRow]:
    """Return the first of the entries that nearly match the filter's text.

    They follow the exact matches: the page is empty unless `found` is the last page of those.
    """
    if not wanted.searches or wanted.similar or found.next is not None:
        return RowPage([], None, None)
    similar = replace(wanted, similar=True)
    return list_submissions(context, person, similar, limit=SIMILAR, order=order, season_id=season_id)


def _query(
    session: Session, person: Person, season_id: uuid.UUID, wanted: SubmissionFilter
) -> Select[*tuple[Any, ...]]:
    return select(
        *columns_of(Submission, SubmissionRow),
        # A subquery, which is asked for the rows of the page only.
        select(Upload.original_filename)
        .where(Upload.id == Submission.upload_id)
        .scalar_subquery()
        .label("filename"),
        Submission.review_reason_codes,
        is_late().label("late"),
    ).where(*_of(session, person, season_id, wanted))


def _row(row: Any) -> SubmissionRow:
    return built(
        SubmissionRow, row, reason_codes=list(row.review_reason_codes), missing_fields=list(row.missing_fields)
    )


# How far the entries of each school and grade are: received, complete, waiting, and what is missing.


#: Statuses of entries that wait for a person.
WAITING_STATUSES = (SubmissionStatus.SUGGESTED.value, SubmissionStatus.ESCALATED.value)
_UNDER_WAY = (SubmissionStatus.QUEUED.value, SubmissionStatus.PROCESSING.value)


@dataclass(frozen=True)
class SubmissionCounts:
    received: int = 0
    complete: int = 0
    #: Waiting for a person.
    waiting: int = 0
    #: Being read, or about to be.
    under_way: int = 0
    #: Rejected, or not readable.
    out: int = 0
    #: Fields that are missing in entries that wait, with how often.
    missing: dict[str, int] = field(default_factory=dict)

    def plus(self, other: SubmissionCounts) -> SubmissionCounts:
        """Return the sum."""
        return SubmissionCounts(
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
    grades: list[tuple[str, SubmissionCounts]]

    @property
    def total(self) -> SubmissionCounts:
        """All grades together."""
        total = SubmissionCounts()
        for _, counts in self.grades:
            total = total.plus(counts)
        return total


@dataclass(frozen=True)
class BySchool:
    """Schools in the order of their names."""

    schools: list[SchoolCounts]
    #: All schools of the season together.
    total: SubmissionCounts
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
            SchoolCount.season_id == season_id,
            visible_to(person, SchoolCount.owner_user_id),
            # A replaced entry does not count as received again.
            SchoolCount.status != SubmissionStatus.SUPERSEDED.value,
        )
        named = _named(session, season_id, mine, after)
        names = list(dict.fromkeys(named.values()))
        spellings = {spelling: name for spelling, name in named.items() if name in names[:PAGE_SIZE]}
        here = (*mine, SchoolCount.school_name.in_(spellings))
        missing = _missing(session, here)
        keys = (SchoolCount.school_name, SchoolCount.grade)
        rows = session.execute(_counted(*keys).where(*here).group_by(*keys).having(_NUMBER > 0)).all()
        total = session.execute(_counted().where(*mine)).one()
    found: dict[str, dict[str, SubmissionCounts]] = {name: {} for name in names[:PAGE_SIZE]}
    for school, grade, received, complete, waiting, under_way, out in rows:
        of_school = found[spellings[school]]
        counts = SubmissionCounts(received, complete, waiting, under_way, out, missing[school, grade])
        of_school[grade] = of_school.get(grade, SubmissionCounts()).plus(counts)
    schools = [
        SchoolCounts(name, sorted(grades.items(), key=lambda of: grade_order(of[0])))
        for name, grades in found.items()
    ]
    return BySchool(schools, SubmissionCounts(*total), names[PAGE_SIZE - 1] if len(names) > PAGE_SIZE else None)


def _named(
    session: Session, season_id: uuid.UUID, mine: Sequence[ColumnElement[bool]], after: str | None
) -> dict[str, str]:
    """Return {spelling: name} of the schools of one page and, if there are more, of the first of the next."""
    spelled = select(SchoolCount.school_name.label("spelling")).where(*mine).group_by(SchoolCount.school_name)
    written = spelled.having(_NUMBER > 0).subquery("written")
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


#: The number of entries of some rows of counts.
_NUMBER = func.coalesce(func.sum(SchoolCount.number), 0)


def _counted(*keys: Any) -> Any:
    def number(having: ColumnElement[bool]) -> ColumnElement[int]:
        return func.coalesce(func.sum(SchoolCount.number).filter(having), 0)

    statuses = (COMPLETE_STATUSES, WAITING_STATUSES, _UNDER_WAY)
    known = [SchoolCount.status.in_(some) for some in statuses]
    return select(*keys, _NUMBER, *map(number, known), number(~or_(*known))).select_from(SchoolCount)


def _missing(session: Session, here: Sequence[ColumnElement[bool]]) -> dict[tuple[str, str], dict[str, int]]:
    name = func.unnest(SchoolCount.missing_fields).label("name")
    listed = select(SchoolCount.school_name, SchoolCount.grade, SchoolCount.number, name).where(*here).subquery()
    keys, number = (listed.c.school_name, listed.c.grade, listed.c.name), func.sum(listed.c.number)
    rows: Sequence[Any] = session.execute(
        select(*keys, number).group_by(*keys).having(number > 0).order_by(number.desc(), listed.c.name)
    ).all()
    found: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    for school, grade, missing, number in rows:
        found[school, grade][missing] = number
    return found


# Which entries: the filters of the list, of exports and of everything that is done to a selection.


_WORD = re.compile(r"[^\W_]")
#: The beginning of an entry's id, which pages show, or all of it.
_CODE = re.compile(r"[0-9a-f]{8}[0-9a-f-]*", re.IGNORECASE)
_CODE_LENGTH = 32
_QUERY = text_of_sql(
    "select public.search_query(:looked_for)::text from set_config('plan_cache_mode', 'force_custom_plan', true)"
)
#: Near matches are mostly rare, but the planner has no statistics of such words: it would read the whole list.
#: Where the words themselves are common, that says nothing of those near them.
_NEAR_QUERY = text_of_sql(
    "select q::text from public.search_query(:looked_for, true) q, set_config('enable_indexscan',"
    " case when public.search_is_common(q) and not public.search_is_common(public.search_query(:looked_for))"
    " then 'on' else 'off' end, true)"
)


@dataclass(frozen=True)
class SubmissionFilter:
    """Filters of the list; None does not filter."""

    status: str | None = None
    reason: str | None = None
    school: str | None = None
    grade: str | None = None
    batch_id: uuid.UUID | None = None
    needs_review: bool | None = None
    #: Key of the form that it was read with.
    form: str | None = None
    #: Received after the season's deadline.
    late: bool | None = None
    #: Words of the student's, the school's or the file's name, or their beginnings, without accents; the end of a
    #: phone number, an e-mail address, or the entry's short code.
    text: str | None = None
    #: Instead of exact matches, entries that have the text with a letter wrong or missing in a word.
    similar: bool | None = None

    def conditions(self, session: Session) -> list[ColumnElement[bool]]:
        """Return the conditions on `Submission`, for statements of the session's transaction."""
        found: list[ColumnElement[bool]] = []
        if self.status:
            found.append(Submission.status == self.status)
        if self.reason:
            found.append(Submission.review_reason_codes.contains([self.reason]))
        if self.school:
            found.append(is_school(self.school))
        if self.grade:
            found.append(Submission.grade == self.grade)
        if self.batch_id:
            found.append(Submission.batch_id == self.batch_id)
        if self.needs_review is not None:
            found.append(Submission.needs_review.is_(self.needs_review))
        if self.form:
            found.append(Submission.profile == self.form)
        if self.late is not None:
            found.append(is_late() if self.late else ~is_late())
        if self.text and self.searches:
            has_text = or_(_matches(session, self.text), *_of_code(self.text))
            found += [_matches(session, self.text, near=True), ~has_text] if self.similar else [has_text]
        return found

    @property
    def searches(self) -> bool:
        """Whether there is anything in the text that could be found."""
        return bool(_WORD.search(self.text or ""))

    def to_json(self) -> dict[str, Any]:
        """Return the filters that are set, as JSON."""
        given = {name: value for name, value in asdict(self).items() if value is not None}
        return {name: str(value) if isinstance(value, uuid.UUID) else value for name, value in given.items()}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> SubmissionFilter:
        """Return the filter that `to_json` gave; keys that this version does not know are ignored."""
        known = {one.name for one in fields(cls)}
        batch_id = stored.get("batch_id")
        given = {name: value for name, value in stored.items() if name in known}
        return cls(**{**given, "batch_id": uuid.UUID(batch_id) if batch_id else None})


def _matches(session: Session, text: str, near: bool = False) -> ColumnElement[bool]:
    """Return the condition that an entry has the words, or words that are near them.

    The words are resolved first: the best plan depends on how common they are, which the planner knows only of
    literal words. For the same reason no generic plan is kept.
    """
    query = session.scalars(_NEAR_QUERY if near else _QUERY, {"looked_for": text}).one()
    found: ColumnElement[bool] = Submission.search.bool_op("@@")(cast(query, TSQUERY))
    return found if query else false()


def _of_code(text: str) -> list[ColumnElement[bool]]:
    """Return the condition that the entry's id begins with the text, if the text can be a short code."""
    code = text.strip().replace("-", "").lower()
    if not _CODE.fullmatch(text.strip()) or len(code) > _CODE_LENGTH:
        return []
    first, last = (uuid.UUID(code.ljust(_CODE_LENGTH, end)) for end in "0f")
    return [Submission.id.between(first, last)]


def grade_order(grade: str) -> tuple[int, str]:
    """Return what grades are sorted by: kindergarten, then by number, then other text, then none ("")."""
    if not grade:
        return 1001, ""
    if grade.upper() == "K":
        return 0, grade
    return (min(int(grade), 999) if grade.isdecimal() else 1000), grade
