"""Counts of every kind, of today and of the period before, for pages that show them."""

from __future__ import annotations

from datetime import date, timedelta

from sqlalchemy.orm import Session

from core.clock import utcnow
from tests.support import factories

#: Kind, keys, number and what else is summed.
COUNTS = (
    ("run", ("completed", "confident"), 6, {"total": 12}),
    ("run", ("suggested", "proposed_because"), 3, {"total": 9}),
    ("run", ("escalated", "blank_form"), 2, {"total": 6}),
    ("run", ("escalated", "nothing_to_propose"), 1, {"total": 3}),
    ("field", ("escalated", "nothing_to_propose", "grade"), 1, {}),
    ("doubt", ("escalated", "EMPTY_ESSAY"), 2, {}),
    ("tool", ("run_pipeline",), 12, {}),
    ("tool", ("review_agent",), 3, {}),
    ("offered", ("grade", "not_read_at_first", "second_reading"), 3, {}),
    ("offered", ("school_name", "read_differently_at_first", "school_list"), 2, {}),
    ("decided", ("grade", "not_read_at_first", "second_reading", "approved"), 2, {}),
    ("decided", ("grade", "not_read_at_first", "second_reading", "edited"), 1, {}),
    ("call", ("groq", "small", "ok", "first"), 4, {"total": 2400, "tokens_in": 900, "tokens_out": 60}),
    ("call", ("groq", "small", "http_429", "first"), 1, {"total": 90}),
    ("call", ("groq", "small", "ok", "retry"), 1, {"total": 500, "tokens_in": 200, "cost_usd": "0.002"}),
    ("node", ("run_pipeline", "362"), 9, {"total": 3600}),
    ("node", ("run_pipeline", "1448"), 3, {"total": 4500}),
    ("by_person", ("resolved", "decided_by_person"), 2, {}),
    ("settled", ("machine", "64"), 6, {}),
    ("settled", ("person", "5793"), 2, {}),
    ("effort", ("suggestion", "32"), 2, {"total": 3}),
    ("undone", ("suggestion",), 1, {}),
)


def fill_statistics(session: Session) -> None:
    """Write the counts of today, and some of the period before, which is in an earlier month."""
    today = utcnow().date()
    earlier = today - timedelta(days=31)
    for kind, keys, number, sums in COUNTS:
        _count(session, today, kind, keys, number=number, **sums)
        if number > 1:
            _count(session, earlier, kind, keys, number=number - 1)


def _count(session: Session, day: date, kind: str, keys: tuple[str, ...], **sums: object) -> None:
    for scope, first in (("day", day), ("month", day.replace(day=1))):
        for its_scope in (scope, f"all_{scope}"):
            factories.make_count(session, kind, *keys, scope=its_scope, day=first, **sums)
