"""The log of events for admins: listed, filtered, exported."""

from __future__ import annotations

import json
import re
import threading
import time
import uuid
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, DateTime, Select, and_, cast, func, literal, or_, select, union
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import aliased

from core.messages import LabelledEnum
from core.models import Escalation, Profile, ReviewSuggestion, SecurityEvent, SecurityEventKind, Submission, Upload
from services.accounts.person import name_of
from services.context import Context
from services.entries.listing import SubmissionFilter
from services.keyset import RowPage, fetch_page


class EventDetail(LabelledEnum):
    """Keys of an event's details."""

    BROWSER = "browser", "Browser"
    ROLE = "role", "Role"
    BEFORE = "before", "Before"
    TOKEN = "token", "Token"
    SCOPES = "scopes", "Permissions"
    WHAT = "what", "What"
    ROWS = "rows", "Rows"
    SEASON = "season", "Season"
    FILTERS = "filters", "Filters"
    RULES = "rules", "Rules"
    FORM = "form", "Form"
    VERSION = "version", "Version"
    STEP = "step", "Step"
    STATE = "state", "State"
    SCHOOL = "school", "School"
    DOCUMENT = "document", "Document"
    BATCH = "batch", "Code of the upload"
    OLD = "old", "Before"
    NEW = "new", "After"


class ChangedPart(LabelledEnum):
    """Keys of the old and the new values of a change."""

    NAME = "name", "Name"
    SPELLINGS = "spellings", "Other spellings"
    EMAIL = "email", "E-mail address"
    CITY = "city", "City"
    DISTRICT = "district", "District"
    OFFICE = "office", "Office"
    CONTACT = "contact", "Contact"
    TEXTS = "texts", "Texts"
    EXPECTED = "expected", "Entries expected"
    RECEIVED = "received", "Date received"


def json_lines(rows: Iterable[EventRow]) -> Iterator[str]:
    """Yield one JSON object a line; times in ISO 8601, ids as text."""
    for row in rows:
        yield json.dumps(asdict(row) | {"created_at": row.created_at.isoformat()}, default=str) + "\n"


# Record who looked at which entry: one row for each person, entry and kind in ten minutes.


SLOT_SECONDS = 600
_MOST_REMEMBERED = 10_000


@dataclass(frozen=True)
class ViewTarget:
    """What a person looked at; the first field that is set decides which entries these are."""

    submission_id: uuid.UUID | None = None
    suggestion_id: uuid.UUID | None = None
    escalation_id: uuid.UUID | None = None
    upload_id: uuid.UUID | None = None
    #: A page of the upload; without one, all its entries.
    page_no: int | None = None


class _Remembered:
    """What this process has recorded in the current ten minutes, so that most requests write nothing."""

    def __init__(self) -> None:
        self._slots: OrderedDict[Any, int] = OrderedDict()
        self._lock = threading.Lock()

    def has(self, key: Any, slot: int) -> bool:
        with self._lock:
            return self._slots.get(key) == slot

    def add(self, key: Any, slot: int) -> None:
        with self._lock:
            self._slots[key] = slot
            self._slots.move_to_end(key)
            if len(self._slots) > _MOST_REMEMBERED:
                self._slots.popitem(last=False)


_remembered = _Remembered()


def record_view(context: Context, actor_id: uuid.UUID, kind: SecurityEventKind, seen: ViewTarget) -> None:
    """Record the view, unless these ten minutes have it already; record nothing for what does not exist.

    A file that has no entries yet is recorded by itself.
    """
    slot = int(time.time()) // SLOT_SECONDS
    key = (actor_id, kind, seen)
    if _remembered.has(key, slot):
        return
    entries = and_(Submission.upload_id == Upload.id, *_on_page(seen))
    rows = (
        select(literal(kind.value), literal(actor_id), Submission.id, Upload.id, literal(slot))
        .select_from(Upload)
        .outerjoin(Submission, entries)
        .where(_wanted(seen))
    )
    columns = ["kind", "actor_id", "submission_id", "upload_id", "slot"]
    context.database.execute(insert(SecurityEvent).from_select(columns, rows).on_conflict_do_nothing())
    _remembered.add(key, slot)


def _on_page(seen: ViewTarget) -> list[ColumnElement[bool]]:
    if seen.page_no is None:
        return []
    return [literal(seen.page_no).between(Submission.page_start, Submission.page_end)]


def _wanted(seen: ViewTarget) -> ColumnElement[bool]:
    if seen.submission_id is not None:
        return Submission.id == seen.submission_id
    if seen.suggestion_id is not None:
        of = select(ReviewSuggestion.submission_id).where(ReviewSuggestion.id == seen.suggestion_id)
        return Submission.id == of.scalar_subquery()
    if seen.escalation_id is not None:
        of = select(Escalation.submission_id).where(Escalation.id == seen.escalation_id)
        return Submission.id == of.scalar_subquery()
    return Upload.id == seen.upload_id


PAGE_SIZE = 50
_EXPORT_PAGE = 1000
#: Most entries that `find_submissions` returns.
MOST_ENTRIES = 50
#: Beginnings of an entry's code; pages show the first eight.
_CODE = re.compile(r"[0-9a-f]{4,32}")
_VIEWS = (SecurityEventKind.SUBMISSION_VIEWED.value, SecurityEventKind.PAGES_VIEWED.value)


@dataclass(frozen=True)
class EventFilter:
    """Filters of the record; None does not filter."""

    kind: str | None = None
    #: E-mail address of the actor or of the account concerned.
    person: str | None = None
    #: Entries that `find_submissions` returned; an empty tuple matches no event.
    submission_ids: tuple[uuid.UUID, ...] | None = None
    #: First and last day, in the time zone of the office.
    first: date | None = None
    last: date | None = None


@dataclass(frozen=True)
class EventRow:
    """One event, with current names; None for accounts that no longer exist."""

    id: uuid.UUID
    created_at: datetime
    kind: str
    actor_id: uuid.UUID | None
    actor: str | None
    subject_id: uuid.UUID | None
    subject: str | None
    submission_id: uuid.UUID | None
    upload_id: uuid.UUID | None
    #: The batch of the file; None for a file that no longer exists.
    batch_id: uuid.UUID | None
    network: str
    details: dict[str, Any]


@dataclass(frozen=True)
class Viewer:
    """A person who looked at an entry or its pages."""

    #: None for an account that no longer exists.
    name: str | None
    last: datetime
    #: Number of ten-minute spans with a view.
    times: int


def find_submissions(context: Context, text: str) -> tuple[uuid.UUID, ...]:
    """Return the entries of any season whose code begins with the text, else those whose names have its words.

    At most `MOST_ENTRIES`, the newest first. An erased entry is found by its code as long as it has events.
    """
    code = text.strip().lower().replace("-", "")
    with context.database.session() as session:
        if _CODE.fullmatch(code):
            first, last = uuid.UUID(code.ljust(32, "0")), uuid.UUID(code.ljust(32, "f"))
            by_code = [
                select(column.label("id")).where(column.between(first, last))
                for column in (Submission.id, SecurityEvent.submission_id)
            ]
            if found := session.scalars(union(*by_code).limit(MOST_ENTRIES)).all():
                return tuple(one for one in found if one is not None)
        named = SubmissionFilter(text=text).conditions(session)
        if not named:
            return ()
        newest = select(Submission.id).where(*named).order_by(Submission.created_at.desc(), Submission.id)
        return tuple(session.scalars(newest.limit(MOST_ENTRIES)))


def viewers_of(context: Context, submission_id: uuid.UUID) -> list[Viewer]:
    """Return who looked at an entry or its pages, the most recent first."""
    last = func.max(SecurityEvent.created_at)
    with context.database.reading() as session:
        rows = session.execute(
            select(name_of(Profile), last, func.count())
            .select_from(SecurityEvent)
            .outerjoin(Profile, Profile.id == SecurityEvent.actor_id)
            .where(SecurityEvent.submission_id == submission_id, SecurityEvent.kind.in_(_VIEWS))
            .group_by(Profile.id, SecurityEvent.actor_id)
            .order_by(last.desc())
        )
        return [Viewer(*row) for row in rows]


def list_events(
    context: Context, wanted: EventFilter, cursor: str | None = None, limit: int = PAGE_SIZE
) -> RowPage[EventRow]:
    """Return one page of events, newest first. Raises InvalidInputError for a bad cursor."""
    with context.database.reading() as session:
        rows, after, before = fetch_page(
            session,
            _query(wanted, context.settings.office_timezone),
            SecurityEvent.created_at,
            SecurityEvent.id,
            cursor,
            limit,
        )
    return RowPage([EventRow(**row._asdict()) for row in rows], after, before)


def every_event(context: Context, wanted: EventFilter) -> Iterator[EventRow]:
    """Yield all events, newest first; each page has its own transaction, so that a slow reader holds none open."""
    cursor: str | None = None
    while True:
        page = list_events(context, wanted, cursor, _EXPORT_PAGE)
        yield from page.rows
        cursor = page.next
        if cursor is None:
            return


def count_events(context: Context, wanted: EventFilter) -> int:
    """Return how many events `every_event` yields."""
    with context.database.reading() as session:
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
            Upload.batch_id,
            SecurityEvent.network,
            SecurityEvent.details,
        )
        .outerjoin(actor, actor.id == SecurityEvent.actor_id)
        .outerjoin(subject, subject.id == SecurityEvent.subject_id)
        .outerjoin(Upload, Upload.id == SecurityEvent.upload_id)
        .where(*_conditions(wanted, zone))
    )


def _conditions(wanted: EventFilter, zone: str) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = []
    if wanted.kind is not None:
        found.append(SecurityEvent.kind == wanted.kind)
    if wanted.person is not None:
        known = select(Profile.id).where(func.lower(Profile.email) == wanted.person.lower()).scalar_subquery()
        found.append(or_(SecurityEvent.actor_id == known, SecurityEvent.subject_id == known))
    if wanted.submission_ids is not None:
        found.append(SecurityEvent.submission_id.in_(wanted.submission_ids))
    if wanted.first is not None:
        found.append(SecurityEvent.created_at >= func.timezone(zone, cast(wanted.first, DateTime)))
    if wanted.last is not None:
        # Added by the database, whose calendar continues after Python's last day.
        end = cast(wanted.last, DateTime) + timedelta(days=1)
        found.append(SecurityEvent.created_at < func.timezone(zone, end))
    return found
