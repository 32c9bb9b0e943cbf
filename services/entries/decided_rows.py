"""Lock and write the rows that a decision concerns: the entry, its run, its pending items and the decision."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from sqlalchemy import case, select, update
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.errors import HeldError, NotFoundError
from core.models import (
    DecisionKind,
    Escalation,
    EscalationStatus,
    Profile,
    ReviewDecision,
    ReviewEffort,
    ReviewSuggestion,
    ReviewSuggestionField,
    Run,
    Submission,
)
from core.models.leases import ESCALATION_HOLDS, SUGGESTION_HOLDS
from pipeline.messages import RunReason
from pipeline.schema import Preferred
from services.accounts.person_name import name_of
from services.entries.effort import NO_EFFORT, Effort
from services.entries.lost_race import lost_entry
from services.messages.conflict import Conflict, Item
from services.stats.count import count_decision

_PENDING = EscalationStatus.PENDING.value


def lock_entry(session: Session, submission_id: uuid.UUID) -> Submission:
    """Return the entry, locked for this transaction.

    Every decision locks in this order: entry, run, item. The lock is FOR NO KEY UPDATE, so that other transactions
    can still write rows that refer to the entry. Raises NotFoundError for one that was erased meanwhile.
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


def refuse_if_held(session: Session, submission_id: uuid.UUID, actor_id: uuid.UUID) -> None:
    """Raise HeldError if another person holds a pending item of this entry."""
    for holds in (SUGGESTION_HOLDS, ESCALATION_HOLDS):
        item = holds.row
        name = session.scalar(
            select(name_of(Profile))
            .join(item, holds.owner == Profile.id)
            .where(
                item.submission_id == submission_id,
                item.status == _PENDING,
                holds.owner != actor_id,
                holds.unexpired(),
            )
        )
        if name is not None:
            raise HeldError(Conflict.OPEN_ELSEWHERE, who=name, item=Item.ENTRY)


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


def counted_as(outcome: str, reason: RunReason) -> dict[str, str]:
    """Return what a decision is counted as in the statistics, for its `before`."""
    return {"outcome": str(outcome), "reason": reason.value}


def keep_decision(
    session: Session,
    submission: Submission,
    actor_id: uuid.UUID,
    kind: DecisionKind,
    before: dict[str, Any],
    *,
    item_id: uuid.UUID | None = None,
    bulk_id: uuid.UUID | None = None,
    effort: Effort = NO_EFFORT,
    measured: bool = False,
) -> uuid.UUID:
    """Record and count the decision, at the entry's present version, and return its id.

    What it took is kept only where that is `measured`.
    """
    decision = ReviewDecision(
        id=uuid.uuid4(),
        season_id=submission.season_id,
        submission_id=submission.id,
        actor_id=actor_id,
        kind=kind.value,
        item_id=item_id,
        bulk_id=bulk_id,
        version=submission.version,
        before=before,
    )
    session.add(decision)
    if measured:
        session.flush()
        session.add(ReviewEffort(decision_id=decision.id, edits=effort.edits, seconds=effort.seconds))
    count_decision(session, decision.id)
    return decision.id
