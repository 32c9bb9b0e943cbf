"""Give one entry the defaults of its batch after it was read."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy.orm import Session

from core.errors import NotFoundError
from core.messages import Message
from core.models import Run, Submission, SubmissionStatus
from pipeline.supabase_db import fill_defaults, get_record_by_id
from pipeline.validate import can_approve_record, with_missing_codes
from pipeline.validation.defaults import LANGUAGE
from services.audit import event
from services.context import Context
from services.entries.decided_rows import latest_run, lock_entry, tell_items
from services.messages.batch import BatchEvent
from services.runs.anew import hand_on, is_held, read_anew
from services.runs.aside_rows import end_answered
from services.runs.settle_run import escalate, still_incomplete
from services.seasons import season_policy

_OPEN = (SubmissionStatus.SUGGESTED, SubmissionStatus.ESCALATED, SubmissionStatus.COMPLETED)


class Reached(StrEnum):
    """What came of it."""

    CHANGED = "changed"
    #: Somebody has it open.
    HELD = "held"
    #: Somebody has decided it, or it is being read.
    MISSED = "missed"


@dataclass(frozen=True)
class ReachedSubmission:
    """One entry that was to change, and the run that decides it anew."""

    outcome: Reached
    run_id: str | None = None


def reach(
    context: Context,
    actor_id: uuid.UUID,
    submission_id: uuid.UUID,
    changes: Mapping[str, str | None],
    way: Message,
    taken_back: bool,
) -> ReachedSubmission:
    """Give the entry these values, which are in force for its batch by now; nothing that a person typed changes.

    What no person has touched is decided anew from its stored reading. Otherwise, and where that is not kept, the
    values are written, and the entry waits on.
    """
    told = Message.of(BatchEvent.TAKEN_BACK if taken_back else BatchEvent.GIVEN, fields=sorted(changes))
    anew = _handed_on(context, submission_id) if set(changes) != {LANGUAGE} else None
    with context.database.session() as session:
        submission = lock_entry(session, submission_id)
        if submission.status not in _OPEN:
            return ReachedSubmission(Reached.MISSED)
        if is_held(session, submission_id):
            return ReachedSubmission(Reached.HELD)
        if anew is not None and anew.run_id == f"{submission_id}:{submission.run_no}":
            following = read_anew(session, anew.run_id, anew.together or [], reopened=anew.reopened)
            if following is not None:
                session.add(event(submission, "defaults_changed", actor_id, message=told))
                return ReachedSubmission(Reached.CHANGED, following)
        _write(context, session, submission, actor_id, changes, way, told)
        return ReachedSubmission(Reached.CHANGED)


def _handed_on(context: Context, submission_id: uuid.UUID) -> Run | None:
    """Return the entry's run whose reading its next run can begin with; None where that is not kept.

    One that was shown before the joint pass is to be decided anew by that pass alone.
    """
    with context.database.session() as session:
        run = session.get_one(Run, f"{submission_id}:{session.get_one(Submission, submission_id).run_no}")
    if run.shown_early or run.together is None:
        return None
    try:
        hand_on(context.store, run)
    except NotFoundError:
        return None
    return run


def _write(
    context: Context,
    session: Session,
    submission: Submission,
    actor_id: uuid.UUID,
    changes: Mapping[str, str | None],
    way: Message,
    told: Message,
) -> None:
    if LANGUAGE in changes:
        submission.language, submission.language_given = changes[LANGUAGE], changes[LANGUAGE] is not None
    values = {name: value for name, value in changes.items() if name != LANGUAGE}
    if not values:
        session.add(event(submission, "defaults_changed", actor_id, message=told))
        return
    before = fill_defaults(session, submission.id, values, way)
    policy = season_policy(session, submission.season_id, context.settings)
    _, missing = can_approve_record(get_record_by_id(session, submission.id), policy)
    submission.version += 1
    submission.missing_fields = missing
    submission.review_reason_codes = with_missing_codes(submission.review_reason_codes, missing)
    for name, value in values.items():
        session.add(
            event(
                submission,
                "defaults_changed",
                actor_id,
                field_name=name,
                before=before[name],
                after=value,
                message=told,
            )
        )
    tell_items(session, submission.id, values, by_person=False)
    end_answered(session, submission.id, [name for name, value in values.items() if value is not None])
    if submission.status == SubmissionStatus.COMPLETED and missing:
        submission.status, submission.needs_review = SubmissionStatus.ESCALATED.value, True
        run = latest_run(session, submission)
        escalate(session, run, still_incomplete(missing), {"missing_fields": missing})
