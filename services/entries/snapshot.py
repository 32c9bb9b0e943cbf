"""Save an entry, its fields, run and escalation as JSON before a decision, and restore them for undo."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.messages import Message
from core.models import Escalation, Run, Submission
from core.models.leases import ESCALATION_HOLDS
from pipeline.supabase_db import keep_fields
from services.runs.aside_rows import open_aside, restore_aside

_SUBMISSION = (
    "status",
    "needs_review",
    "review_reason_codes",
    "missing_fields",
    "waived",
)
_RUN = ("status", "outcome", "settled_at")
_ESCALATION = ("status", "reason", "payload", "decision", "decided_by", "decided_at", "resumed_at")
#: How a column's value is made of its JSON, where it is not JSON itself.
_FROM_JSON: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("settled_at", "decided_at", "resumed_at"), datetime.fromisoformat),
    "decided_by": uuid.UUID,
    "reason": Message.from_json,
}

Json = dict[str, Any]


def snapshot(session: Session, submission: Submission, run: Run, names: Collection[str]) -> Json:
    """Return the state of the entry, the named fields, the run and its escalation (None if it has none)."""
    escalation = escalation_of(session, run)
    aside = open_aside(session, submission.id)
    return {
        "version": submission.version,
        "submission": _taken(submission, _SUBMISSION),
        "fields": keep_fields(session, submission.id, names),
        "run": {"run_id": run.run_id, **_taken(run, _RUN)},
        "escalation": None if escalation is None else _taken(escalation, _ESCALATION),
        "aside": None if aside is None else str(aside.id),
    }


def restore_entry(submission: Submission, kept: Json) -> None:
    """Restore the entry's columns from a snapshot."""
    # Snapshots of earlier versions also contain columns that are computed from the fields, and lack later ones.
    _give(submission, {name: kept["submission"][name] for name in _SUBMISSION if name in kept["submission"]})


def restore_set_aside(session: Session, submission: Submission, kept: Json) -> None:
    """Let the entry be set aside as it was when the snapshot was taken, or not at all."""
    # Snapshots of earlier versions do not say.
    if "aside" in kept:
        restore_aside(session, submission.id, kept["aside"] and uuid.UUID(kept["aside"]))


def restore_run(run: Run, kept: Json, waits: bool) -> None:
    """Restore the run's outcome and, if it `waits` for a person again, its status.

    Otherwise the status is left as it is, because the resume may have settled the run since the snapshot.
    """
    _give(run, {name: kept["run"][name] for name in (_RUN if waits else ("outcome",))})


def restore_escalation(session: Session, run: Run, kept: Json) -> None:
    """Restore the run's escalation from a snapshot; supersede it if it did not exist then."""
    escalation = escalation_of(session, run)
    if escalation is None:
        return
    _give(escalation, kept["escalation"] or {**dict.fromkeys(_ESCALATION[3:]), "status": "superseded"})
    ESCALATION_HOLDS.end(escalation)
    escalation.version += 1


def escalation_of(session: Session, run: Run) -> Escalation | None:
    """Return the escalation of this run, in any status."""
    return session.scalar(select(Escalation).where(Escalation.run_id == run.run_id))


def _taken(row: object, names: Collection[str]) -> Json:
    return {name: _as_json(getattr(row, name)) for name in names}


def _as_json(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Message):
        return value.to_json()
    return str(value) if isinstance(value, uuid.UUID) else value


def _give(row: object, values: Json) -> None:
    for name, value in values.items():
        setattr(row, name, None if value is None else _FROM_JSON.get(name, _same)(value))


def _same(value: Any) -> Any:
    return value
