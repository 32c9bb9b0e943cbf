"""Record who looked at which entry: one row for each person, entry and kind in ten minutes."""

from __future__ import annotations

import threading
import time
import uuid
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, and_, literal, select
from sqlalchemy.dialects.postgresql import insert

from core.models import Escalation, ReviewSuggestion, SecurityEvent, SecurityEventKind, Submission, Upload
from services.context import Context

SLOT_SECONDS = 600
_MOST_REMEMBERED = 10_000


@dataclass(frozen=True)
class Seen:
    """What was looked at; the first that is given says which entries these are."""

    submission_id: uuid.UUID | None = None
    suggestion_id: uuid.UUID | None = None
    escalation_id: uuid.UUID | None = None
    upload_id: uuid.UUID | None = None
    #: A page of the upload; without one, all its entries.
    page_no: int | None = None


class _Remembered:
    """What this process has recorded in the present slot, so that most requests write nothing."""

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


def record_view(context: Context, actor_id: uuid.UUID, kind: SecurityEventKind, seen: Seen) -> None:
    """Record the view, unless it is recorded for these ten minutes already; of what does not exist, nothing.

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
    with context.database.statement() as session:
        session.execute(insert(SecurityEvent).from_select(columns, rows).on_conflict_do_nothing())
    _remembered.add(key, slot)


def _on_page(seen: Seen) -> list[ColumnElement[bool]]:
    if seen.page_no is None:
        return []
    return [literal(seen.page_no).between(Submission.page_start, Submission.page_end)]


def _wanted(seen: Seen) -> ColumnElement[bool]:
    if seen.submission_id is not None:
        return Submission.id == seen.submission_id
    if seen.suggestion_id is not None:
        of = select(ReviewSuggestion.submission_id).where(ReviewSuggestion.id == seen.suggestion_id)
        return Submission.id == of.scalar_subquery()
    if seen.escalation_id is not None:
        of = select(Escalation.submission_id).where(Escalation.id == seen.escalation_id)
        return Submission.id == of.scalar_subquery()
    return Upload.id == seen.upload_id
