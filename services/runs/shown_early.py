"""Entries of a file whose pages are still being read: shown to a person early, and again after the joint pass.

Only an entry that the machine would not complete is shown early. The pass changes it as it changes the others,
unless a person has it open or has done anything to it.
"""

from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy import ColumnElement, Select, or_, select, update
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.file_store import FileStore
from core.models import (
    ReviewEvent,
    Run,
    RunStatus,
    Submission,
    SubmissionStatus,
)
from core.models.leases import ESCALATION_HOLDS, RUN_LEASES, SUGGESTION_HOLDS
from pipeline.orchestrator.artifacts import artifact_dir_of, load_reading, store_reading
from services.audit import event
from services.runs.next_run import next_run
from services.runs.pending_items import supersede_items

_BEFORE_A_PERSON = (SubmissionStatus.SUGGESTED.value, SubmissionStatus.ESCALATED.value)
_STOPPED = (RunStatus.SETTLED.value, RunStatus.INTERRUPTED.value)


def untouched(session: Session, upload_id: uuid.UUID) -> list[str]:
    """Return the runs of the file's entries that were shown early and that no person holds or has changed."""
    return list(session.scalars(_shown().where(Submission.upload_id == upload_id, _is_untouched())))


def read_anew(session: Session, run_id: str, changes: list[dict[str, Any]]) -> str | None:
    """Let a run that was shown early be followed by one with the changes of the pass; return the id of that one.

    Returns None, and changes nothing, if there are no changes or a person has come first. The reading must have
    been handed on with `hand_on`.
    """
    if not changes:
        return None
    submission_id, _, _ = run_id.rpartition(":")
    # A decision locks in this order too: entry, run, item.
    session.get_one(Submission, uuid.UUID(submission_id), with_for_update={"key_share": True})
    run = session.scalar(
        select(Run)
        .where(Run.run_id.in_(_shown().where(Run.run_id == run_id, _is_untouched())))
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
    session.add(event(submission, "read_again"))
    return following.run_id


def hand_on(store: FileStore, run_id: str) -> None:
    """Store the reading of a run as that of the entry's next run; safe to repeat. Raises NotFoundError."""
    submission_id, _, run_no = run_id.rpartition(":")
    record, report = load_reading(store, artifact_dir_of(submission_id, int(run_no)))
    folder = artifact_dir_of(submission_id, int(run_no) + 1)
    store_reading(store, record.model_copy(update={"artifact_dir": folder}), report)


def end_showing(session: Session, upload_id: uuid.UUID) -> None:
    """Record that the joint pass over the file has run for all that was shown early."""
    of_upload = select(Submission.id).where(Submission.upload_id == upload_id)
    session.execute(update(Run).where(Run.shown_early, Run.submission_id.in_(of_upload)).values(shown_early=False))


def _shown() -> Select[str]:
    return (
        select(Run.run_id)
        .join(Submission, Submission.id == Run.submission_id)
        .where(
            Run.shown_early,
            Run.status.in_(_STOPPED),
            Run.run_no == Submission.run_no,
            Submission.status.in_(_BEFORE_A_PERSON),
        )
    )


def _is_untouched() -> ColumnElement[bool]:
    by_person = select(ReviewEvent.id).where(
        ReviewEvent.submission_id == Submission.id, ReviewEvent.actor_id.is_not(None)
    )
    held = [
        select(holds.key).where(holds.row.submission_id == Submission.id, holds.unexpired()).exists()
        for holds in (SUGGESTION_HOLDS, ESCALATION_HOLDS)
    ]
    return ~or_(by_person.exists(), *held)
