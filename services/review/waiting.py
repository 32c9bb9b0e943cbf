"""The one queue of what waits for a person: entries with a proposal or an escalation, oldest first.

Proposals and escalations are rows of two tables. The queue reads at most one page of each, by its own index, and
orders them together by (created_at, id).
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal, NamedTuple, get_args

from sqlalchemy import ColumnElement, Select, and_, func, literal, select, tuple_, union_all
from sqlalchemy.orm import Session

from core.messages import Message
from core.models import Profile, ReportRevision, Season, SetAside, Submission, Upload
from services.accounts.person_name import name_of
from services.context import Context
from services.keyset import Cursor, Page, cut_page
from services.review.aside import AsideKind, AsideView, aside_in, is_aside, standing_asides, with_aside
from services.review.hold import HOLDS
from services.review.list_suggestions import ProposedValue, proposed_values
from services.review.queue_filter import Query, QueueFilter, of_escalations, of_suggestions

PAGE_SIZE = 25
#: Counts stop here: what matters is whether there is much left.
MOST_COUNTED = 999

ItemKind = Literal["suggestion", "escalation"]
#: The part of the queue that is shown: what waits now, or what was set aside.
Place = Literal["waiting", "asked", "parked"]

#: The table of each kind.
ROWS: dict[ItemKind, Any] = {kind: HOLDS[kind].row for kind in get_args(ItemKind)}


@dataclass(frozen=True)
class WaitingFilter(QueueFilter):
    """Filters of the queue."""

    #: Only proposals, or only escalations.
    kind: ItemKind | None = None
    place: Place = "waiting"


class WaitingItem(NamedTuple):
    """An item of the queue and its entry."""

    kind: ItemKind
    id: uuid.UUID
    submission_id: uuid.UUID


@dataclass(frozen=True)
class WaitingRow:
    """One line of the queue."""

    kind: ItemKind
    id: uuid.UUID
    submission_id: uuid.UUID
    created_at: datetime
    reason: Message | None
    reason_codes: list[str]
    missing_fields: list[str]
    student_name: str | None
    school_name: str | None
    grade: str | None
    filename: str
    #: Id and name of the holder; None if it is free.
    held_by_id: uuid.UUID | None
    held_by: str | None
    #: The fields of its proposal; none of an escalation.
    fields: Sequence[ProposedValue]
    #: How it was set aside, also where that is over.
    aside: AsideView | None

    @property
    def changes(self) -> list[ProposedValue]:
        """The fields that would be changed or must be filled in."""
        return [field for field in self.fields if field.proposed is None or field.proposed != field.current]

    @property
    def confirmations(self) -> list[ProposedValue]:
        """The fields whose value only has to be confirmed."""
        return [field for field in self.fields if field.proposed is not None and field.proposed == field.current]


@dataclass(frozen=True)
class WaitingCounts:
    """How many items wait in each part of the queue; `MOST_COUNTED` stands for that many or more."""

    waiting: int
    asked: int
    parked: int
    reports: int


def list_waiting(
    context: Context, wanted: WaitingFilter, cursor: str | None = None, limit: int = PAGE_SIZE
) -> Page[WaitingRow]:
    """Return one page of the current season's queue. Raises InvalidInputError for an invalid cursor."""
    place = Cursor.decode(cursor) if cursor else None
    backwards = place is not None and place.backwards
    there = None if place is None else (place.sorted_by, place.id)
    both = _both(wanted, limit + 1, there, backwards)
    query = (
        select(
            both,
            Submission.review_reason_codes,
            Submission.missing_fields,
            Submission.student_name,
            Submission.school_name,
            Submission.grade,
            Upload.original_filename,
            Profile.id.label("held_by_id"),
            name_of(Profile).label("held_by"),
        )
        .join(Submission, Submission.id == both.c.submission_id)
        .join(Upload, Upload.id == Submission.upload_id)
        .outerjoin(Profile, and_(Profile.id == both.c.holder_id, both.c.held_until > func.now()))
    )
    with context.database.session() as session:
        query = with_aside(_ordered(query, both, backwards).limit(limit + 1), both.c.submission_id)
        found, after, before = cut_page(session.execute(query).all(), "created_at", place, limit)
        return Page(_rows(session, found), after, before)


def next_waiting(
    context: Context, wanted: WaitingFilter, after: uuid.UUID | None, person_id: uuid.UUID | None
) -> WaitingItem | None:
    """Return the item after `after` that no other person holds, starting again from the first; None without one.

    `after` is the id of a proposal or an escalation, which may be decided already.
    """
    with context.database.session() as session:
        there = _place_of(session, after)
        found = _first(session, wanted, person_id, there, but=after)
        if found is None and there is not None:
            found = _first(session, wanted, person_id, but=after)
    return found


def previous_waiting(
    context: Context, wanted: WaitingFilter, before: uuid.UUID, person_id: uuid.UUID | None
) -> WaitingItem | None:
    """Return the last item before `before` that no other person holds; None without one."""
    with context.database.session() as session:
        there = _place_of(session, before)
        return None if there is None else _first(session, wanted, person_id, there, backwards=True)


def waiting_item(context: Context, submission_id: uuid.UUID) -> WaitingItem | None:
    """Return what waits for a person of this entry, set aside or not; None if nothing does."""
    with context.database.session() as session:
        for kind, row in ROWS.items():
            found = session.scalar(
                select(row.id).where(row.submission_id == submission_id, row.status == "pending").limit(1)
            )
            if found is not None:
                return WaitingItem(kind, found, submission_id)
    return None


def count_waiting(context: Context) -> WaitingCounts:
    """Count the parts of the current season's queue, and the revisions of reports that wait."""
    waiting = union_all(*_branches(WaitingFilter(), MOST_COUNTED))
    # Of the entries set aside, not of the items of such entries: to find those, all that waits would be read.
    asides = [standing_asides(kind).where(SetAside.season_id == _SEASON) for kind in AsideKind]
    revisions = select(ReportRevision.id).where(
        ReportRevision.season_id == _SEASON, ReportRevision.status == _PENDING
    )
    with context.database.session() as session:
        counted = select(*map(_counted, (waiting, *asides, revisions)))
        numbers: Sequence[int] = session.execute(counted).one()
    return WaitingCounts(*numbers)


#: The current season, without a statement of its own.
_SEASON: Any = select(Season.id).where(Season.is_current).scalar_subquery()
#: A literal, so that the partial indexes are used.
_PENDING = literal("pending", literal_execute=True)


def _first(
    session: Session,
    wanted: WaitingFilter,
    person_id: uuid.UUID | None,
    there: tuple[Any, Any] | None = None,
    backwards: bool = False,
    but: uuid.UUID | None = None,
) -> WaitingItem | None:
    """Return the first item after `there`, or before it, that this person may open and that is not `but`."""
    both = _both(wanted, 1, there, backwards, (person_id,), but)
    found = session.execute(_ordered(select(both), both, backwards).limit(1)).first()
    return None if found is None else WaitingItem(found.kind, found.id, found.submission_id)


def _both(
    wanted: WaitingFilter,
    limit: int,
    there: tuple[Any, Any] | None = None,
    backwards: bool = False,
    free_for: tuple[uuid.UUID | None] | None = None,
    but: uuid.UUID | None = None,
) -> Any:
    """Return the subquery of the first items of each kind after `there`; with `backwards`, before it.

    `free_for`: only what this person may open, or anybody for (None,); `but`: not this one.
    """
    return union_all(*_branches(wanted, limit, there, backwards, free_for, but)).subquery()


def _branches(
    wanted: WaitingFilter,
    limit: int,
    there: tuple[Any, Any] | None = None,
    backwards: bool = False,
    free_for: tuple[uuid.UUID | None] | None = None,
    but: uuid.UUID | None = None,
) -> list[Select[Any]]:
    branches: list[Select[Any]] = []
    for kind in get_args(ItemKind) if wanted.kind is None else (wanted.kind,):
        row = ROWS[kind]
        query = _branch(kind, wanted)
        if there is not None:
            here = tuple_(row.created_at, row.id)
            query = query.where(here < tuple_(*there) if backwards else here > tuple_(*there))
        if free_for is not None:
            query = query.where(HOLDS[kind].free_for(*free_for))
        if but is not None:
            query = query.where(row.id != but)
        branches.append(select(_ordered(query, row, backwards).limit(limit).subquery()))
    return branches


def _ordered(query: Query, of: Any, backwards: bool) -> Query:
    """Order a query by the moment and the id of `of`, a table or a subquery."""
    columns = of.c if hasattr(of, "c") else of
    return query.order_by(*(one.desc() if backwards else one.asc() for one in (columns.created_at, columns.id)))


def _branch(kind: ItemKind, wanted: WaitingFilter) -> Query:
    """Return the query of the items of one kind."""
    row = ROWS[kind]
    query: Query = select(
        literal(kind).label("kind"),
        row.id,
        row.submission_id,
        row.created_at,
        row.reason,
        HOLDS[kind].owner.label("holder_id"),
        HOLDS[kind].until.label("held_until"),
    )
    filters = replace(wanted, status=None) if wanted.kind is None else wanted
    if filters.status in (None, "pending"):
        query = query.where(_in_place(row.submission_id, wanted.place))
    if kind == "suggestion":
        return of_suggestions(query, filters, _SEASON, joined=False)
    return of_escalations(query, filters, _SEASON, joined=False)


def _in_place(submission_id: Any, place: Place) -> ColumnElement[bool]:
    if place == "waiting":
        return ~is_aside(submission_id)
    return is_aside(submission_id, AsideKind.ASKED if place == "asked" else AsideKind.PARKED)


def _counted(query: Any) -> Any:
    return select(func.count()).select_from(query.limit(MOST_COUNTED).subquery()).scalar_subquery()


def _place_of(session: Session, item_id: uuid.UUID | None) -> tuple[Any, Any] | None:
    """Return the place in the order of an item in any status; None for an unknown id."""
    if item_id is None:
        return None
    queries: list[Any] = [select(row.created_at, row.id).where(row.id == item_id) for row in ROWS.values()]
    found = session.execute(union_all(*queries)).first()
    return None if found is None else (found.created_at, found.id)


def _rows(session: Session, found: Sequence[Any]) -> list[WaitingRow]:
    """Return the lines of these rows, in their order."""
    proposals = [row.id for row in found if row.kind == "suggestion"]
    values = proposed_values(session, proposals) if proposals else {}
    return [
        WaitingRow(
            kind=row.kind,
            id=row.id,
            submission_id=row.submission_id,
            created_at=row.created_at,
            reason=row.reason,
            reason_codes=list(row.review_reason_codes),
            missing_fields=list(row.missing_fields),
            student_name=row.student_name,
            school_name=row.school_name,
            grade=row.grade,
            filename=row.original_filename,
            held_by_id=row.held_by_id,
            held_by=row.held_by,
            fields=values.get(row.id, []),
            aside=aside_in(row),
        )
        for row in found
    ]
