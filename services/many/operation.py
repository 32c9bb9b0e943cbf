"""One operation over many entries: its entries are fixed when it is asked for, and each has a line of its own.

A kind of it declares its rows as `Many`: what was asked for, and what becomes of each entry. This module writes,
queues, works on and shows them. What is previewed, applied and undone is the kind's own.
"""

from __future__ import annotations

import uuid
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Generic, TypeVar

from sqlalchemy import ColumnElement, Label, func, literal, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import InstrumentedAttribute, Session, aliased

from core.errors import InvalidInputError, NotFoundError
from core.lease import Lease
from core.messages import LabelledEnum, Message, keys_of
from core.models import BulkEffect, Profile, Submission
from core.plain_data import built
from core.work import Work
from services.accounts.person import Person, name_of, visible_to
from services.context import Context
from services.entries.listing import SubmissionFilter
from services.keyset import Page, fetch_page
from services.messages.office import ListRefused
from services.recovery.work import enqueue, keeping, take
from services.seasons import current_season

PAGE_SIZE = 50
_STUDENT: Label[str] = func.coalesce(Submission.student_name, "").label("by_student")


@dataclass(frozen=True)
class AskedView:
    """What was asked for over many entries; a kind adds its own fields."""

    id: uuid.UUID
    #: None where the entries were chosen one by one.
    wanted: SubmissionFilter | None
    requested_by_id: uuid.UUID
    requested_by: str
    created_at: datetime
    #: Numbers of entries by status.
    numbers: Mapping[str, int]
    #: Numbers of entries by what else it does to them.
    effects: Mapping[str, int]


@dataclass(frozen=True)
class ItemView:
    """What becomes of one entry; a kind adds its own fields, named as the columns of its rows."""

    id: uuid.UUID
    submission_id: uuid.UUID
    student_name: str | None
    school_name: str | None
    entry_status: str
    status: str
    effect: str
    #: What is required and missing then.
    missing: list[str]
    #: Why it was refused.
    reason: Message | None


View = TypeVar("View", bound=AskedView)
Item = TypeVar("Item", bound=ItemView)
Row = TypeVar("Row")


@dataclass(frozen=True)
class Many(Generic[View, Item]):
    """One kind of operation over many entries."""

    #: The table of what was asked for.
    asked: type[Any]
    #: The table of what becomes of each entry, and its column that names what was asked for.
    item: type[Any]
    asked_id: InstrumentedAttribute[uuid.UUID]
    statuses: type[LabelledEnum]
    view: type[View]
    item_view: type[Item]
    #: Limit of entries, and what more of them are refused with.
    most: int
    too_many: ListRefused
    #: Lines of one page.
    page_size: int
    #: Columns of the view that other tables have.
    joined: Sequence[Label[Any]] = ()
    #: Statuses of lines that are left out of the page unless they are asked for.
    left_out: Collection[str] = ()


# Ask for it: a row, and a line for each entry.


def ask(
    session: Session,
    many: Many[Any, Any],
    person: Person,
    ids: Collection[uuid.UUID],
    wanted: SubmissionFilter,
    *where: ColumnElement[bool],
    may_be_none: bool = False,
    **values: Any,
) -> Any:
    """Return a new row for the entries with these ids, else of the filter, that this person sees and meet `where`.

    Raises InvalidInputError for too many entries, and for none of them unless `may_be_none`.
    """
    season_id = current_season(session).id
    chosen = [Submission.id.in_(ids)] if ids else wanted.conditions(session)
    found = select(Submission.id).where(
        Submission.season_id == season_id, visible_to(person, Submission.owner_user_id), *chosen, *where
    )
    count = session.scalar(select(func.count()).select_from(found.subquery())) or 0
    if not count and not may_be_none:
        raise InvalidInputError(ListRefused.NO_ENTRIES)
    if count > many.most:
        raise InvalidInputError(many.too_many, limit=many.most, count=count)
    # Words that were searched for may be a child's name, and are not needed any more.
    kept = None if ids else {name: one for name, one in wanted.to_json().items() if name != "text"}
    row = many.asked(season_id=season_id, requested_by=person.id, filter=kept, items_total=count, **values)
    session.add(row)
    session.flush()
    lines = found.with_only_columns(func.gen_random_uuid(), literal(row.id), Submission.id)
    session.execute(insert(many.item).from_select(["id", many.asked_id.key, "submission_id"], lines))
    return row


def effect_of(missing_before: Collection[str], missing: Collection[str]) -> BulkEffect:
    """Return what a change does to the completeness of an entry, by what it lacks before and after."""
    if set(missing) - set(missing_before):
        return BulkEffect.LACKS
    return BulkEffect.COMPLETES if missing_before and not missing else BulkEffect.NONE


# What people have done with it, and what workers do.


def require(context: Context, many: Many[Any, Any], key: uuid.UUID, *where: ColumnElement[bool]) -> None:
    """Raise NotFoundError unless there is such a row that meets `where`."""
    with context.database.session() as session:
        if session.scalar(select(many.asked.id).where(many.asked.id == key, *where)) is None:
            raise NotFoundError(f"no such row of {many.asked.__tablename__}")


def turn(
    context: Context,
    work: Work[Any],
    where: Collection[ColumnElement[bool]],
    values: Mapping[str, object],
    replace: bool = False,
) -> int:
    """Give the rows that meet `where` these values, and queue those that are due then; return how many there were.

    With `replace`, a job of a row that counts as running is replaced, because its worker is gone.
    """
    begun = {"attempts": 0, "enqueued_at": None, **values}
    with context.database.session() as session:
        rows = session.execute(
            update(work.key.class_).where(*where).values(begun).returning(work.key, work.due)
        ).all()
    enqueue(context, work, *(key for key, due in rows if due), replace=replace)
    return len(rows)


def do_due(
    context: Context,
    work: Work[Row],
    key: uuid.UUID,
    steps: Mapping[str, Callable[[Context, Lease[Row]], None]],
) -> bool:
    """Take the step of the row's status under its lease; return False if there was nothing to do.

    Raises LeaseLostError, and what the step raises.
    """
    lease = take(context, work, key)
    if lease is None:
        return False
    with keeping(context, lease):
        with context.database.session() as session:
            status: str = lease.hold(session).status  # type: ignore[attr-defined]
        if status in steps:
            steps[status](context, lease)
    return True


# Show it: the history of the season, one of them, and what became of its entries.


def list_asked(context: Context, many: Many[View, Any], cursor: str | None = None) -> Page[View]:
    """Return one page of those of the current season, newest first. Raises InvalidInputError for a bad cursor."""
    with context.database.session() as session:
        query = _query(many).where(many.asked.season_id == current_season(session).id)
        rows, after, before = fetch_page(session, query, many.asked.created_at, many.asked.id, cursor, PAGE_SIZE)
        return Page(_views(session, many, rows), after, before)


def find_asked(context: Context, many: Many[View, Any], key: uuid.UUID) -> View:
    """Return one of them. Raises NotFoundError."""
    require(context, many, key)
    with context.database.session() as session:
        (view,) = _views(session, many, session.execute(_query(many).where(many.asked.id == key)).all())
    return view


def list_items(
    context: Context, many: Many[Any, Item], key: uuid.UUID, cursor: str | None = None, **narrowed: str
) -> Page[Item]:
    """Return one page of its lines by the name of the student, those with these values of columns.

    Raises InvalidInputError for a bad cursor.
    """
    of_entry = (Submission.student_name, Submission.school_name, Submission.status.label("entry_status"), _STUDENT)
    named = {column.key for column in of_entry}
    own = [getattr(many.item, one.name) for one in fields(many.item_view) if one.name not in named]
    query = (
        select(*own, *of_entry)
        .join_from(many.item, Submission, Submission.id == many.item.submission_id)
        .where(many.asked_id == key, *(getattr(many.item, name) == value for name, value in narrowed.items()))
    )
    if "status" not in narrowed:
        query = query.where(many.item.status.not_in(many.left_out))
    with context.database.session() as session:
        rows, after, before = fetch_page(
            session, query, _STUDENT, many.item.id, cursor, many.page_size, newest_first=False
        )
    return Page([built(many.item_view, row) for row in rows], after, before)


def _query(many: Many[Any, Any]) -> Any:
    asked, by = many.asked, aliased(Profile)
    return select(asked, asked.id, asked.created_at, name_of(by).label("requested_by"), *many.joined).join(
        by, by.id == asked.requested_by
    )


def _views(session: Session, many: Many[View, Any], rows: Sequence[Any]) -> list[View]:
    statuses: dict[uuid.UUID, Counter[str]] = defaultdict(Counter)
    effects: dict[uuid.UUID, Counter[str]] = defaultdict(Counter)
    columns = (many.asked_id, many.item.status, many.item.effect)
    counted = select(*columns, func.count()).where(many.asked_id.in_([row.id for row in rows])).group_by(*columns)
    for key, status, effect, number in session.execute(counted):
        statuses[key][status] += number
        if effect != BulkEffect.NONE:
            effects[key][effect] += number
    views = []
    for row in rows:
        asked = row[0]
        view = built(
            many.view,
            asked,
            wanted=None if asked.filter is None else SubmissionFilter.from_json(asked.filter),
            requested_by_id=asked.requested_by,
            requested_by=row.requested_by,
            numbers=_in_order(many.statuses, statuses[row.id]),
            effects=_in_order(BulkEffect, effects[row.id]),
            **{column.key: getattr(row, column.key) for column in many.joined},
        )
        views.append(view)
    return views


def _in_order(kind: type[LabelledEnum], counted: Mapping[str, int]) -> dict[str, int]:
    return {key: counted[key] for key in keys_of(kind) if key in counted}
