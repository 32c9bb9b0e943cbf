"""The changes to many entries: listed, each with what became of its entries."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Label, Select, func, select
from sqlalchemy.orm import Session, aliased

from core.errors import NotFoundError
from core.messages import Message
from core.models import (
    BULK_WORKING,
    BulkChange,
    BulkChangeItem,
    BulkEffect,
    BulkItemStatus,
    BulkStatus,
    Profile,
    School,
    Submission,
)
from core.plain_data import built
from services.accounts.person import name_of
from services.context import Context
from services.entries.listing import SubmissionFilter
from services.keyset import RowPage, fetch_page
from services.seasons import current_season

PAGE_SIZE, ITEMS = 50, 100
_STUDENT: Label[str] = func.coalesce(Submission.student_name, "").label("by_student")
#: Statuses of items of which the change was applied.
_APPLIED = (BulkItemStatus.CHANGED, BulkItemStatus.UNDONE, BulkItemStatus.KEPT)


@dataclass(frozen=True)
class ChangeView:
    """One change."""

    id: uuid.UUID
    kind: str
    field_name: str
    old_value: str | None
    new_value: str | None
    #: None where the entries were chosen one by one.
    wanted: SubmissionFilter | None
    #: The school of the list that is renamed too.
    school: str | None
    reason: str | None
    status: str
    requested_by_id: uuid.UUID
    requested_by: str
    items_total: int
    items_done: int
    error: Message | None
    created_at: datetime
    undone_at: datetime | None
    undone_by: str | None
    #: Numbers of entries by status.
    numbers: Mapping[str, int]
    #: Of those that would change: numbers by what else it does.
    effects: Mapping[str, int]

    @property
    def working(self) -> bool:
        """Whether something may still change by itself."""
        return self.status in BULK_WORKING

    @property
    def of_stage(self) -> int:
        """How many entries the stage under way concerns."""
        if self.status == BulkStatus.PREPARING:
            return self.items_total
        if self.status == BulkStatus.UNDOING:
            return self.items_done + self.numbers.get(BulkItemStatus.CHANGED, 0)
        return self.items_done + self.numbers.get(BulkItemStatus.READY, 0)

    @property
    def applied(self) -> int:
        """How many entries were changed, whether or not they were changed back."""
        return sum(self.numbers.get(status, 0) for status in _APPLIED)

    @property
    def undoable(self) -> bool:
        """Whether there is something to take back, and nothing under way."""
        return not self.working and self.numbers.get(BulkItemStatus.CHANGED, 0) > 0


@dataclass(frozen=True)
class ItemView:
    """What a change does to one entry."""

    submission_id: uuid.UUID
    student_name: str | None
    school_name: str | None
    entry_status: str
    status: str
    before: str | None
    after: str | None
    effect: str
    missing: list[str]
    reason: Message | None


def list_changes(context: Context, cursor: str | None = None) -> RowPage[ChangeView]:
    """Return one page of those of the current season, newest first. Raises InvalidInputError for a bad cursor."""
    with context.database.session() as session:
        query = _query().where(BulkChange.season_id == current_season(session).id)
        rows, after, before = fetch_page(session, query, BulkChange.created_at, BulkChange.id, cursor, PAGE_SIZE)
        views = _views(session, rows)
    return RowPage(views, after, before)


def find_change(context: Context, bulk_id: uuid.UUID) -> ChangeView:
    """Return one change. Raises NotFoundError."""
    with context.database.session() as session:
        rows = session.execute(_query().where(BulkChange.id == bulk_id)).all()
        if not rows:
            raise NotFoundError("no such change of many entries")
        return _views(session, rows)[0]


def change_items(
    context: Context, bulk_id: uuid.UUID, status: str | None, effect: str | None, cursor: str | None
) -> RowPage[ItemView]:
    """Return one page of its entries by name, of one status or one effect if one is given."""
    query = (
        select(
            BulkChangeItem.id,
            BulkChangeItem.submission_id,
            BulkChangeItem.status,
            BulkChangeItem.before_value,
            BulkChangeItem.after_value,
            BulkChangeItem.effect,
            BulkChangeItem.missing,
            BulkChangeItem.reason,
            Submission.student_name,
            Submission.school_name,
            Submission.status.label("entry_status"),
            _STUDENT,
        )
        .join(Submission, Submission.id == BulkChangeItem.submission_id)
        .where(BulkChangeItem.bulk_id == bulk_id)
    )
    if status:
        query = query.where(BulkChangeItem.status == status)
    if effect:
        query = query.where(BulkChangeItem.effect == effect)
    with context.database.session() as session:
        rows, after, before = fetch_page(
            session, query, _STUDENT, BulkChangeItem.id, cursor, ITEMS, newest_first=False
        )
    return RowPage([_item(row) for row in rows], after, before)


def _query() -> Select[*tuple[Any, ...]]:
    by, undone_by = aliased(Profile), aliased(Profile)
    return (
        select(
            BulkChange,
            BulkChange.id,
            BulkChange.created_at,
            School.name.label("school"),
            name_of(by).label("requested_by"),
            name_of(undone_by).label("undone_by"),
        )
        .join(by, by.id == BulkChange.requested_by)
        .outerjoin(undone_by, undone_by.id == BulkChange.undone_by)
        .outerjoin(School, School.id == BulkChange.school_id)
    )


def _views(session: Session, rows: Collection[Any]) -> list[ChangeView]:
    numbers: dict[uuid.UUID, dict[str, int]] = defaultdict(dict)
    effects: dict[uuid.UUID, dict[str, int]] = defaultdict(dict)
    counted = session.execute(
        select(BulkChangeItem.bulk_id, BulkChangeItem.status, BulkChangeItem.effect, func.count().label("number"))
        .where(BulkChangeItem.bulk_id.in_([row.id for row in rows]))
        .group_by(BulkChangeItem.bulk_id, BulkChangeItem.status, BulkChangeItem.effect)
    )
    for bulk_id, status, effect, number in counted:
        numbers[bulk_id][status] = numbers[bulk_id].get(status, 0) + number
        if effect != BulkEffect.NONE:
            effects[bulk_id][effect] = effects[bulk_id].get(effect, 0) + number
    return [_view(row, numbers[row.id], effects[row.id]) for row in rows]


def _view(row: Any, numbers: Mapping[str, int], effects: Mapping[str, int]) -> ChangeView:
    change: BulkChange = row.BulkChange
    return built(
        ChangeView,
        change,
        wanted=None if change.filter is None else SubmissionFilter.from_json(change.filter),
        school=row.school,
        requested_by_id=change.requested_by,
        requested_by=row.requested_by,
        items_total=change.items_total or 0,
        undone_by=row.undone_by,
        numbers=numbers,
        effects=effects,
    )


def _item(row: Any) -> ItemView:
    return ItemView(
        submission_id=row.submission_id,
        student_name=row.student_name,
        school_name=row.school_name,
        entry_status=row.entry_status,
        status=row.status,
        before=row.before_value,
        after=row.after_value,
        effect=row.effect,
        missing=list(row.missing),
        reason=row.reason,
    )
