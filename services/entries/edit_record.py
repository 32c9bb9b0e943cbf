"""A person corrects values of a settled or waiting entry, outside of a proposal."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from core.errors import ConflictError, InvalidInputError
from core.messages import Message
from core.models import DecisionKind, SubmissionStatus
from pipeline.validation.policy import Policy
from services.context import Context
from services.entries.apply_decision import apply_values, cleaned_values, tell_edits
from services.entries.decided_rows import (
    keep_decision,
    latest_run,
    refuse_if_held,
    tell_items,
    win_entry,
)
from services.entries.effort import Effort
from services.entries.snapshot import snapshot
from services.messages.conflict import Conflict
from services.messages.event import EventReason
from services.messages.refused import Refused
from services.runs.settle_run import escalate, still_incomplete

_WAITING = (SubmissionStatus.SUGGESTED, SubmissionStatus.ESCALATED)
_SETTLED = (SubmissionStatus.COMPLETED, SubmissionStatus.RESOLVED)
#: Statuses of entries whose values a person may change.
EDITABLE = frozenset({*_WAITING, *_SETTLED})


@dataclass(frozen=True)
class BulkOf:
    """A change of many entries of one season."""

    id: uuid.UUID
    #: The season's, made once for all of them: it looks through every entry for the schools that these teach.
    policy: Policy


@dataclass(frozen=True)
class Edited:
    """Status of the entry after a correction."""

    submission_id: uuid.UUID
    version: int
    status: SubmissionStatus
    missing: list[str]
    #: The id that `undo_decision` takes.
    decision_id: uuid.UUID


def edit_record(
    context: Context,
    actor_id: uuid.UUID,
    submission_id: uuid.UUID,
    version: int,
    values: Mapping[str, str | None],
    reason: str | None = None,
    bulk: BulkOf | None = None,
) -> Edited:
    """Write the values. A waiting entry keeps waiting; a settled entry that is now incomplete waits again.

    Raises ConflictError, saying who did what, if the entry has changed since `version`, another person holds it
    or it is neither settled nor waiting; InvalidInputError for an invalid value. `bulk`: what it is a part of.
    """
    cleaned = cleaned_values(values)
    if not cleaned:
        raise InvalidInputError(Refused.NO_VALUE)
    with context.database.session() as session:
        submission = win_entry(session, submission_id, version)
        status = SubmissionStatus(submission.status)
        if status not in EDITABLE:
            raise ConflictError(Conflict.ENTRY_NOT_WAITING, entry_status=status)
        refuse_if_held(session, submission_id, actor_id)
        run = latest_run(session, submission)
        before = snapshot(session, submission, run, list(cleaned))
        policy = None if bulk is None else bulk.policy
        standing = apply_values(session, context.settings, submission, cleaned, policy=policy, actor_id=actor_id)
        told = None if bulk is None else Message.of(EventReason.AMONG_MANY)
        tell_edits(session, submission, actor_id, standing, reason, message=told)
        before["escalates"] = False
        if status in _WAITING:
            submission.status, submission.needs_review = status.value, True
            tell_items(session, submission_id, standing.changed)
        elif standing.status == SubmissionStatus.ESCALATED:
            escalate(session, run, still_incomplete(standing.missing), {"missing_fields": standing.missing})
            before["escalates"] = True
        decision_id = keep_decision(
            session,
            submission,
            actor_id,
            DecisionKind.EDIT,
            before,
            bulk_id=None if bulk is None else bulk.id,
            effort=Effort(len(standing.changed)),
            measured=context.settings.measure_review_effort,
        )
        return Edited(
            submission.id,
            submission.version,
            SubmissionStatus(submission.status),
            standing.missing,
            decision_id,
        )
