"""The one queue of what waits for a person: entries with a proposal or an escalation, oldest first.

Proposals and escalations are rows of two tables. The queue reads at most one page of each, by its own index, and
orders them together by (created_at, id).
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Any, Literal, NamedTuple, get_args

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    DateTime,
    Select,
    Uuid,
    and_,
    bindparam,
    func,
    literal,
    select,
    tuple_,
    union_all,
)
from sqlalchemy.orm import Session

from core.messages import Message
from core.models import AsideKind, Profile, ReportRevision, Season, SetAside, Submission, Upload
from core.plain_data import built
from services.accounts.person import name_of
from services.context import Context
from services.items.holds import HOLDS, ItemKind, hold_if_free
from services.keyset import Cursor, RowPage, cut_page
from services.review.asides import AsideView, aside_in, is_aside, standing_asides, with_aside
from services.review.queues import (
    Query,
    QueueFilter,
    SuggestedValue,
    of_escalations,
    of_suggestions,
    proposed_values,
)

PAGE_SIZE = 25
#: Counts stop here: what matters is whether much is left.
MOST_COUNTED = 999
#: Times that others may be faster before a person is led to an item that one of them holds.
_RACES = 5

#: The part of the queue that is shown: what waits now, or what was set aside.
Place = Literal["waiting", "asked", "parked"]

#: The table of each kind.
ROWS: dict[ItemKind, Any] = {kind: HOLDS[kind].row for kind in get_args(ItemKind)}


@dataclass(frozen=True)
class WaitingFilter(QueueFilter):
    #: Only proposals, or only escalations.
    kind: ItemKind | None = None
    #: None: wherever it is.
    place: Place | None = "waiting"


class WaitingItem(NamedTuple):
    """An item of the queue and its entry."""

    kind: ItemKind
    id: uuid.UUID
    submission_id: uuid.UUID


@dataclass(frozen=True)
class WaitingRow:
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
    confidence: float | None
    filename: str
    #: Id and name of the holder and end of the hold; None if it is free.
    held_by_id: uuid.UUID | None
    held_by: str | None
    held_until: datetime | None
    #: The fields of its proposal; empty for an escalation.
    fields: Sequence[SuggestedValue]
    #: How it was set aside, even if that is over.
    aside: AsideView | None

    @property
    def changes(self) -> list[SuggestedValue]:
        """The fields that would be changed or must be filled in."""
        return [field for field in self.fields if field.proposed is None or field.proposed != field.current]

    @property
    def confirmations(self) -> list[SuggestedValue]:
        """The fields whose value only has to be confirmed."""
        return [field for field in self.fields if field.proposed is not None and field.proposed == field.current]


@dataclass(frozen=True)
class WaitingCounts:
    """How many items wait in each part of the queue; `MOST_COUNTED` means that many or more."""

    waiting: int
    asked: int
    parked: int
    reports: int


def list_waiting(
    context: Context, wanted: WaitingFilter, cursor: str | None = None, limit: int = PAGE_SIZE
) -> RowPage[WaitingRow]:
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
            Submission.confidence,
            Upload.original_filename,
            Profile.id.label("held_by_id"),
            name_of(Profile).label("held_by"),
        )
        .join(Submission, Submission.id == both.c.submission_id)
        .join(Upload, Upload.id == Submission.upload_id)
        .outerjoin(Profile, and_(Profile.id == both.c.holder_id, both.c.held_until > func.now()))
    )
    with context.database.reading() as session:
        query = with_aside(_ordered(query, both, backwards).limit(limit + 1), both.c.submission_id)
        found, after, before = cut_page(session.execute(query).all(), "created_at", place, limit)
        return RowPage(_rows(session, found), after, before)


def next_waiting(
    context: Context, wanted: WaitingFilter, after: uuid.UUID | None, person_id: uuid.UUID | None
) -> WaitingItem | None:
    """Return the item after `after` that no other person holds, starting again from the first; None without one.

    `after` is the id of a proposal or an escalation, which may be decided already.
    """
    with context.database.reading() as session:
        return _next(session, wanted, person_id, _place_of(session, after), after)


def hand_out_next(
    context: Context, wanted: WaitingFilter, after: uuid.UUID | None, person_id: uuid.UUID
) -> WaitingItem | None:
    """Return the next item as `next_waiting` does, held by this person, so that nobody else is led to it.

    Where others are faster several times over, the item is held by one of them.
    """
    found = None
    with context.database.session() as session:
        place = _place_of(session, after)
        for _ in range(_RACES):
            found = _next(session, wanted, person_id, place, after)
            if found is None or hold_if_free(context, session, person_id, found.kind, found.id):
                break
    return found


def waiting_beside(
    context: Context, wanted: WaitingFilter, item_id: uuid.UUID, person_id: uuid.UUID | None
) -> tuple[WaitingItem | None, WaitingItem | None]:
    """Return the next item, as `next_waiting` does, and the last one before `item_id` that nobody else holds."""
    with context.database.reading() as session:
        created_at, known_id = _place_of(session, item_id) or (None, None)
        given = {"person_id": person_id, "but": item_id, "created_at": created_at, "item_id": known_id}
        found = {row.way: _item(row) for row in session.execute(_beside_query(wanted), given)}
    return found.get("after") or found.get("first"), found.get("before")


def waiting_item(context: Context, submission_id: uuid.UUID) -> WaitingItem | None:
    """Return the pending item of this entry, set aside or not; None without one."""
    with context.database.session() as session:
        for kind, row in ROWS.items():
            found = session.scalar(
                select(row.id).where(row.submission_id == submission_id, row.status == "pending").limit(1)
            )
            if found is not None:
                return WaitingItem(kind, found, submission_id)
    return None


def count_waiting(context: Context) -> WaitingCounts:
    """Count the parts of the current season's queue, and the pending revisions of reports."""
    waiting = union_all(*_branches(WaitingFilter(), MOST_COUNTED))
    # Counts entries set aside, not their items: finding these would read the complete queue.
    asides = [standing_asides(kind).where(SetAside.season_id == _SEASON) for kind in AsideKind]
    revisions = select(ReportRevision.id).where(
        ReportRevision.season_id == _SEASON, ReportRevision.status == _PENDING
    )
    with context.database.reading() as session:
        counted = select(*map(_counted, (waiting, *asides, revisions)))
        numbers: Sequence[int] = session.execute(counted).one()
    return WaitingCounts(*numbers)


#: The current season, as a subquery.
_SEASON: Any = select(Season.id).where(Season.is_current).scalar_subquery()
#: A literal, so that the partial indexes are used.
_PENDING = literal("pending", literal_execute=True)


def _next(
    session: Session,
    wanted: WaitingFilter,
    person_id: uuid.UUID | None,
    there: tuple[Any, Any] | None,
    after: uuid.UUID | None,
) -> WaitingItem | None:
    found = None if there is None else _first(session, wanted, person_id, there)
    return found or _first(session, wanted, person_id, but=after)


def _first(
    session: Session,
    wanted: WaitingFilter,
    person_id: uuid.UUID | None,
    there: tuple[Any, Any] | None = None,
    backwards: bool = False,
    but: uuid.UUID | None = None,
) -> WaitingItem | None:
    """Return the first item after `there`, or before it, that this person may open and that is not `but`."""
    created_at, item_id = there or (None, None)
    given = {"person_id": person_id, "but": but, "created_at": created_at, "item_id": item_id}
    found = session.execute(_first_query(wanted, there is not None, backwards), given).first()
    return None if found is None else _item(found)


def _item(row: Any) -> WaitingItem:
    return WaitingItem(row.kind, row.id, row.submission_id)


@lru_cache(maxsize=128)
def _first_query(wanted: WaitingFilter, is_placed: bool, backwards: bool) -> Query:
    """Return the query of `_first`, which takes longer to build than to carry out."""
    item_id, person_id, but = (bindparam(name, type_=Uuid()) for name in ("item_id", "person_id", "but"))
    there = (bindparam("created_at", type_=DateTime(timezone=True)), item_id) if is_placed else None
    both = _both(wanted, 1, there, backwards, person_id, but)
    return _ordered(select(both), both, backwards).limit(1)


@lru_cache(maxsize=128)
def _beside_query(wanted: WaitingFilter) -> Any:
    """Return the query of `waiting_beside`: the items around a place and the first one, each by its `way`."""
    ways = {"before": (True, True), "after": (True, False), "first": (False, False)}
    found = {way: _first_query(wanted, *which).subquery() for way, which in ways.items()}
    return union_all(*(select(literal(way).label("way"), one) for way, one in found.items()))


def _both(
    wanted: WaitingFilter,
    limit: int,
    there: tuple[Any, Any] | None = None,
    backwards: bool = False,
    free_for: BindParameter[uuid.UUID] | None = None,
    but: BindParameter[uuid.UUID] | None = None,
) -> Any:
    """Return the subquery of the first items of each kind after `there`; with `backwards`, before it.

    `free_for`: only items that this person, or with a null anybody, may open; `but`: without this one.
    """
    return union_all(*_branches(wanted, limit, there, backwards, free_for, but)).subquery()


def _branches(
    wanted: WaitingFilter,
    limit: int,
    there: tuple[Any, Any] | None = None,
    backwards: bool = False,
    free_for: BindParameter[uuid.UUID] | None = None,
    but: BindParameter[uuid.UUID] | None = None,
) -> list[Select[Any]]:
    branches: list[Select[Any]] = []
    for kind in get_args(ItemKind) if wanted.kind is None else (wanted.kind,):
        row = ROWS[kind]
        query = _branch(kind, wanted)
        if there is not None:
            here = tuple_(row.created_at, row.id)
            query = query.where(here < tuple_(*there) if backwards else here > tuple_(*there))
        if free_for is not None:
            query = query.where(HOLDS[kind].free_for(free_for))
        if but is not None:
            query = query.where(row.id.is_distinct_from(but))
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
    if wanted.place is not None and filters.status in (None, "pending"):
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
        built(
            WaitingRow,
            row,
            reason_codes=list(row.review_reason_codes),
            missing_fields=list(row.missing_fields),
            filename=row.original_filename,
            held_until=row.held_until if row.held_by_id else None,
            fields=values.get(row.id, []),
            aside=aside_in(row),
        )
        for row in found
    ]
