"""The log of security events, and what each action adds to it."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from sqlalchemy import func, insert, literal, select
from sqlalchemy.orm import Session

from core.errors import InvalidInputError
from core.messages import Message
from core.models import ReviewEvent, SecurityEvent, SecurityEventKind, Submission
from services.context import Context
from services.messages.entries import Refused

#: Characters of a reason or a note, wherever a person gives one.
LONGEST_NOTE = 2000


def checked_note(text: str | None) -> str | None:
    """Return a reason or a note as it is stored; None if it is empty. Raises InvalidInputError for a long one."""
    note = (text or "").strip() or None
    if note is not None and len(note) > LONGEST_NOTE:
        raise InvalidInputError(Refused.NOTE_TOO_LONG, limit=LONGEST_NOTE)
    return note


def event(
    submission: Submission,
    kind: str,
    actor_id: uuid.UUID | None = None,
    *,
    reason: str | None = None,
    message: Message | None = None,
    field_name: str | None = None,
    before: str | None = None,
    after: str | None = None,
    version: int | None = None,
) -> ReviewEvent:
    """Return a new event; the caller adds it in the transaction of the change. No actor means the machine.

    `reason` is text written by a person, `message` the machine's explanation. `version` defaults to
    the entry's: pass it if the change has not raised that yet. Raises InvalidInputError for a long reason.
    """
    return ReviewEvent(
        season_id=submission.season_id,
        submission_id=submission.id,
        actor_id=actor_id,
        kind=kind,
        field_name=field_name,
        before_value=before,
        after_value=after,
        reason=checked_note(reason),
        message=message,
        run_no=submission.run_no,
        version=submission.version if version is None else version,
    )


def tell_values(
    session: Session,
    submission: Submission,
    kind: str,
    before: Mapping[str, str | None],
    after: Mapping[str, str | None],
    actor_id: uuid.UUID | None = None,
    *,
    reason: str | None = None,
    message: Message | None = None,
) -> None:
    """Add an event for each field of `after` whose value was another one before. See `event`."""
    for name, value in after.items():
        was = before.get(name)
        if was != value:
            told = event(
                submission,
                kind,
                actor_id,
                reason=reason,
                message=message,
                field_name=name,
                before=was,
                after=value,
            )
            session.add(told)


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

    `actor_id` is who did it, None for the command line and for an unknown person; `subject_id` is the account
    concerned. `details` are JSON values by the keys of `services.event_log.EventDetail`; they hold no password,
    token or text that somebody typed into a sign-in form.
    """
    session.add(
        SecurityEvent(kind=kind.value, actor_id=actor_id, subject_id=subject_id, network=network, details=details)
    )


def record_change(
    session: Session,
    kind: SecurityEventKind,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    *,
    actor_id: uuid.UUID | None,
    **details: Any,
) -> None:
    """Add an event with the old and the new values that differ; none if all are the same.

    Values go by the keys of `services.event_log.ChangedPart`. What one side does not have, or has as None, stands
    on the other alone.
    """
    record_changes(session, kind, [(before, after, details)], actor_id=actor_id)


def record_changes(
    session: Session,
    kind: SecurityEventKind,
    changes: Iterable[tuple[Mapping[str, Any], Mapping[str, Any], Mapping[str, Any]]],
    *,
    actor_id: uuid.UUID | None,
) -> None:
    """Add the event of each change, (before, after, details), as `record_change` does, in one statement."""
    rows = []
    for before, after, details in changes:
        differ = [key for key in {**before, **after} if before.get(key) != after.get(key)]
        sides = {
            name: {key: side[key] for key in differ if side.get(key) is not None}
            for name, side in (("old", before), ("new", after))
        }
        if differ:
            told = {**details, **{name: known for name, known in sides.items() if known}}
            rows.append({"kind": kind.value, "actor_id": actor_id, "details": told})
    if rows:
        session.execute(insert(SecurityEvent), rows)


def record_export(context: Context, actor_id: uuid.UUID, what: str, rows: int) -> None:
    """Record that a person has exported data: `what` in one word, and the number of rows."""
    with context.database.session() as session:
        record_event(session, SecurityEventKind.EXPORTED, actor_id=actor_id, what=what, rows=rows)


def purge_security_events(context: Context) -> int:
    """Remove the events that are older than EVENT_DAYS and return how many there were.

    The database refuses to remove events in any other way.
    """
    kept = timedelta(days=context.settings.event_days)
    gone = context.database.scalar(select(func.public.purge_security_events(literal(kept))))
    return int(gone or 0)
