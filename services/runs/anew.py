"""Entries that went on before a joint pass knew of all others: begun anew with what the pass changes.

Only what no person has open or has done anything to is begun anew, with the stored reading; no page is read again.
"""

from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy import ColumnElement, Select, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from core.clock import utcnow
from core.file_store import FileStore
from core.models import (
    EventKind,
    ReviewEvent,
    Run,
    RunStatus,
    Submission,
    SubmissionStatus,
)
from core.models.leases import ESCALATION_HOLDS, RUN_LEASES, SUGGESTION_HOLDS
from pipeline.orchestrator.artifacts import artifact_dir_of, store_reading
from services.audit import event
from services.runs.members_together import first_reading
from services.runs.next_run import next_run
from services.runs.pending_items import supersede_items

_WENT_ON = (
    SubmissionStatus.COMPLETED.value,
    SubmissionStatus.SUGGESTED.value,
    SubmissionStatus.ESCALATED.value,
)
Condition = ColumnElement[bool] | InstrumentedAttribute[bool]
#: What a person says of a whole batch, or of when it came, decides nothing about what an entry says.
_OF_BATCH = (EventKind.DEFAULTS_CHANGED.value, EventKind.RECEIVED_CHANGED.value)
_STOPPED = (RunStatus.SETTLED.value, RunStatus.INTERRUPTED.value)


def by_machine(session: Session, *where: Condition) -> list[str]:
    """Return the latest runs of entries that went on and that no person has done anything to."""
    return list(session.scalars(_went_on().where(~_by_person(), *where)))


def untouched(session: Session, *where: Condition) -> list[str]:
    """Return those of them whose entries no person has open either."""
    return by_machine(session, ~_held(), *where)


def read_anew(
    session: Session, run_id: str, changes: list[dict[str, Any]], *, reopened: bool = False
) -> str | None:
    """Let a run that went on be followed by one with the changes of the pass; return the id of that one.

    The run that follows completes nothing if it is `reopened`. Returns None, and changes nothing, if a person has
    come first. The reading must have been handed on with `hand_on`.
    """
    submission_id, _, _ = run_id.rpartition(":")
    # A decision locks in this order too: entry, run, item.
    session.get_one(Submission, uuid.UUID(submission_id), with_for_update={"key_share": True})
    run = session.scalar(
        select(Run)
        .where(Run.run_id.in_(_went_on().where(Run.run_id == run_id, ~_by_person(), ~_held())))
        .with_for_update(key_share=True)
        .execution_options(populate_existing=True)
    )
    if run is None:
        return None
    submission = session.get_one(Submission, run.submission_id, populate_existing=True)
    supersede_items(session, submission.id, None)
    run.status = run.outcome = RunStatus.SUPERSEDED.value
    RUN_LEASES.end(run)
    run.settled_at = utcnow()
    following = next_run(session, submission, run.options)
    following.together = changes
    following.reopened = reopened
    session.add(event(submission, "read_again"))
    return following.run_id


def is_held(session: Session, submission_id: uuid.UUID) -> bool:
    """Whether a person has the entry open."""
    held = select(Submission.id).where(Submission.id == submission_id, _held())
    return session.scalar(held) is not None


def hand_on(store: FileStore, run: Run) -> None:
    """Store the first reading of a run as that of the entry's next run; safe to repeat. Raises NotFoundError."""
    record, report = first_reading(store, run)
    folder = artifact_dir_of(run.submission_id, run.run_no + 1)
    store_reading(store, record.model_copy(update={"artifact_dir": folder}), report)


def _went_on() -> Select[str]:
    return (
        select(Run.run_id)
        .join(Submission, Submission.id == Run.submission_id)
        .where(
            Run.status.in_(_STOPPED),
            Run.run_no == Submission.run_no,
            Submission.status.in_(_WENT_ON),
        )
    )


def _by_person() -> ColumnElement[bool]:
    return (
        select(ReviewEvent.id)
        .where(
            ReviewEvent.submission_id == Submission.id,
            ReviewEvent.actor_id.is_not(None),
            ReviewEvent.kind.not_in(_OF_BATCH),
        )
        .exists()
    )


def _held() -> ColumnElement[bool]:
    return or_(
        *(
            select(holds.key).where(holds.row.submission_id == Submission.id, holds.unexpired()).exists()
            for holds in (SUGGESTION_HOLDS, ESCALATION_HOLDS)
        )
    )
