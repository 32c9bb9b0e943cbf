"""Record that entries were taken out."""

from __future__ import annotations

import uuid

from sqlalchemy.orm import Session

from core.models import Season, SecurityEventKind
from services.entries.submission_filter import SubmissionFilter
from services.security_events import record_event


def record_made(
    session: Session, actor_id: uuid.UUID | None, what: str, rows: int, season: Season, wanted: SubmissionFilter
) -> None:
    """Add the event in the caller's transaction: `what` is kind and format, `rows` the number of entries.

    The record outlives the entries: of words that were searched for it says only that there were some.
    """
    record_event(
        session,
        SecurityEventKind.EXPORTED,
        actor_id=actor_id,
        what=what,
        rows=rows,
        season=season.name,
        filters=[name if name == "text" else f"{name}={value}" for name, value in wanted.to_json().items()],
    )
