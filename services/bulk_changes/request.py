"""Ask for a change to many entries, stop it or undo it."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Select, delete, func, literal, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from core.errors import ConflictError, InvalidInputError, NotFailedError, NotFoundError
from core.models import (
    BULK_WORKING,
    BulkChange,
    BulkChangeItem,
    BulkItemStatus,
    BulkKind,
    BulkStatus,
    Submission,
    SubmissionField,
    SubmissionStatus,
)
from core.models.base import error_columns
from pipeline.profiles import FieldKind
from pipeline.profiles.fields import alike_fields, derived_fields, field_kind, fields_of_kind
from services.accounts.person import Person, visible_to
from services.audit import checked_note
from services.context import Context
from services.entries.change import cleaned_value
from services.entries.listing import SubmissionFilter
from services.messages.office import ListRefused
from services.recovery.kinds import BULK_CHANGES
from services.recovery.work import enqueue
from services.schools import listed_school
from services.seasons import current_season

# Ask for a change of many entries: a row, and a job that prepares its preview.


#: Limit of entries of one change.
MOST = 10_000
#: Kinds of fields whose values several entries have in common. What belongs to one child, its name before all, is
#: changed on the page of the entry.
_SHARED = (FieldKind.SCHOOL, FieldKind.GRADE, FieldKind.CHOICE, FieldKind.TEXT)


@dataclass(frozen=True)
class ChangeRequest:
    """What somebody asks for."""

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
    with context.database.session() as session:
        season_id = current_season(session).id
        change = BulkChange(
            season_id=season_id,
            requested_by=person.id,
            kind=asked.kind.value,
            field_name=asked.field_name,
            old_value=old,
            new_value=new,
            filter=None if asked.ids else (asked.wanted or SubmissionFilter()).to_json(),
            school_id=_school(session, asked, old),
            reason=checked_note(asked.reason),
        )
        session.add(change)
        session.flush()
        _choose(session, person, change, asked)
        bulk_id = change.id
    enqueue(context, BULK_CHANGES, bulk_id)
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


def _choose(session: Session, person: Person, change: BulkChange, asked: ChangeRequest) -> None:
    """Add the chosen entries. Raises InvalidInputError for none or too many of them."""
    found = _found(session, person, change, asked)
    count = session.scalar(select(func.count()).select_from(found.subquery())) or 0
    if not count and asked.kind is BulkKind.SET:
        raise InvalidInputError(ListRefused.NO_ENTRIES)
    if count > MOST:
        raise InvalidInputError(ListRefused.TOO_MANY_ENTRIES, limit=MOST, count=count)
    chosen = found.with_only_columns(func.gen_random_uuid(), literal(change.id), Submission.id)
    session.execute(insert(BulkChangeItem).from_select(["id", "bulk_id", "submission_id"], chosen))
    change.items_total = count
    # Words that were searched for may be a child's name, and are not needed any more.
    change.filter = None if change.filter is None else {k: v for k, v in change.filter.items() if k != "text"}


def _found(session: Session, person: Person, change: BulkChange, asked: ChangeRequest) -> Select[uuid.UUID]:
    query = select(Submission.id).where(
        Submission.season_id == change.season_id, visible_to(person, Submission.owner_user_id)
    )
    if asked.ids:
        query = query.where(Submission.id.in_(asked.ids))
    else:
        wanted = asked.wanted or SubmissionFilter()
        query = query.where(*wanted.conditions(session))
        if not wanted.status:
            query = query.where(Submission.status != SubmissionStatus.SUPERSEDED.value)
    return query if change.old_value is None else query.where(_has(change.field_name, change.old_value))


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


# What people do with a change of many entries: apply, stop, take back, try again, drop its preview.


_CHANGED = (BulkItemStatus.CHANGED.value, BulkItemStatus.UNDONE.value, BulkItemStatus.KEPT.value)
#: A change that was stopped or has failed while it was applied is taken back, too.
_UNDOABLE = (BulkStatus.DONE.value, BulkStatus.STOPPED.value, BulkStatus.FAILED.value)


def apply_previewed(context: Context, person: Person, bulk_id: uuid.UUID) -> None:
    """Have the previewed change applied, in the name of whoever asked for it.

    Raises NotFoundError for a change of somebody else, ConflictError if there is no preview that waits.
    """
    own = BulkChange.requested_by == person.id
    _exists(context, bulk_id, own)
    if not _turned(context, bulk_id, (BulkStatus.READY.value,), BulkStatus.APPLYING, own):
        raise ConflictError(ListRefused.NOT_READY)


def stop_change(context: Context, bulk_id: uuid.UUID) -> None:
    """Let its worker stop after the entry in hand. Raises NotFoundError, ConflictError if it is not under way."""
    _exists(context, bulk_id)
    with context.database.session() as session:
        stopped = session.scalar(
            update(BulkChange)
            .where(BulkChange.id == bulk_id, BulkChange.status.in_(BULK_WORKING))
            .values(status=BulkStatus.STOPPED.value, finished_at=func.now())
            .returning(BulkChange.id)
        )
    if stopped is None:
        raise ConflictError(ListRefused.NOT_WORKING)


def take_back(context: Context, person: Person, bulk_id: uuid.UUID) -> None:
    """Have every entry that it changed changed back. Raises NotFoundError, ConflictError if nothing can be."""
    _exists(context, bulk_id)
    changed = (
        select(BulkChangeItem.id)
        .where(BulkChangeItem.bulk_id == bulk_id, BulkChangeItem.status == BulkItemStatus.CHANGED.value)
        .exists()
    )
    if not _turned(context, bulk_id, _UNDOABLE, BulkStatus.UNDOING, changed, undone_by=person.id):
        raise ConflictError(ListRefused.NOT_UNDOABLE)


def retry_change(context: Context, bulk_id: uuid.UUID) -> None:
    """Go on with one that failed, where it ended. Raises NotFailedError."""
    with context.database.session() as session:
        change = session.get(BulkChange, bulk_id)
        stage = None if change is None else _stage_of(session, change)
    failed = (BulkStatus.FAILED.value,)
    if stage is None or not _turned(context, bulk_id, failed, stage, replace=True):
        raise NotFailedError(ListRefused.NOT_FAILED)


def drop_change(context: Context, person: Person, bulk_id: uuid.UUID) -> None:
    """Drop a preview of one's own by which nothing was changed. Raises NotFoundError, ConflictError."""
    own = BulkChange.requested_by == person.id
    _exists(context, bulk_id, own)
    changed = select(BulkChangeItem.id).where(
        BulkChangeItem.bulk_id == bulk_id, BulkChangeItem.status.in_(_CHANGED)
    )
    idle = BulkChange.status.in_((BulkStatus.READY.value, BulkStatus.STOPPED.value, BulkStatus.FAILED.value))
    with context.database.session() as session:
        gone = session.scalar(
            delete(BulkChange)
            .where(BulkChange.id == bulk_id, own, idle, ~changed.exists())
            .returning(BulkChange.id)
        )
    if gone is None:
        raise ConflictError(ListRefused.NOT_READY)


def _exists(context: Context, bulk_id: uuid.UUID, *where: ColumnElement[bool]) -> None:
    with context.database.session() as session:
        if session.scalar(select(BulkChange.id).where(BulkChange.id == bulk_id, *where)) is None:
            raise NotFoundError("no such change of many entries")


def _turned(
    context: Context,
    bulk_id: uuid.UUID,
    known: Collection[str],
    to: BulkStatus,
    *where: ColumnElement[bool],
    replace: bool = False,
    undone_by: uuid.UUID | None = None,
) -> bool:
    """Begin a stage and queue it; False if the change is in none of the known statuses."""
    values = {} if undone_by is None else {"undone_by": undone_by, "undone_at": func.now()}
    with context.database.session() as session:
        won = session.scalar(
            update(BulkChange)
            .where(BulkChange.id == bulk_id, BulkChange.status.in_(known), *where)
            .values(
                status=to.value,
                items_done=0,
                attempts=0,
                enqueued_at=None,
                finished_at=None,
                **error_columns(None),
                **values,
            )
            .returning(BulkChange.id)
        )
    if won is None:
        return False
    enqueue(context, BULK_CHANGES, bulk_id, replace=replace)
    return True


def _stage_of(session: Session, change: BulkChange) -> BulkStatus:
    """Return the stage that a failed change was in."""
    if change.undone_by is not None:
        return BulkStatus.UNDOING
    chosen = select(BulkChangeItem.id).where(
        BulkChangeItem.bulk_id == change.id, BulkChangeItem.status == BulkItemStatus.CHOSEN.value
    )
    touched = select(BulkChangeItem.id).where(
        BulkChangeItem.bulk_id == change.id, BulkChangeItem.status.in_((*_CHANGED, BulkItemStatus.LOST.value))
    )
    if session.scalar(select(chosen.exists())) or not session.scalar(select(touched.exists())):
        return BulkStatus.PREPARING
    return BulkStatus.APPLYING
