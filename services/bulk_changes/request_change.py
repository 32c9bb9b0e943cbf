"""Ask for a change of many entries: a row, and a job that prepares its preview."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Select, func, literal, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from core.errors import InvalidInputError
from core.models import BulkChange, BulkChangeItem, BulkKind, Submission, SubmissionField, SubmissionStatus
from pipeline.profiles import FieldKind
from pipeline.profiles.declared import alike_fields, derived_fields, fields_of_kind, kind_of
from services.accounts.person import Person
from services.audit import checked_note
from services.context import Context
from services.entries.apply_decision import cleaned_value
from services.entries.submission_filter import SubmissionFilter
from services.messages.lists import ListRefused
from services.recovery.kinds import BULK_CHANGES
from services.recovery.work import enqueue
from services.schools.rename_school import listed_school
from services.seasons import current_season
from services.visibility import visible_to

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
    if not asked.with_school or old is None or kind_of(asked.field_name) is not FieldKind.SCHOOL:
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
