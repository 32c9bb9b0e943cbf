"""One operation over many entries: requested once, with an item for each entry that says what becomes of it.

An `Operation` names the tables of one kind, creates its requests, and lists them and their items. How an entry is
previewed, changed and changed back is in the modules of the kind.
"""

from __future__ import annotations

import uuid
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Generic, TypeVar

from sqlalchemy import ColumnElement, Label, func, literal, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import InstrumentedAttribute, Session, aliased

from core.errors import InvalidInputError, NotFoundError
from core.messages import LabelledEnum, Message, keys_of
from core.models import BulkEffect, Profile, Submission
from core.plain_data import built
from services.accounts.person import Person, name_of, visible_to
from services.context import Context
from services.entries.listing import SubmissionFilter
from services.keyset import RowPage, fetch_page
from services.messages.office import ListRefused
from services.seasons import current_season

PAGE_SIZE = 50
_STUDENT: Label[str] = func.coalesce(Submission.student_name, "").label("by_student")


@dataclass(frozen=True)
class RequestView:
    """A request as a page shows it; a kind adds its own fields."""

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
    """An item of a request as a page shows it; a kind adds its own fields, named as the columns of its table."""

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


View = TypeVar("View", bound=RequestView)
Item = TypeVar("Item", bound=ItemView)


@dataclass(frozen=True)
class Operation(Generic[View, Item]):
    """One kind of operation over many entries."""

    #: The table of its requests.
    request: type[Any]
    #: The table of their items, one for each entry, and its column with the id of the request.
    item: type[Any]
    request_id: InstrumentedAttribute[uuid.UUID]
    #: The statuses of items.
    statuses: type[LabelledEnum]
    view: type[View]
    item_view: type[Item]
    #: Limit of the entries of one request, and what is raised beyond it.
    most: int
    too_many: ListRefused
    #: Items of one page.
    page_size: int
    #: Columns of `view` from other tables.
    joined: Sequence[Label[Any]] = ()
    #: Statuses of items that a page leaves out unless they are asked for.
    left_out: Collection[str] = ()

    def create(
        self,
        session: Session,
        person: Person,
        ids: Collection[uuid.UUID],
        wanted: SubmissionFilter,
        *where: ColumnElement[bool],
        may_be_empty: bool = False,
        **values: Any,
    ) -> Any:
        """Add a request for the entries with these ids, or for those of the filter if there are none.

        It is limited to entries that this person sees and that meet `where`. `values`: its further columns.
        Raises InvalidInputError for too many entries, and for none unless the request `may_be_empty`.
        """
        season_id = current_season(session).id
        chosen = [Submission.id.in_(ids)] if ids else wanted.conditions(session)
        found = select(Submission.id).where(
            Submission.season_id == season_id, visible_to(person, Submission.owner_user_id), *chosen, *where
        )
        count = session.scalar(select(func.count()).select_from(found.subquery())) or 0
        if not count and not may_be_empty:
            raise InvalidInputError(ListRefused.NO_ENTRIES)
        if count > self.most:
            raise InvalidInputError(self.too_many, limit=self.most, count=count)
        # Words that were searched for may be a child's name, and are not needed any more.
        kept = None if ids else {name: one for name, one in wanted.to_json().items() if name != "text"}
        row = self.request(season_id=season_id, requested_by=person.id, filter=kept, items_total=count, **values)
        session.add(row)
        session.flush()
        items = found.with_only_columns(func.gen_random_uuid(), literal(row.id), Submission.id)
        session.execute(insert(self.item).from_select(["id", self.request_id.key, "submission_id"], items))
        return row

    def require(self, context: Context, key: uuid.UUID, *where: ColumnElement[bool]) -> None:
        """Raise NotFoundError unless there is a request with this id that meets `where`."""
        with context.database.reading() as session:
            if session.scalar(select(self.request.id).where(self.request.id == key, *where)) is None:
                raise self._unknown()

    def list_requests(self, context: Context, cursor: str | None = None) -> RowPage[View]:
        """Return one page of the season's requests, newest first. Raises InvalidInputError for a bad cursor."""
        row = self.request
        with context.database.session() as session:
            query = self._query().where(row.season_id == current_season(session).id)
            rows, after, before = fetch_page(session, query, row.created_at, row.id, cursor, PAGE_SIZE)
            return RowPage(self._views(session, rows), after, before)

    def find(self, context: Context, key: uuid.UUID) -> View:
        """Return one request. Raises NotFoundError."""
        with context.database.reading() as session:
            rows = session.execute(self._query().where(self.request.id == key)).all()
            if not rows:
                raise self._unknown()
            return self._views(session, rows)[0]

    def list_items(
        self, context: Context, key: uuid.UUID, cursor: str | None = None, **equal: str
    ) -> RowPage[Item]:
        """Return one page of a request's items, sorted by student. Raises InvalidInputError for a bad cursor.

        `equal`: values of columns of the items to filter by.
        """
        entry_status = Submission.status.label("entry_status")
        of_entry = (Submission.student_name, Submission.school_name, entry_status, _STUDENT)
        named = {column.key for column in of_entry}
        names = [one.name for one in fields(self.item_view) if one.name not in named]
        query = (
            select(*(getattr(self.item, name) for name in names), *of_entry)
            .join_from(self.item, Submission, Submission.id == self.item.submission_id)
            .where(self.request_id == key, *(getattr(self.item, name) == equal[name] for name in equal))
        )
        if "status" not in equal:
            query = query.where(self.item.status.not_in(self.left_out))
        with context.database.reading() as session:
            rows, after, before = fetch_page(
                session, query, _STUDENT, self.item.id, cursor, self.page_size, newest_first=False
            )
        return RowPage([built(self.item_view, row) for row in rows], after, before)

    def _unknown(self) -> NotFoundError:
        return NotFoundError(f"no such row of {self.request.__tablename__}")

    def _query(self) -> Any:
        row, by = self.request, aliased(Profile)
        columns = (row, row.id, row.created_at, name_of(by).label("requested_by"), *self.joined)
        return select(*columns).join(by, by.id == row.requested_by)

    def _views(self, session: Session, rows: Sequence[Any]) -> list[View]:
        numbers: dict[uuid.UUID, Counter[str]] = defaultdict(Counter)
        effects: dict[uuid.UUID, Counter[str]] = defaultdict(Counter)
        columns = (self.request_id, self.item.status, self.item.effect)
        of_rows = self.request_id.in_([row.id for row in rows])
        for key, status, effect, number in session.execute(
            select(*columns, func.count()).where(of_rows).group_by(*columns)
        ):
            numbers[key][status] += number
            if effect != BulkEffect.NONE:
                effects[key][effect] += number
        return [self._view(row, numbers[row.id], effects[row.id]) for row in rows]

    def _view(self, row: Any, numbers: Mapping[str, int], effects: Mapping[str, int]) -> View:
        request = row[0]
        return built(
            self.view,
            request,
            wanted=None if request.filter is None else SubmissionFilter.from_json(request.filter),
            requested_by_id=request.requested_by,
            requested_by=row.requested_by,
            numbers={key: numbers[key] for key in keys_of(self.statuses) if key in numbers},
            effects={key: effects[key] for key in keys_of(BulkEffect) if key in effects},
            **{column.key: getattr(row, column.key) for column in self.joined},
        )


def effect_on_completeness(missing_before: Collection[str], missing: Collection[str]) -> BulkEffect:
    """Return what a change does to the completeness of an entry, by the fields missing before and after it."""
    if set(missing) - set(missing_before):
        return BulkEffect.LACKS
    return BulkEffect.COMPLETES if missing_before and not missing else BulkEffect.NONE
