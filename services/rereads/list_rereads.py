"""Entries read anew at one time: the history of the season, and one of them entry by entry."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Label, Select, func, select
from sqlalchemy.orm import Session

from core.errors import NotFoundError
from core.messages import Message
from core.models import REREAD_WORKING, Profile, Reread, RereadItem, RereadStatus, Submission
from services.accounts.person_name import name_of
from services.context import Context
from services.entries.submission_filter import SubmissionFilter
from services.keyset import Page, fetch_page
from services.seasons import current_season

PAGE_SIZE, ITEMS = 50, 50
_STUDENT: Label[str] = func.coalesce(Submission.student_name, "").label("by_student")


@dataclass(frozen=True)
class RereadView:
    """Entries read anew at one time."""

    id: uuid.UUID
    #: None where the entries were chosen one by one.
    wanted: SubmissionFilter | None
    options: dict[str, Any]
    requested_by: str
    items_total: int
    created_at: datetime
    #: Numbers of entries by status.
    numbers: Mapping[str, int]

    @property
    def working(self) -> bool:
        """Whether something may still change by itself."""
        return any(self.numbers.get(status, 0) for status in REREAD_WORKING)

    @property
    def open(self) -> int:
        """How many entries a worker has still to do."""
        return sum(self.numbers.get(status, 0) for status in REREAD_WORKING)

    @property
    def done(self) -> int:
        """How many entries no worker has to do anything of."""
        return self.items_total - self.open


@dataclass(frozen=True)
class RereadItemView:
    """One entry of these."""

    id: uuid.UUID
    submission_id: uuid.UUID
    student_name: str | None
    school_name: str | None
    entry_status: str
    status: str
    #: {field: (value that it has, value read anew)}
    changes: dict[str, tuple[str | None, str | None]]
    decided: list[str]
    effect: str
    missing: list[str]
    waits: bool
    reason: Message | None


def list_rereads(context: Context, cursor: str | None = None) -> Page[RereadView]:
    """Return one page of those of the current season, newest first. Raises InvalidInputError for a bad cursor."""
    with context.database.session() as session:
        query = _query().where(Reread.season_id == current_season(session).id)
        rows, after, before = fetch_page(session, query, Reread.created_at, Reread.id, cursor, PAGE_SIZE)
        views = _views(session, rows)
    return Page(views, after, before)


def find_reread(context: Context, reread_id: uuid.UUID) -> RereadView:
    """Return one of them. Raises NotFoundError."""
    with context.database.session() as session:
        rows = session.execute(_query().where(Reread.id == reread_id)).all()
        if not rows:
            raise NotFoundError("no such reading anew")
        return _views(session, rows)[0]


def reread_items(
    context: Context, reread_id: uuid.UUID, status: str | None, cursor: str | None
) -> Page[RereadItemView]:
    """Return one page of its entries by name; without a status, those of which there is something to see."""
    query = (
        select(
            RereadItem.id,
            RereadItem.submission_id,
            RereadItem.status,
            RereadItem.changes,
            RereadItem.decided,
            RereadItem.effect,
            RereadItem.missing,
            RereadItem.waits,
            RereadItem.reason,
            Submission.student_name,
            Submission.school_name,
            Submission.status.label("entry_status"),
            _STUDENT,
        )
        .join(Submission, Submission.id == RereadItem.submission_id)
        .where(RereadItem.reread_id == reread_id)
    )
    nothing = (RereadStatus.WAITING.value, RereadStatus.SAME.value, RereadStatus.LEFT.value)
    query = query.where(RereadItem.status == status if status else RereadItem.status.not_in(nothing))
    with context.database.session() as session:
        rows, after, before = fetch_page(
            session, query, _STUDENT, RereadItem.id, cursor, ITEMS, newest_first=False
        )
    return Page([_item(row) for row in rows], after, before)


def _query() -> Select[*tuple[Any, ...]]:
    return select(
        Reread.id,
        Reread.filter,
        Reread.options,
        Reread.items_total,
        Reread.created_at,
        name_of(Profile).label("requested_by"),
    ).join(Profile, Profile.id == Reread.requested_by)


def _views(session: Session, rows: Collection[Any]) -> list[RereadView]:
    numbers: dict[uuid.UUID, dict[str, int]] = defaultdict(dict)
    counted = session.execute(
        select(RereadItem.reread_id, RereadItem.status, func.count())
        .where(RereadItem.reread_id.in_([row.id for row in rows]))
        .group_by(RereadItem.reread_id, RereadItem.status)
    )
    for reread_id, status, number in counted:
        numbers[reread_id][status] = number
    return [
        RereadView(
            id=row.id,
            wanted=None if row.filter is None else SubmissionFilter.from_json(row.filter),
            options=dict(row.options),
            requested_by=row.requested_by,
            items_total=sum(numbers[row.id].values()),
            created_at=row.created_at,
            numbers={one.value: numbers[row.id][one] for one in RereadStatus if one in numbers[row.id]},
        )
        for row in rows
    ]


def _item(row: Any) -> RereadItemView:
    return RereadItemView(
        id=row.id,
        submission_id=row.submission_id,
        student_name=row.student_name,
        school_name=row.school_name,
        entry_status=row.entry_status,
        status=row.status,
        changes={name: (before, after) for name, (before, after) in row.changes.items()},
        decided=list(row.decided),
        effect=row.effect,
        missing=list(row.missing),
        waits=row.waits,
        reason=row.reason,
    )
