"""The queue of what waits for a person, and entries that were set aside.

Proposals and escalations are rows of two tables. The queue reads at most one page of each, by its own index, and
orders them together by (created_at, id).
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
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
from sqlalchemy.orm import InstrumentedAttribute, Session, aliased

from core.clock import utcnow
from core.errors import ConflictError, InvalidInputError
from core.messages import Message
from core.models import (
    AsideEnd,
    AsideKind,
    Profile,
    ReportRevision,
    Season,
    SetAside,
    Submission,
    SubmissionStatus,
    Upload,
)
from core.plain_data import built
from pipeline.profiles.fields import derived_fields, fields_of_form
from services.accounts.person import name_of
from services.audit import checked_note, event
from services.context import Context
from services.keyset import Cursor, RowPage, cut_page
from services.messages.entries import Conflict, EventReason, Refused
from services.review.holds import HOLDS
from services.review.queues import (
    Query,
    QueueFilter,
    SuggestedValue,
    of_escalations,
    of_suggestions,
    proposed_values,
)
from services.runs.inputs import end_aside

__all__ = [
    "AsideKind",
    "AsideView",
    "aside_in",
    "aside_of",
    "end_aside",
    "is_aside",
    "put_back",
    "set_aside",
    "standing_asides",
    "with_aside",
]


# Set an entry aside: ask for what is missing, or park it. It returns to the queue at a time or with an answer.
#
# Proposals and escalations of such an entry stay pending; only the desk's queue leaves it out.


#: Time without an answer, or a decision, after which an entry is back in the queue.
USUAL_TIME = {AsideKind.ASKED: timedelta(days=21), AsideKind.PARKED: timedelta(days=7)}
LONGEST = timedelta(days=366)
_WAITING = (SubmissionStatus.SUGGESTED, SubmissionStatus.ESCALATED)
_TOLD = {AsideKind.ASKED: EventReason.ASKED_FOR, AsideKind.PARKED: EventReason.PARKED_UNTIL}


@dataclass(frozen=True)
class AsideView:
    """What an entry is set aside for, or was until its time passed."""

    kind: AsideKind
    #: What is asked for, in the order of the form.
    fields: tuple[str, ...]
    note: str | None
    until: datetime
    #: Name of who set it aside.
    by: str | None
    since: datetime
    #: Whether its time has passed without an answer: the entry is in the queue again.
    returned: bool


def set_aside(
    session: Session,
    submission: Submission,
    actor_id: uuid.UUID,
    kind: AsideKind,
    *,
    fields: Sequence[str] = (),
    note: str | None = None,
    until: datetime | None = None,
) -> None:
    """Set a waiting entry, which the caller has locked, aside; this replaces what it was set aside for before.

    `fields`: what is asked for; needed for ASKED, empty for PARKED. Without `until` it comes back after
    `USUAL_TIME`. Raises ConflictError for an entry that does not wait, and InvalidInputError for a field that its
    form does not have, nothing to ask for, a note that is too long, or a time that has passed or is too far away.
    """
    if submission.status not in _WAITING:
        raise ConflictError(Conflict.ENTRY_NOT_WAITING, entry_status=submission.status)
    asked = _asked(submission, fields) if kind is AsideKind.ASKED else []
    note = checked_note(note)
    now = utcnow()
    until = until or now + USUAL_TIME[kind]
    if not now < until <= now + LONGEST:
        raise InvalidInputError(Refused.ASIDE_UNTIL)
    end_aside(session, submission.id, AsideEnd.REPLACED)
    session.add(
        SetAside(
            submission_id=submission.id,
            season_id=submission.season_id,
            kind=kind.value,
            fields=asked,
            note=note,
            until=until,
            created_by=actor_id,
        )
    )
    message = Message.of(_TOLD[kind], date=until.date().isoformat(), **({"fields": asked} if asked else {}))
    session.add(event(submission, kind.value, actor_id, reason=note, message=message))
    session.flush()


def _asked(submission: Submission, fields: Sequence[str]) -> list[str]:
    """Return the fields in the order of the form. Raises InvalidInputError."""
    order = [
        name
        for name in fields_of_form(submission.profile, submission.profile_version)
        if name not in derived_fields()
    ]
    if unknown := sorted(set(fields) - set(order)):
        raise InvalidInputError(Refused.NO_SUCH_FIELD, names=unknown)
    if not fields:
        raise InvalidInputError(Refused.NOTHING_ASKED_FOR)
    return [name for name in order if name in fields]


def put_back(session: Session, submission: Submission, actor_id: uuid.UUID) -> None:
    """Put an entry that was set aside back in the queue at a person's request; ignore any other entry."""
    if end_aside(session, submission.id, AsideEnd.TAKEN_BACK) is not None:
        session.add(event(submission, "put_back", actor_id))


def is_aside(
    submission_id: InstrumentedAttribute[uuid.UUID] | ColumnElement[uuid.UUID], kind: AsideKind | None = None
) -> ColumnElement[bool]:
    """Return the condition that the entry of this id is set aside now: not ended, and its time has not passed.

    `kind`: only if it is set aside in this way.
    """
    return standing_asides(kind).where(SetAside.submission_id == submission_id).exists()


def standing_asides(kind: AsideKind | None = None) -> Select[Any]:
    """Return the query of rows that set an entry aside now, in this way if a `kind` is given."""
    found = select(SetAside.id).where(SetAside.ended_at.is_(None), SetAside.until > func.now())
    return found if kind is None else found.where(SetAside.kind == kind.value)


def aside_of(session: Session, submission_id: uuid.UUID) -> AsideView | None:
    """Return what the entry is set aside for, even if its time has passed; None if that has ended."""
    query = with_aside(select(Submission.id).where(Submission.id == submission_id), Submission.id)
    row = session.execute(query).one_or_none()
    return None if row is None else aside_in(row)


def with_aside(query: Select[Any], submission_id: Any) -> Select[Any]:
    """Add to a query what `aside_in` reads from its rows: what the entry of this id is set aside for."""
    setter = aliased(Profile)
    return (
        query.outerjoin(SetAside, and_(SetAside.submission_id == submission_id, SetAside.ended_at.is_(None)))
        .outerjoin(setter, setter.id == SetAside.created_by)
        .add_columns(
            SetAside.kind.label("aside_kind"),
            SetAside.fields.label("aside_fields"),
            SetAside.note.label("aside_note"),
            SetAside.until.label("aside_until"),
            SetAside.created_at.label("aside_since"),
            (SetAside.until <= func.now()).label("aside_returned"),
            name_of(setter).label("aside_by"),
        )
    )


def aside_in(row: Any) -> AsideView | None:
    """Return what the entry of a row of `with_aside` is set aside for, even if its time has passed."""
    if row.aside_kind is None:
        return None
    return AsideView(
        AsideKind(row.aside_kind),
        tuple(row.aside_fields),
        row.aside_note,
        row.aside_until,
        row.aside_by,
        row.aside_since,
        row.aside_returned,
    )


# The one queue of what waits for a person: entries with a proposal or an escalation, oldest first.


PAGE_SIZE = 25
#: Counts stop here: what matters is whether much is left.
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
        return RowPage(_rows(session, found), after, before)


def next_waiting(
    context: Context, wanted: WaitingFilter, after: uuid.UUID | None, person_id: uuid.UUID | None
) -> WaitingItem | None:
    """Return the item after `after` that no other person holds, starting again from the first; None without one.

    `after` is the id of a proposal or an escalation, which may be decided already.
    """
    with context.database.session() as session:
        return _next(session, wanted, person_id, _place_of(session, after), after)


def waiting_beside(
    context: Context, wanted: WaitingFilter, item_id: uuid.UUID, person_id: uuid.UUID | None
) -> tuple[WaitingItem | None, WaitingItem | None]:
    """Return the next item, as `next_waiting` does, and the last one before `item_id` that nobody else holds."""
    with context.database.session() as session:
        there = _place_of(session, item_id)
        before = None if there is None else _first(session, wanted, person_id, there, backwards=True)
        return _next(session, wanted, person_id, there, item_id), before


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
    with context.database.session() as session:
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
    given = {"person_id": person_id, "but": but} | (
        {"created_at": created_at, "item_id": item_id} if there else {}
    )
    found = session.execute(_first_query(wanted, there is not None, backwards), given).first()
    return None if found is None else WaitingItem(found.kind, found.id, found.submission_id)


@lru_cache(maxsize=128)
def _first_query(wanted: WaitingFilter, is_placed: bool, backwards: bool) -> Query:
    """Return the query of `_first`, which takes longer to build than to carry out."""
    created_at, item_id = (
        bindparam("created_at", type_=DateTime(timezone=True)),
        bindparam("item_id", type_=Uuid()),
    )
    there = (created_at, item_id) if is_placed else None
    person_id, but = bindparam("person_id", type_=Uuid()), bindparam("but", type_=Uuid())
    both = _both(wanted, 1, there, backwards, person_id, but)
    return _ordered(select(both), both, backwards).limit(1)


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
        built(
            WaitingRow,
            row,
            reason_codes=list(row.review_reason_codes),
            missing_fields=list(row.missing_fields),
            filename=row.original_filename,
            fields=values.get(row.id, []),
            aside=aside_in(row),
        )
        for row in found
    ]
