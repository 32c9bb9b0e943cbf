"""The audit trail: one event of an entry, with the run and version that it belongs to."""

from __future__ import annotations

import uuid

from core.messages import Message
from core.models import ReviewEvent, Submission


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
    """What happened to the entry; add it in the transaction of the change. No actor: the machine.

    `reason` is what a person wrote; `message`, what the machine says of it.

    `version` is the entry's own unless the change that is told has yet to raise it.
    """
    return ReviewEvent(
        season_id=submission.season_id,
        submission_id=submission.id,
        actor_id=actor_id,
        kind=kind,
        field_name=field_name,
        before_value=before,
        after_value=after,
        reason=reason,
        message=message,
        run_no=submission.run_no,
        version=submission.version if version is None else version,
    )
