"""Ask for a change to many entries, look at it, apply it, stop it or undo it."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, delete, func, select
from sqlalchemy.orm import Session, aliased

from core.errors import ConflictError, InvalidInputError, NotFailedError, NotFoundError
from core.messages import Message
from core.models import (
    BULK_WORKING,
    BulkChange,
    BulkChangeItem,
    BulkItemStatus,
    BulkKind,
    BulkStatus,
    Profile,
    School,
    Submission,
    SubmissionField,
    SubmissionStatus,
)
from core.models.base import error_columns
from pipeline.profiles import FieldKind, alike_fields, derived_fields, field_kind, fields_of_kind
from services.accounts.person import Person, name_of
from services.audit import checked_note
from services.context import Context
from services.entries.change import cleaned_value
from services.entries.listing import SubmissionFilter
from services.many.operation import ItemView, Operation, RequestView
from services.messages.office import ListRefused
from services.recovery.kinds import BULK_CHANGES
from services.recovery.work import queue_rows, update_and_queue
from services.schools import listed_school

_CHANGED = (BulkItemStatus.CHANGED.value, BulkItemStatus.UNDONE.value, BulkItemStatus.KEPT.value)
_UNDOER = aliased(Profile)
#: A change that was stopped or has failed while it was applied is taken back, too.
_UNDOABLE = (BulkStatus.DONE.value, BulkStatus.STOPPED.value, BulkStatus.FAILED.value)


@dataclass(frozen=True)
class ChangeView(RequestView):
    kind: str
    field_name: str
    old_value: str | None
    new_value: str | None
    #: The school of the list that is renamed too.
    school: str | None
    reason: str | None
    status: str
    items_total: int
    items_done: int
    error: Message | None
    undone_at: datetime | None
    undone_by: str | None

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
        return sum(self.numbers.get(status, 0) for status in _CHANGED)

    @property
    def undoable(self) -> bool:
        """Whether there is something to take back, and nothing under way."""
        return not self.working and self.numbers.get(BulkItemStatus.CHANGED, 0) > 0

    @property
    def last_stage(self) -> BulkStatus:
        """The stage that it was in when it failed."""
        if self.undone_at is not None:
            return BulkStatus.UNDOING
        worked_on = self.applied + self.numbers.get(BulkItemStatus.LOST, 0)
        waits = self.numbers.get(BulkItemStatus.CHOSEN, 0)
        return BulkStatus.PREPARING if waits or not worked_on else BulkStatus.APPLYING


@dataclass(frozen=True)
class ChangeItem(ItemView):
    before_value: str | None
    after_value: str | None


#: One field of many entries set to a value, or one of its values renamed.
BULK_CHANGE = Operation(
    request=BulkChange,
    item=BulkChangeItem,
    request_id=BulkChangeItem.bulk_id,
    statuses=BulkItemStatus,
    view=ChangeView,
    item_view=ChangeItem,
    most=10_000,
    too_many=ListRefused.TOO_MANY_ENTRIES,
    page_size=100,
    joined=(
        select(School.name).where(School.id == BulkChange.school_id).scalar_subquery().label("school"),
        select(name_of(_UNDOER)).where(_UNDOER.id == BulkChange.undone_by).scalar_subquery().label("undone_by"),
    ),
)


#: Kinds of fields whose values several entries have in common. What belongs to one child, its name before all, is
#: changed on the page of the entry.
_SHARED = (FieldKind.SCHOOL, FieldKind.GRADE, FieldKind.CHOICE, FieldKind.TEXT)


@dataclass(frozen=True)
class ChangeRequest:
    kind: BulkKind
    field_name: str
    #: None or "" empties the field.
    new_value: str | None
    #: Of a rename: the value that is replaced, as it stands in the entries.
    old_value: str | None = None
    #: Entries chosen one by one; none: those of the filter.
    ids: Collection[uuid.UUID] = ()
    wanted: SubmissionFilter | None = None
    #: Whether the school of the list that has the old name is renamed too.
    with_school: bool = False
    reason: str | None = None


def changeable_fields() -> tuple[str, ...]:
    """Return the fields that may be changed in many entries at once."""
    shared = {*fields_of_kind(*_SHARED), *alike_fields()} - derived_fields()
    return tuple(name for name in fields_of_kind(*FieldKind) if name in shared)


def request_change(context: Context, person: Person, asked: ChangeRequest) -> uuid.UUID:
    """Record it, have its preview prepared, and return its id. No entry is changed before it is applied.

    Raises InvalidInputError for a field, a value or a choice of entries that does not fit.
    """
    old, new = _checked(asked)
    wanted = asked.wanted or SubmissionFilter()
    where = [] if old is None else [_has(asked.field_name, old)]
    if not asked.ids and not wanted.status:
        where.append(Submission.status != SubmissionStatus.SUPERSEDED.value)
    with context.database.session() as session:
        bulk_id: uuid.UUID = BULK_CHANGE.create(
            session,
            person,
            asked.ids,
            wanted,
            *where,
            may_be_empty=asked.kind is BulkKind.RENAME,
            kind=asked.kind.value,
            field_name=asked.field_name,
            old_value=old,
            new_value=new,
            school_id=_school(session, asked, old),
            reason=checked_note(asked.reason),
        ).id
    queue_rows(context, BULK_CHANGES, bulk_id)
    return bulk_id


def _checked(asked: ChangeRequest) -> tuple[str | None, str | None]:
    """Return the old and the new value in their stored form. Raises InvalidInputError."""
    if asked.field_name not in changeable_fields():
        raise InvalidInputError(ListRefused.FIELD_UNKNOWN, fields=list(changeable_fields()))
    new = cleaned_value(asked.field_name, asked.new_value)
    if asked.kind is BulkKind.SET:
        return None, new
    # As it stands in the entries: what no one would type now may be what has to be renamed.
    old = (asked.old_value or "").strip()
    if not old:
        raise InvalidInputError(ListRefused.NO_OLD_VALUE)
    if new is None:
        raise InvalidInputError(ListRefused.NO_NEW_VALUE)
    if old == new:
        raise InvalidInputError(ListRefused.SAME_VALUE)
    return old, new


def _school(session: Session, asked: ChangeRequest, old: str | None) -> uuid.UUID | None:
    """Return the school of the list that is to be renamed too."""
    if not asked.with_school or old is None or field_kind(asked.field_name) is not FieldKind.SCHOOL:
        return None
    school = listed_school(session, old)
    return None if school is None else school.id


def _has(field_name: str, value: str) -> ColumnElement[bool]:
    return (
        select(SubmissionField.id)
        .where(
            SubmissionField.submission_id == Submission.id,
            SubmissionField.name == field_name,
            SubmissionField.value == value,
        )
        .exists()
    )


def apply_previewed(context: Context, person: Person, bulk_id: uuid.UUID) -> None:
    """Have the previewed change applied, in the name of whoever asked for it.

    Raises NotFoundError for a change of somebody else, ConflictError if there is no preview that waits.
    """
    own = BulkChange.requested_by == person.id
    BULK_CHANGE.require(context, bulk_id, own)
    if not _begun(context, bulk_id, BulkStatus.APPLYING, own, BulkChange.status == BulkStatus.READY.value):
        raise ConflictError(ListRefused.NOT_READY)


def stop_change(context: Context, bulk_id: uuid.UUID) -> None:
    """Let its worker stop after the entry in hand. Raises NotFoundError, ConflictError if it is not under way."""
    BULK_CHANGE.require(context, bulk_id)
    under_way = (BulkChange.id == bulk_id, BulkChange.status.in_(BULK_WORKING))
    ended = {"status": BulkStatus.STOPPED.value, "finished_at": func.now()}
    if not update_and_queue(context, BULK_CHANGES, under_way, ended):
        raise ConflictError(ListRefused.NOT_WORKING)


def take_back(context: Context, person: Person, bulk_id: uuid.UUID) -> None:
    """Have every entry that it changed changed back. Raises NotFoundError, ConflictError if nothing can be."""
    BULK_CHANGE.require(context, bulk_id)
    where = (_has_items(bulk_id, BulkItemStatus.CHANGED.value), BulkChange.status.in_(_UNDOABLE))
    if not _begun(context, bulk_id, BulkStatus.UNDOING, *where, undone_by=person.id, undone_at=func.now()):
        raise ConflictError(ListRefused.NOT_UNDOABLE)


def retry_change(context: Context, bulk_id: uuid.UUID) -> None:
    """Go on with one that failed, where it ended. Raises NotFailedError."""
    failed = BulkChange.status == BulkStatus.FAILED.value
    with suppress(NotFoundError):
        if _begun(context, bulk_id, BULK_CHANGE.find(context, bulk_id).last_stage, failed, replace=True):
            return
    raise NotFailedError(ListRefused.NOT_FAILED)


def drop_change(context: Context, person: Person, bulk_id: uuid.UUID) -> None:
    """Drop a preview of one's own by which nothing was changed. Raises NotFoundError, ConflictError."""
    own = BulkChange.requested_by == person.id
    BULK_CHANGE.require(context, bulk_id, own)
    idle = BulkChange.status.in_((BulkStatus.READY.value, BulkStatus.STOPPED.value, BulkStatus.FAILED.value))
    gone = context.database.scalar(
        delete(BulkChange)
        .where(BulkChange.id == bulk_id, own, idle, ~_has_items(bulk_id, *_CHANGED))
        .returning(BulkChange.id)
    )
    if gone is None:
        raise ConflictError(ListRefused.NOT_READY)


def _begun(
    context: Context,
    bulk_id: uuid.UUID,
    stage: BulkStatus,
    *where: ColumnElement[bool],
    replace: bool = False,
    **values: object,
) -> bool:
    """Begin a stage and queue it; False if the change does not meet `where`."""
    begun = {"status": stage.value, "items_done": 0, "finished_at": None, **error_columns(None), **values}
    return update_and_queue(context, BULK_CHANGES, (BulkChange.id == bulk_id, *where), begun, replace) > 0


def _has_items(bulk_id: uuid.UUID, *statuses: str) -> ColumnElement[bool]:
    of_change = select(BulkChangeItem.id).where(BulkChangeItem.bulk_id == bulk_id)
    return of_change.where(BulkChangeItem.status.in_(statuses)).exists()
