"""Supersede entries with their runs and pending items, and restore them."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import and_, or_, select, update
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.messages import Message
from core.models import (
    Escalation,
    EscalationStatus,
    Run,
    RunStatus,
    Submission,
    SubmissionStatus,
)
from core.models.leases import RUN_LEASES
from services.audit import event
from services.runs.pending_items import restore_items, supersede_items
from services.uploads.entries_seen import ACTIVE_RUNS, changed

_READING = (SubmissionStatus.QUEUED.value, SubmissionStatus.PROCESSING.value)
#: Columns that are saved to restore an entry; its record is not changed.
_KEPT = ("status", "needs_review", "error_code", "error_params")


def supersede(
    session: Session, actor_id: uuid.UUID, entries: Sequence[Submission], reason: Message
) -> list[dict[str, Any]]:
    """Supersede entries locked by `lock_entries`; return the saved state of each, for `bring_back`."""
    return [_supersede(session, actor_id, entry, reason) for entry in entries]


def _supersede(session: Session, actor_id: uuid.UUID, entry: Submission, reason: Message) -> dict[str, Any]:
    stood = {name: getattr(entry, name) for name in _KEPT}
    runs = _take_runs(session, entry.id)
    items = supersede_items(session, entry.id, actor_id)
    entry.status = SubmissionStatus.SUPERSEDED.value
    entry.needs_review = False
    entry.error = None
    entry.version += 1
    entry.updated_at = utcnow()
    session.add(event(entry, "superseded", actor_id, before=stood["status"], after=entry.status, message=reason))
    return {"submission_id": str(entry.id), "version": entry.version, **stood, "runs": runs, **items}


def _take_runs(session: Session, submission_id: uuid.UUID) -> list[dict[str, Any]]:
    """Supersede active runs and undecided interrupted ones, and return their state. Decided ones are resumed."""
    undecided = select(Escalation.run_id).where(
        Escalation.submission_id == submission_id, Escalation.status == EscalationStatus.PENDING.value
    )
    waits = and_(Run.status == RunStatus.INTERRUPTED.value, Run.run_id.in_(undecided))
    runs = session.scalars(
        select(Run)
        .where(Run.submission_id == submission_id, or_(Run.status.in_(ACTIVE_RUNS), waits))
        .with_for_update(key_share=True)
    ).all()
    stood = [{"run_id": run.run_id, "status": run.status, "outcome": run.outcome} for run in runs]
    for run in runs:
        run.status = run.outcome = RunStatus.SUPERSEDED.value
        # A worker that is reading now finds its lease lost and writes nothing.
        RUN_LEASES.end(run)
        run.settled_at = utcnow()
    return stood


def bring_back(
    session: Session, actor_id: uuid.UUID, entry: Submission, stood: Mapping[str, Any], reason: Message
) -> list[str]:
    """Restore a superseded entry from its saved state; return the ids of the runs that the caller must queue.

    Raises ConflictError if the entry has changed since.
    """
    if entry.status != SubmissionStatus.SUPERSEDED or entry.version != stood["version"]:
        raise changed(session, entry)
    for name in _KEPT:
        setattr(entry, name, stood[name])
    if entry.status in _READING:
        # The worker has lost its lease, so that the run starts again.
        entry.status = SubmissionStatus.QUEUED.value
    entry.version += 1
    entry.updated_at = utcnow()
    _give_back(session, stood)
    session.add(event(entry, "undone", actor_id, before="superseded", after=entry.status, message=reason))
    return [_restart(session, run) for run in stood["runs"] if run["status"] in ACTIVE_RUNS]


def _give_back(session: Session, stood: Mapping[str, Any]) -> None:
    for run in stood["runs"]:
        session.execute(
            update(Run)
            .where(Run.run_id == run["run_id"])
            .values(status=run["status"], outcome=run["outcome"], settled_at=None, pruned_at=None)
        )
    restore_items(session, stood)


def _restart(session: Session, stood: Mapping[str, Any]) -> str:
    session.execute(
        update(Run)
        .where(Run.run_id == stood["run_id"])
        .values(status=RunStatus.QUEUED.value, enqueued_at=None, attempts=0)
    )
    return str(stood["run_id"])
