"""What undo restores: an entry, its fields, run and waiting item as they stood before a decision, as JSON."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.models import Escalation, Run, Submission, SubmissionField

_SUBMISSION = (
    "status",
    "needs_review",
    "review_reason_codes",
    "missing_fields",
    "student_name",
    "school_name",
    "grade",
    "word_count",
)
_FIELD = ("value", "confidence", "source", "method", "run_no")
_RUN = ("status", "outcome", "settled_at")
_ESCALATION = ("status", "reason", "payload", "decision", "decided_by", "decided_at", "resumed_at")
_MOMENTS = frozenset({"settled_at", "decided_at", "resumed_at"})
_IDS = frozenset({"decided_by"})

Json = dict[str, Any]


def snapshot(session: Session, submission: Submission, run: Run, names: Collection[str]) -> Json:
    """How the entry stands, with the fields named and the run's escalation; None for a row that is not there."""
    rows = {row.name: row for row in fields_of(session, submission.id, names)}
    escalation = escalation_of(session, run)
    return {
        "version": submission.version,
        "submission": _taken(submission, _SUBMISSION),
        "fields": {name: _taken(rows[name], _FIELD) if name in rows else None for name in names},
        "run": {"run_id": run.run_id, **_taken(run, _RUN)},
        "escalation": None if escalation is None else _taken(escalation, _ESCALATION),
    }


def restore_entry(submission: Submission, kept: Json) -> None:
    """Give the entry what `snapshot` took of it."""
    _give(submission, kept["submission"])


def restore_run(run: Run, kept: Json, waits: bool) -> None:
    """Give the run its outcome back; one that `waits` for a person again, also its status.

    Otherwise the status is the resume's, which may have settled the run since the snapshot.
    """
    _give(run, {name: kept["run"][name] for name in (_RUN if waits else ("outcome",))})


def restore_fields(
    session: Session, submission: Submission, kept: Json
) -> dict[str, tuple[str | None, str | None]]:
    """Give the fields what `snapshot` took of them; by name, the values that this changed: before and after."""
    changed: dict[str, tuple[str | None, str | None]] = {}
    for row in fields_of(session, submission.id, kept["fields"]):
        was = row.value
        before = kept["fields"][row.name]
        if before is None:
            session.delete(row)
        else:
            _give(row, before)
            row.version += 1
        now = before["value"] if before else None
        if was != now:
            changed[row.name] = (was, now)
    return changed


def restore_escalation(session: Session, run: Run, kept: Json) -> None:
    """Give the run's escalation what `snapshot` took of it; one that was not there is superseded."""
    escalation = escalation_of(session, run)
    if escalation is None:
        return
    _give(escalation, kept["escalation"] or {**dict.fromkeys(_ESCALATION[3:]), "status": "superseded"})
    escalation.claimed_by = escalation.claimed_until = None
    escalation.version += 1


def escalation_of(session: Session, run: Run) -> Escalation | None:
    """The escalation of this run, whatever its status."""
    return session.scalar(select(Escalation).where(Escalation.run_id == run.run_id))


def fields_of(session: Session, submission_id: uuid.UUID, names: Collection[str]) -> Sequence[SubmissionField]:
    """The entry's fields of these names."""
    return session.scalars(
        select(SubmissionField).where(
            SubmissionField.submission_id == submission_id, SubmissionField.name.in_(list(names))
        )
    ).all()


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
