"""The audit trail: create the event of a change to an entry, with its run and version; what people write in it."""

from __future__ import annotations

import uuid

from core.errors import InvalidInputError
from core.messages import Message
from core.models import ReviewEvent, Submission
from services.messages.refused import Refused

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

    `reason` is text written by a person, `message` the machine's explanation. `version` is the entry's own unless
    given: pass it if the change has not raised the entry's version yet. Raises InvalidInputError for
    a long reason.
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
