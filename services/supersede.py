"""Supersede entries with all that waits for them, and bring them back as they stood."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import func, or_, select, update
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.errors import ConflictError, HeldError
from core.models import (
    Escalation,
    EscalationStatus,
    Profile,
    ReviewEvent,
    ReviewSuggestion,
    Run,
    RunStatus,
    Submission,
    SubmissionStatus,
    SuggestionStatus,
)
from services.audit import event
from services.lost_race import name_of

_ACTIVE = (RunStatus.QUEUED.value, RunStatus.RUNNING.value)
_READING = (SubmissionStatus.QUEUED.value, SubmissionStatus.PROCESSING.value)
#: What is kept of an entry to bring it back; the record itself stays untouched.
_KEPT = ("status", "needs_review", "error_code", "error_message")


def lock_entries(session: Session, ids: Collection[uuid.UUID]) -> dict[uuid.UUID, Submission]:
    """Lock the entries and what waits for them until the transaction ends.

    People lock an item before its entry, workers a run before its entry: this keeps to both orders.
    """
    for model in (ReviewSuggestion, Escalation):
        items = select(model.id).where(model.submission_id.in_(ids), model.status == "pending")
        session.execute(items.order_by(model.id).with_for_update())
    runs = select(Run.run_id).where(Run.submission_id.in_(ids), Run.status.in_(_ACTIVE))
    session.execute(runs.order_by(Run.run_id).with_for_update())
    rows = session.scalars(
        select(Submission).where(Submission.id.in_(ids)).order_by(Submission.id).with_for_update()
    )
    return {row.id: row for row in rows}


def require_standing(session: Session, ids: Collection[uuid.UUID]) -> None:
    """Raises ConflictError, saying by whom, where one of these entries was superseded."""
    gone = session.scalar(
        select(Submission)
        .where(Submission.id.in_(ids), Submission.status == SubmissionStatus.SUPERSEDED.value)
        .limit(1)
    )
    if gone is not None:
        raise _changed(session, gone)


def require_seen(session: Session, entries: Collection[Submission], versions: Mapping[uuid.UUID, int]) -> None:
    """Raises ConflictError, saying who did what, for an entry that is not as it was seen."""
    for entry in entries:
        if entry.status == SubmissionStatus.SUPERSEDED or versions.get(entry.id) != entry.version:
            raise _changed(session, entry)


def require_free(session: Session, actor_id: uuid.UUID, ids: Collection[uuid.UUID]) -> None:
    """Raises HeldError where somebody else has an item of these entries open."""
    for model in (ReviewSuggestion, Escalation):
        holder = session.execute(
            select(Profile.display_name, Profile.email)
            .join(model, model.claimed_by == Profile.id)
            .where(
                model.submission_id.in_(ids),
                model.status == "pending",
                model.claimed_by != actor_id,
                model.claimed_until > func.now(),
            )
            .limit(1)
        ).first()
        if holder is not None:
            name = holder.display_name or holder.email
            raise HeldError(f"{name} has one of these entries open", who=name)


def supersede(
    session: Session, actor_id: uuid.UUID, entries: Sequence[Submission], reason: str
) -> list[dict[str, Any]]:
    """Supersede entries that `lock_entries` locked; how each stood, for `bring_back`."""
    return [_supersede(session, actor_id, entry, reason) for entry in entries]


def _supersede(session: Session, actor_id: uuid.UUID, entry: Submission, reason: str) -> dict[str, Any]:
    stood = {name: getattr(entry, name) for name in _KEPT}
    items = {
        "suggestions": _take_suggestions(session, entry.id, actor_id),
        "escalations": _take_escalations(session, entry.id),
    }
    runs = _take_runs(session, entry.id, items["escalations"])
    entry.status = SubmissionStatus.SUPERSEDED.value
    entry.needs_review = False
    entry.error_code = entry.error_message = None
    entry.version += 1
    entry.updated_at = utcnow()
    session.add(event(entry, "superseded", actor_id, before=stood["status"], after=entry.status, reason=reason))
    return {"submission_id": str(entry.id), "version": entry.version, **stood, **items, "runs": runs}


def _take_suggestions(session: Session, submission_id: uuid.UUID, actor_id: uuid.UUID) -> list[str]:
    ids = session.scalars(
        update(ReviewSuggestion)
        .where(
            ReviewSuggestion.submission_id == submission_id,
            ReviewSuggestion.status == SuggestionStatus.PENDING.value,
        )
        .values(
            status=SuggestionStatus.SUPERSEDED.value,
            version=ReviewSuggestion.version + 1,
            resolved_at=func.now(),
            resolved_by_user_id=actor_id,
        )
        .returning(ReviewSuggestion.id)
    )
    return [str(found) for found in ids]


def _take_escalations(session: Session, submission_id: uuid.UUID) -> list[str]:
    ids = session.scalars(
        update(Escalation)
        .where(Escalation.submission_id == submission_id, Escalation.status == EscalationStatus.PENDING.value)
        .values(status=EscalationStatus.SUPERSEDED.value, version=Escalation.version + 1)
        .returning(Escalation.id)
    )
    return [str(found) for found in ids]


def _take_runs(session: Session, submission_id: uuid.UUID, escalations: Sequence[str]) -> list[dict[str, Any]]:
    """Runs under way and those at an interrupt that nobody decided; a decided one is resumed all the same."""
    waiting = select(Escalation.run_id).where(Escalation.id.in_([uuid.UUID(found) for found in escalations]))
    runs = session.scalars(
        select(Run)
        .where(Run.submission_id == submission_id, or_(Run.status.in_(_ACTIVE), _interrupted(waiting)))
        .with_for_update()
    ).all()
    stood = [{"run_id": run.run_id, "status": run.status, "outcome": run.outcome} for run in runs]
    for run in runs:
        run.status = run.outcome = RunStatus.SUPERSEDED.value
        # Whoever reads at this moment finds the lease gone and writes nothing.
        run.lease_owner = run.lease_until = None
        run.settled_at = utcnow()
    return stood


def _interrupted(run_ids: Any) -> Any:
    return (Run.status == RunStatus.INTERRUPTED.value) & Run.run_id.in_(run_ids)


def bring_back(
    session: Session, actor_id: uuid.UUID, entry: Submission, stood: Mapping[str, Any], reason: str
) -> list[str]:
    """Have a superseded entry stand as `supersede` found it; the ids of the runs that are to be queued again.

    Raises ConflictError when it has changed since.
    """
    if entry.status != SubmissionStatus.SUPERSEDED or entry.version != stood["version"]:
        raise _changed(session, entry)
    for name in _KEPT:
        setattr(entry, name, stood[name])
    if entry.status in _READING:
        # Its worker has lost the lease: the run begins anew.
        entry.status = SubmissionStatus.QUEUED.value
    entry.version += 1
    entry.updated_at = utcnow()
    _give_back(session, stood)
    session.add(event(entry, "undone", actor_id, before="superseded", after=entry.status, reason=reason))
    return [_restart(session, run) for run in stood["runs"] if run["status"] in _ACTIVE]


def _give_back(session: Session, stood: Mapping[str, Any]) -> None:
    session.execute(
        update(ReviewSuggestion)
        .where(ReviewSuggestion.id.in_([uuid.UUID(found) for found in stood["suggestions"]]))
        .values(
            status=SuggestionStatus.PENDING.value,
            version=ReviewSuggestion.version + 1,
            resolved_at=None,
            resolved_by_user_id=None,
        )
    )
    session.execute(
        update(Escalation)
        .where(Escalation.id.in_([uuid.UUID(found) for found in stood["escalations"]]))
        .values(status=EscalationStatus.PENDING.value, version=Escalation.version + 1)
    )
    for run in stood["runs"]:
        session.execute(
            update(Run)
            .where(Run.run_id == run["run_id"])
            .values(status=run["status"], outcome=run["outcome"], settled_at=None, pruned_at=None)
        )


def _restart(session: Session, stood: Mapping[str, Any]) -> str:
    session.execute(
        update(Run)
        .where(Run.run_id == stood["run_id"])
        .values(status=RunStatus.QUEUED.value, enqueued_at=None, attempts=0)
    )
    return str(stood["run_id"])


def touched_by_a_person(session: Session, ids: Collection[uuid.UUID]) -> str | None:
    """Who did what first with entries that a correction made, apart from making them; None for nobody."""
    row = session.execute(
        select(ReviewEvent.kind, Profile.display_name, Profile.email)
        .join(Profile, Profile.id == ReviewEvent.actor_id)
        .where(ReviewEvent.submission_id.in_(ids), ReviewEvent.id.not_in(_firsts(ids)))
        .order_by(ReviewEvent.id)
        .limit(1)
    ).first()
    return None if row is None else _said(row.kind, row.display_name or row.email)


def _firsts(ids: Collection[uuid.UUID]) -> Any:
    """An entry's first event tells who made it."""
    return (
        select(func.min(ReviewEvent.id))
        .where(ReviewEvent.submission_id.in_(ids))
        .group_by(ReviewEvent.submission_id)
    )


def _changed(session: Session, entry: Submission) -> ConflictError:
    row = session.execute(
        select(ReviewEvent.kind, name_of(Profile).label("who"))
        .outerjoin(Profile, Profile.id == ReviewEvent.actor_id)
        .where(ReviewEvent.submission_id == entry.id)
        .order_by(ReviewEvent.id.desc())
        .limit(1)
    ).first()
    who = row.who if row else None
    said = _said(row.kind if row else entry.status, who or "the machine")
    return ConflictError(f"{entry.student_name or 'an entry without a name'}: {said}", who=who)


def _said(kind: str, who: str) -> str:
    return f"{kind.replace('_', ' ')} by {who}"
