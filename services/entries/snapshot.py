"""What undo restores: an entry, its fields, run and waiting item as they stood before a decision, as JSON."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.models import Escalation, Run, Submission
from core.models.leases import ESCALATION_HOLDS
from pipeline.supabase_db import keep_fields

_SUBMISSION = (
    "status",
    "needs_review",
    "review_reason_codes",
    "missing_fields",
)
_RUN = ("status", "outcome", "settled_at")
_ESCALATION = ("status", "reason", "payload", "decision", "decided_by", "decided_at", "resumed_at")
_MOMENTS = frozenset({"settled_at", "decided_at", "resumed_at"})
_IDS = frozenset({"decided_by"})

Json = dict[str, Any]


def snapshot(session: Session, submission: Submission, run: Run, names: Collection[str]) -> Json:
    """How the entry stands, with the fields named and the run's escalation; None for a row that is not there."""
    escalation = escalation_of(session, run)
    return {
        "version": submission.version,
        "submission": _taken(submission, _SUBMISSION),
        "fields": keep_fields(session, submission.id, names),
        "run": {"run_id": run.run_id, **_taken(run, _RUN)},
        "escalation": None if escalation is None else _taken(escalation, _ESCALATION),
    }


def restore_entry(submission: Submission, kept: Json) -> None:
    """Give the entry what `snapshot` took of it."""
    # Decisions of earlier versions also kept columns that are projected from the fields.
    _give(submission, {name: kept["submission"][name] for name in _SUBMISSION})


def restore_run(run: Run, kept: Json, waits: bool) -> None:
    """Give the run its outcome back; one that `waits` for a person again, also its status.

    Otherwise the status is the resume's, which may have settled the run since the snapshot.
    """
    _give(run, {name: kept["run"][name] for name in (_RUN if waits else ("outcome",))})


def restore_escalation(session: Session, run: Run, kept: Json) -> None:
    """Give the run's escalation what `snapshot` took of it; one that was not there is superseded."""
    escalation = escalation_of(session, run)
    if escalation is None:
        return
    _give(escalation, kept["escalation"] or {**dict.fromkeys(_ESCALATION[3:]), "status": "superseded"})
    ESCALATION_HOLDS.end(escalation)
    escalation.version += 1


def escalation_of(session: Session, run: Run) -> Escalation | None:
    """The escalation of this run, whatever its status."""
    return session.scalar(select(Escalation).where(Escalation.run_id == run.run_id))


def _taken(row: object, names: Collection[str]) -> Json:
    return {name: _as_json(getattr(row, name)) for name in names}


def _as_json(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value) if isinstance(value, uuid.UUID) else value


def _give(row: object, values: Json) -> None:
    for name, value in values.items():
        if value is not None and name in _MOMENTS:
            setattr(row, name, datetime.fromisoformat(value))
        else:
            setattr(row, name, uuid.UUID(value) if value is not None and name in _IDS else value)
