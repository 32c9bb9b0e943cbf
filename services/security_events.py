"""The record of events: add to it in the transaction of what happened, and remove what is older than its term."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

from sqlalchemy import func, literal, select
from sqlalchemy.orm import Session

from core.models import SecurityEvent, SecurityEventKind
from services.context import Context


def record_event(
    session: Session,
    kind: SecurityEventKind,
    *,
    actor_id: uuid.UUID | None = None,
    subject_id: uuid.UUID | None = None,
    network: str = "",
    **details: Any,
) -> None:
    """Add an event in the caller's transaction.

    `actor_id` did it, None for the command line and for somebody unknown; `subject_id` is the account that it was
    done to. `details` are JSON values by the keys of `services.event_log.details.EventDetail`; they hold no
    password, token or text that somebody typed into a form of sign-in.
    """
    session.add(
        SecurityEvent(kind=kind.value, actor_id=actor_id, subject_id=subject_id, network=network, details=details)
    )


def record_export(context: Context, actor_id: uuid.UUID, what: str, rows: int) -> None:
    """Record that a person has taken data out: what, in a word, and how many rows."""
    with context.database.session() as session:
        record_event(session, SecurityEventKind.EXPORTED, actor_id=actor_id, what=what, rows=rows)


def purge_security_events(context: Context) -> int:
    """Remove the events that are older than EVENT_DAYS and return how many there were.

    Nothing else removes any: the database refuses it.
    """
    kept = timedelta(days=context.settings.event_days)
    with context.database.session() as session:
        gone = session.scalar(select(func.public.purge_security_events(literal(kept))))
    return int(gone or 0)
