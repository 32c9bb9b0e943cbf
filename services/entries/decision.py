"""One decision on an entry: its rows locked, what stood before saved, the decision recorded, and undone."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import case, func, select, update
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.config import Settings
from core.errors import ConflictError, NotFoundError
from core.messages import Message
from core.models import (
    DecisionKind,
    Escalation,
    EscalationStatus,
    FieldDecision,
    Profile,
    ReviewDecision,
    ReviewEffort,
    ReviewEvent,
    ReviewSuggestion,
    ReviewSuggestionField,
    Run,
    Submission,
)
from core.models.leases import ESCALATION_HOLDS
from pipeline.reason_codes import RunReason
from pipeline.schema import Preferred
from pipeline.supabase_db import keep_fields, restore_fields
from services.accounts.person import name_of
from services.audit import tell_values
from services.items.holds import refuse_if_held
from services.messages.entries import Conflict, EventReason, ItemLabel
from services.runs.inputs import open_aside, restore_aside
from services.runs.settle import restore_suggestions
from services.stats.counts import count_decision, uncount_decision

_PENDING = EscalationStatus.PENDING.value


def lock_entry(session: Session, submission_id: uuid.UUID) -> Submission:
    """Return the entry, locked for this transaction.

    The lock is FOR NO KEY UPDATE, so that other transactions can still write rows that refer to the entry. Raises
    NotFoundError for one that was erased meanwhile.

    Everything locks in this order: files, runs that a worker has, entries, waiting runs, items, batch, what was
    said of the batch (`services.seasons.hold_said`), one of its changes.
    """
    submission = session.get(Submission, submission_id, with_for_update={"key_share": True})
    if submission is None:
        raise NotFoundError("no such entry")
    return submission


def win_entry(session: Session, submission_id: uuid.UUID, version: int) -> Submission:
    """Lock and return the entry if it still has this version. Raises ConflictError, NotFoundError."""
    submission: Submission | None = session.scalar(
        update(Submission)
        .where(Submission.id == submission_id, Submission.version == version)
        .values(updated_at=utcnow())
        .returning(Submission)
    )
    if submission is None:
        raise lost_entry(session, submission_id)
    return submission


def lock_run(session: Session, run_id: str) -> Run:
    """Return the run, locked for this transaction."""
    return session.get_one(Run, run_id, with_for_update={"key_share": True})


def latest_run(session: Session, submission: Submission) -> Run:
    """Return the entry's latest run, locked for this transaction."""
    return lock_run(session, f"{submission.id}:{submission.run_no}")


def tell_items(
    session: Session, submission_id: uuid.UUID, values: Mapping[str, str | None], by_person: bool = True
) -> None:
    """Copy new values into the entry's pending items and raise their versions, so that open pages become stale.

    A value from a person is preferred to a proposal that differs. For a value that is not from a person,
    neither is preferred to the other.
    """
    preferred = Preferred.AS_READ if by_person else Preferred.NEITHER
    touched = [
        suggestion_id
        for name, value in values.items()
        for suggestion_id in session.scalars(
            update(ReviewSuggestionField)
            .where(
                ReviewSuggestionField.suggestion_id == ReviewSuggestion.id,
                ReviewSuggestion.submission_id == submission_id,
                ReviewSuggestion.status == _PENDING,
                ReviewSuggestionField.name == name,
            )
            .values(
                current_value=value,
                preferred=case(
                    (ReviewSuggestionField.proposed_value == value, Preferred.PROPOSED.value),
                    else_=(preferred if value is not None else Preferred.NEITHER).value,
                ),
            )
            .returning(ReviewSuggestionField.suggestion_id)
        )
    ]
    if touched:
        session.execute(
            update(ReviewSuggestion)
            .where(ReviewSuggestion.id.in_(touched))
            .values(version=ReviewSuggestion.version + 1)
        )
    if values:
        session.execute(
            update(Escalation)
            .where(Escalation.submission_id == submission_id, Escalation.status == _PENDING)
            .values(version=Escalation.version + 1)
        )


Json = dict[str, Any]


@dataclass(frozen=True)
class SubmissionDecision:
    """A person's decision on an entry, which is locked with its run, in the caller's transaction."""

    settings: Settings
    session: Session
    submission: Submission
    run: Run
    actor_id: uuid.UUID
    #: What undoing it restores, and under which keys the statistics count it.
    before: Json

    def count(self, reason: RunReason) -> None:
        """Let the statistics count the decision with the entry's present status as its outcome."""
        self.before["counted"] = {"outcome": self.submission.status, "reason": reason.value}

    def keep(
        self,
        kind: DecisionKind,
        item_id: uuid.UUID | None = None,
        *,
        bulk_id: uuid.UUID | None = None,
        edits: int = 0,
        seconds: int | None = None,
        measured: bool = True,
    ) -> uuid.UUID:
        """Record and count the decision, at the entry's present version, and return its id.

        `edits`: values that the person changed; `seconds`: for how long the item was open, None where it was not
        open by itself. Both are stored if effort is `measured`, as a setting has it.
        """
        decision = ReviewDecision(
            id=uuid.uuid4(),
            season_id=self.submission.season_id,
            submission_id=self.submission.id,
            actor_id=self.actor_id,
            kind=kind.value,
            item_id=item_id,
            bulk_id=bulk_id,
            version=self.submission.version,
            before=self.before,
        )
        self.session.add(decision)
        if measured and self.settings.measure_review_effort:
            self.session.flush()
            self.session.add(ReviewEffort(decision_id=decision.id, edits=edits, seconds=seconds))
        count_decision(self.session, decision.id)
        return decision.id


def begin_decision(
    settings: Settings,
    session: Session,
    submission: Submission,
    run: Run | None,
    actor_id: uuid.UUID,
    names: Iterable[str] = (),
) -> SubmissionDecision:
    """Save the state of the entry, of the named fields and of the run; None: the latest, which is then locked."""
    run = run or latest_run(session, submission)
    return SubmissionDecision(
        settings, session, submission, run, actor_id, snapshot(session, submission, run, list(names))
    )


_SUBMISSION = ("status", "needs_review", "review_reason_codes", "missing_fields", "waived")
_RUN = ("status", "outcome", "settled_at")
_ESCALATION = ("status", "reason", "payload", "decision", "decided_by", "decided_at", "resumed_at")
#: What makes a column's value of its JSON, where the two differ.
_FROM_JSON: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("settled_at", "decided_at", "resumed_at"), datetime.fromisoformat),
    "decided_by": uuid.UUID,
    "reason": Message.from_json,
}


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
    # Snapshots of earlier versions lack it.
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


def win_decision(session: Session, actor_id: uuid.UUID, decision_id: uuid.UUID) -> ReviewDecision:
    """Mark the decision as undone and return it. Raises ConflictError, saying by whom, if it is already."""
    decision: ReviewDecision | None = session.scalar(
        update(ReviewDecision)
        .where(ReviewDecision.id == decision_id, ReviewDecision.undone_at.is_(None))
        .values(undone_at=func.now(), undone_by=actor_id)
        .returning(ReviewDecision)
    )
    if decision is None:
        name = session.scalar(
            select(name_of(Profile))
            .join(ReviewDecision, ReviewDecision.undone_by == Profile.id)
            .where(ReviewDecision.id == decision_id)
        )
        raise ConflictError(Conflict.UNDONE, who=name)
    return decision


def restore_before(
    session: Session, submission: Submission, decision_id: uuid.UUID, actor_id: uuid.UUID
) -> Message:
    """Restore the entry, which is locked, its run, its fields and its pending items.

    Return what `brought_back`, with which the caller ends, tells of it. Raises ConflictError, saying who did what,
    if the decision was undone already, the entry has changed since or another person has it open.
    """
    decision = win_decision(session, actor_id, decision_id)
    if submission.version != decision.version:
        raise lost_entry(session, submission.id)
    refuse_if_held(session, submission.id, actor_id)
    kept = decision.before
    run = lock_run(session, kept["run"]["run_id"])
    undid = Message.of(EventReason.UNDID, decision_kind=decision.kind)
    uncount_decision(session, decision.id)
    restore_entry(submission, kept)
    restore_set_aside(session, submission, kept)
    restore_run(run, kept, waits=decision.kind in (DecisionKind.ESCALATION, DecisionKind.DUPLICATE))
    submission.version += 1
    submission.updated_at = utcnow()
    changed = restore_fields(session, submission.id, kept["fields"])
    before, after = ({name: values[at] for name, values in changed.items()} for at in (0, 1))
    tell_values(session, submission, "undone", before, after, actor_id, message=undid)
    if decision.kind == DecisionKind.EDIT:
        tell_items(session, submission.id, after, by_person=False)
    if kept.get("escalates", True):
        restore_escalation(session, run, kept)
    if decision.kind == DecisionKind.SUGGESTION:
        _wait_again(session, decision)
    restore_suggestions(session, [uuid.UUID(found) for found in kept.get("suggestions", ())])
    hand_down(session, submission, kept["version"])
    return undid


def _wait_again(session: Session, decision: ReviewDecision) -> None:
    """Set the proposal and each of its fields to pending again."""
    assert decision.item_id is not None, "a decision on a proposal names it"
    restore_suggestions(session, [decision.item_id])
    session.execute(
        update(ReviewSuggestionField)
        .where(ReviewSuggestionField.suggestion_id == decision.item_id)
        .values(decision=FieldDecision.PENDING.value, final_value=None, decided_by=None, decided_at=None)
    )


def hand_down(session: Session, submission: Submission, version: int) -> None:
    """Give the decision that led to this version the entry's present one, so that it can be undone next."""
    session.execute(
        update(ReviewDecision)
        .where(
            ReviewDecision.submission_id == submission.id,
            ReviewDecision.version == version,
            ReviewDecision.undone_at.is_(None),
        )
        .values(version=submission.version)
    )


def lost_entry(session: Session, submission_id: uuid.UUID) -> ConflictError | NotFoundError:
    """Return the error for an entry that is not at the expected version; it names the entry's latest event."""
    if session.get(Submission, submission_id) is None:
        return NotFoundError("no such entry")
    row: Any = session.execute(
        select(ReviewEvent.kind, name_of(Profile).label("who"))
        .outerjoin(Profile, Profile.id == ReviewEvent.actor_id)
        .where(ReviewEvent.submission_id == submission_id)
        .order_by(ReviewEvent.id.desc())
        .limit(1)
    ).first()
    if row is None:
        return ConflictError(Conflict.CHANGED, item=ItemLabel.ENTRY)
    return ConflictError(Conflict.ENTRY_DONE, event=row.kind, who=row.who)
