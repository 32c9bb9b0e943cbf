"""The record of events, filtered, page by page."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Select, func, or_, select
from sqlalchemy.orm import aliased

from core.models import Profile, SecurityEvent
from services.accounts.person_name import name_of
from services.context import Context
from services.keyset import Page, fetch_page

PAGE_SIZE = 50
_EXPORT_PAGE = 1000


@dataclass(frozen=True)
class EventFilter:
    """Filters of the record; None does not filter."""

    kind: str | None = None
    #: The e-mail address of who did it or of whom it was done to.
    person: str | None = None
    submission_id: uuid.UUID | None = None
    #: First and last day, in the time zone of the office.
    first: date | None = None
    last: date | None = None


@dataclass(frozen=True)
class EventRow:
    """One event; the names are those of today, None for accounts that are gone."""

    id: uuid.UUID
    created_at: datetime
    kind: str
    actor_id: uuid.UUID | None
    actor: str | None
    subject_id: uuid.UUID | None
    subject: str | None
    submission_id: uuid.UUID | None
    upload_id: uuid.UUID | None
    network: str
    details: dict[str, Any]


def list_events(
    context: Context, wanted: EventFilter, cursor: str | None = None, limit: int = PAGE_SIZE
) -> Page[EventRow]:
    """Return one page of events, newest first. Raises InvalidInputError for a bad cursor."""
    with context.database.session() as session:
        rows, after, before = fetch_page(
            session,
            _query(wanted, context.settings.office_timezone),
            SecurityEvent.created_at,
            SecurityEvent.id,
            cursor,
            limit,
        )
    return Page([EventRow(**row._asdict()) for row in rows], after, before)


def every_event(context: Context, wanted: EventFilter) -> Iterator[EventRow]:
    """Yield all events, newest first; each page is a transaction of its own, however slowly they are taken."""
    cursor: str | None = None
    while True:
        page = list_events(context, wanted, cursor, _EXPORT_PAGE)
        yield from page.rows
        cursor = page.next
        if cursor is None:
            return


def count_events(context: Context, wanted: EventFilter) -> int:
    """Return how many events `every_event` yields."""
    with context.database.session() as session:
        where = _conditions(wanted, context.settings.office_timezone)
        return session.scalars(select(func.count(SecurityEvent.id)).where(*where)).one()


def _query(wanted: EventFilter, zone: str) -> Select[*tuple[Any, ...]]:
    actor, subject = aliased(Profile), aliased(Profile)
    return (
        select(
            SecurityEvent.id,
            SecurityEvent.created_at,
            SecurityEvent.kind,
            SecurityEvent.actor_id,
            name_of(actor).label("actor"),
            SecurityEvent.subject_id,
            name_of(subject).label("subject"),
            SecurityEvent.submission_id,
            SecurityEvent.upload_id,
            SecurityEvent.network,
            SecurityEvent.details,
        )
        .outerjoin(actor, actor.id == SecurityEvent.actor_id)
        .outerjoin(subject, subject.id == SecurityEvent.subject_id)
        .where(*_conditions(wanted, zone))
    )


def _conditions(wanted: EventFilter, zone: str) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = []
    if wanted.kind is not None:
        found.append(SecurityEvent.kind == wanted.kind)
    if wanted.person is not None:
        known = select(Profile.id).where(func.lower(Profile.email) == wanted.person.lower()).scalar_subquery()
        found.append(or_(SecurityEvent.actor_id == known, SecurityEvent.subject_id == known))
    if wanted.submission_id is not None:
        found.append(SecurityEvent.submission_id == wanted.submission_id)
    if wanted.first is not None:
        found.append(SecurityEvent.created_at >= func.timezone(zone, wanted.first))
    if wanted.last is not None:
        found.append(SecurityEvent.created_at < func.timezone(zone, wanted.last + timedelta(days=1)))
    return found
