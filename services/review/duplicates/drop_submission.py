"""Take an entry out because another one is kept instead of it."""

from __future__ import annotations

import uuid
from typing import Literal

from sqlalchemy.orm import Session

from core.clock import utcnow
from core.messages import Message
from core.models import DecisionKind, RunStatus, Submission, SubmissionStatus
from core.models.leases import RUN_LEASES
from pipeline.messages import RunReason
from services.audit import event
from services.entries.decided_rows import counted_as, keep_decision, latest_run
from services.entries.snapshot import snapshot
from services.messages.event import EventReason
from services.runs.pending_items import supersede_items


def drop_submission(
    session: Session,
    submission: Submission,
    actor_id: uuid.UUID,
    pair_id: uuid.UUID,
    status: Literal[SubmissionStatus.REJECTED, SubmissionStatus.SUPERSEDED],
    *,
    measured: bool,
) -> None:
    """Reject or supersede the entry, which is locked, with what waits of it; its record stays as it is."""
    run = latest_run(session, submission)
    before = snapshot(session, submission, run, ())
    before["suggestions"] = supersede_items(session, submission.id, actor_id)["suggestions"]
    stood = submission.status
    submission.status = run.outcome = status.value
    submission.needs_review = False
    submission.version += 1
    submission.updated_at = utcnow()
    if run.status == RunStatus.INTERRUPTED:
        run.status, run.settled_at = RunStatus.SETTLED.value, utcnow()
        RUN_LEASES.end(run)
    if status is SubmissionStatus.REJECTED:
        before["counted"] = counted_as(status, RunReason.DECIDED_BY_PERSON)
    told = Message.of(EventReason.OTHER_KEPT)
    session.add(event(submission, status.value, actor_id, before=stood, after=status.value, message=told))
    keep_decision(
        session, submission, actor_id, DecisionKind.DUPLICATE, before, item_id=pair_id, measured=measured
    )
