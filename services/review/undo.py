"""Undo decisions: restore what they changed, or let a settled entry wait again."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import ColumnElement, select, true, update
from sqlalchemy.orm import Session

from core.errors import ConflictError, existing
from core.messages import Message
from core.models import DecisionKind, DuplicatePair, PairDecision, ReviewDecision, Submission, SubmissionStatus
from pipeline.reason_codes import EscalationReason, RunReason
from pipeline.supabase_db import get_record_by_id
from pipeline.validate import DEFAULT_FIELDS, can_approve_record
from services.batches.giving import brought_back, renew_defaults
from services.batches.typed_in import own_received
from services.context import Context
from services.entries.decision import begin_decision, lock_entry, restore_before, win_entry
from services.entries.detail import replacement_of
from services.messages.entries import Conflict, EventReason
from services.review.pair_decisions import lock_pair, lost_pair
from services.runs.settle import escalate, set_status
from services.seasons import season_rules
from services.uploads.resplit import undo_resplit


@dataclass(frozen=True)
class Undone:
    submission_id: uuid.UUID
    kind: DecisionKind
    #: The proposal or escalation that is pending again; None for an edit.
    item_id: uuid.UUID | None


def undo_decision(context: Context, actor_id: uuid.UUID, decision_id: uuid.UUID) -> Undone:
    """Restore everything that the decision changed, in one transaction. A decision can be undone once.

    The thread of a run that was already resumed with the decision has ended; the next decision settles such a run
    from its row. Raises NotFoundError, and ConflictError, saying who did what, if the decision was undone already,
    the entry has changed since or another person holds it.
    """
    with context.database.session() as session:
        decision = existing(session.get(ReviewDecision, decision_id), "no such decision")
        undone = Undone(decision.submission_id, DecisionKind(decision.kind), decision.item_id)
        if undone.kind is DecisionKind.DUPLICATE:
            assert undone.item_id is not None, "a decision on a pair names it"
            stands = (ReviewDecision.id == decision_id) & ReviewDecision.undone_at.is_(None)
            _reopen(context, session, actor_id, undone.item_id, select(ReviewDecision.id).where(stands).exists())
        else:
            _restore(context, session, actor_id, lock_entry(session, undone.submission_id), decision_id)
        return undone


def _restore(
    context: Context, session: Session, actor_id: uuid.UUID, submission: Submission, decision_id: uuid.UUID
) -> None:
    status = submission.status
    told = restore_before(session, submission, decision_id, actor_id)
    brought_back(session, context.settings, submission, actor_id, status, told)


def decision_on(context: Context, actor_id: uuid.UUID, item_id: uuid.UUID) -> uuid.UUID | None:
    """Return the id of this person's decision on the item that is not undone; None without one."""
    return _last(context, ReviewDecision.actor_id == actor_id, ReviewDecision.item_id == item_id)


def last_decision(
    context: Context, actor_id: uuid.UUID, submission_id: uuid.UUID | None = None
) -> uuid.UUID | None:
    """Return the id of this person's newest decision that is not undone, on this entry if one is given."""
    on_entry = true() if submission_id is None else ReviewDecision.submission_id == submission_id
    return _last(context, ReviewDecision.actor_id == actor_id, on_entry)


def _last(context: Context, *where: ColumnElement[bool]) -> uuid.UUID | None:
    query = select(ReviewDecision.id).where(*where, ReviewDecision.undone_at.is_(None))
    return context.database.scalar(query.order_by(ReviewDecision.created_at.desc(), ReviewDecision.id).limit(1))


def undo_pair(context: Context, actor_id: uuid.UUID, pair_id: uuid.UUID, version: int | None = None) -> None:
    """Restore both entries, in one transaction; the pair waits again.

    `version`: that of the decided pair which the person saw; None for the decision that stands now. Raises
    NotFoundError, and ConflictError, saying who did what, if there is no decision to undo, if it is another one by
    now, or if one of the entries has changed since.
    """
    seen = true() if version is None else DuplicatePair.version == version
    split_id = _joined_by(context, pair_id, seen)
    if split_id is not None:
        undo_resplit(context, actor_id, split_id)
        return
    with context.database.session() as session:
        _reopen(context, session, actor_id, pair_id, seen)


def _reopen(
    context: Context, session: Session, actor_id: uuid.UUID, pair_id: uuid.UUID, seen: ColumnElement[bool]
) -> None:
    """Undo the decision on a pair that was not joined if it is the one that was seen, else raise."""
    entries = lock_pair(session, pair_id)
    reopened = session.scalar(
        update(DuplicatePair)
        .where(DuplicatePair.id == pair_id, DuplicatePair.decision != PairDecision.JOIN.value, seen)
        .values(decision=None, decided_by=None, decided_at=None, version=DuplicatePair.version + 1)
        .returning(DuplicatePair.id)
    )
    if reopened is None:
        raise lost_pair(session, pair_id)
    for decision in _decisions(session, pair_id):
        entry = next(entry for entry in entries if entry.id == decision.submission_id)
        _restore(context, session, actor_id, entry, decision.id)
        received = decision.before.get("received")
        # A day that somebody has given since stays.
        if received and entry.received_on == date.fromisoformat(received["kept"]):
            own = received["own"] and date.fromisoformat(received["own"])
            told = Message.of(EventReason.UNDID, decision_kind=decision.kind)
            own_received(session, context.settings, entry, own, actor_id, told)


def _joined_by(context: Context, pair_id: uuid.UUID, seen: ColumnElement[bool]) -> uuid.UUID | None:
    """Return the correction that joined the two entries as they were seen, None if there is none."""
    joined = select(DuplicatePair).where(
        DuplicatePair.id == pair_id, DuplicatePair.decision == PairDecision.JOIN.value, seen
    )
    with context.database.reading() as session:
        pair = session.scalar(joined)
        found = None if pair is None else replacement_of(session, pair.first_id)
        return None if found is None else found.id


def _decisions(session: Session, pair_id: uuid.UUID) -> Sequence[ReviewDecision]:
    return session.scalars(
        select(ReviewDecision)
        .where(
            ReviewDecision.item_id == pair_id,
            ReviewDecision.kind == DecisionKind.DUPLICATE.value,
            ReviewDecision.undone_at.is_(None),
        )
        .order_by(ReviewDecision.submission_id)
    ).all()


# Reopen a settled entry, so that it waits for a person again.


_OVER = (SubmissionStatus.COMPLETED, SubmissionStatus.RESOLVED, SubmissionStatus.REJECTED)


def reopen_record(
    context: Context, actor_id: uuid.UUID, submission_id: uuid.UUID, version: int, reason: str | None = None
) -> uuid.UUID:
    """Reopen a completed, resolved or rejected entry and return the id of its escalation.

    Raises ConflictError, saying who did what, if the entry has changed since `version` or is not settled.
    """
    with context.database.session() as session:
        submission = win_entry(session, submission_id, version)
        status = submission.status
        if status not in _OVER:
            raise ConflictError(Conflict.ENTRY_NOT_SETTLED, entry_status=status)
        decision = begin_decision(context.settings, session, submission, None, actor_id, DEFAULT_FIELDS)
        set_status(
            session,
            submission,
            SubmissionStatus.ESCALATED,
            actor_id,
            kind="reopened",
            needs_review=True,
            reason=reason,
        )
        renew_defaults(session, context.settings, submission, actor_id)
        policy = season_rules(session, submission.season_id, context.settings)
        _, missing = can_approve_record(get_record_by_id(session, submission.id), policy)
        submission.missing_fields = missing
        reopened = Message.of(EscalationReason.REOPENED)
        escalation_id = escalate(session, decision.run, reopened, {"missing_fields": missing})
        decision.run.outcome = submission.status
        decision.count(RunReason.REOPENED_BY_PERSON)
        decision.keep(DecisionKind.REOPEN, escalation_id)
        return escalation_id
