"""Decide whether two entries are one."""

from __future__ import annotations

import uuid
from typing import Literal

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from core.config import Settings
from core.errors import ConflictError, InvalidInputError, existing
from core.messages import Message
from core.models import (
    AsideEnd,
    DecisionKind,
    DuplicatePair,
    Escalation,
    EscalationStatus,
    PairDecision,
    Profile,
    Run,
    RunStatus,
    Submission,
    SubmissionStatus,
)
from core.models.leases import ESCALATION_HOLDS
from pipeline.reason_codes import EscalationReason, RunReason
from pipeline.supabase_db import get_record_by_id
from services.accounts.person import name_of
from services.audit import event
from services.batches.typed_in import keep_received
from services.context import Context
from services.entries.change import apply_values, tell_edits
from services.entries.decision import begin_decision, escalation_of, tell_items
from services.items.holds import require_free
from services.messages.entries import Conflict, Deed, EventReason, ItemLabel, Refused
from services.recovery.kinds import UPLOADS
from services.recovery.work import queue_rows
from services.review.pairs import require_values
from services.runs.inputs import end_aside
from services.runs.settle import end_run, set_status, still_incomplete, supersede_items
from services.uploads.contents import lock_entries
from services.uploads.resplit import join_submissions

_READING = (SubmissionStatus.QUEUED.value, SubmissionStatus.PROCESSING.value)


def decide_pair(
    context: Context,
    actor_id: uuid.UUID,
    pair_id: uuid.UUID,
    version: int,
    decision: PairDecision,
    reason: str | None = None,
) -> None:
    """Decide on the pair in one transaction; `undo_pair` undoes it.

    The entry that is not kept is rejected, or superseded if the other replaces it, which then gets the values that
    people decided. An entry that is kept continues unless something else holds it up. Raises NotFoundError;
    ConflictError, saying who was first, if somebody has decided already or an entry is being read; HeldError if
    another person has one of the two open; InvalidInputError for a join unless exactly one of the entries has an
    essay and both are pages of files, and if values must be given first, because the pages look different
    (`values_first`).
    """
    if decision is PairDecision.JOIN:
        _join(context, actor_id, pair_id, version, reason)
        return
    _require_values(context, pair_id)
    with context.database.session() as session:
        first, second = lock_pair(session, pair_id)
        require_free(session, actor_id, (first.id, second.id))
        _win(session, actor_id, pair_id, version, decision)
        for entry in (first, second):
            if entry.status in _READING:
                raise ConflictError(Conflict.ENTRY_NOT_WAITING, entry_status=entry.status)
            message = Message.of(EventReason.PAIR_DECIDED, pair_decision=decision.value)
            session.add(event(entry, "duplicate_decided", actor_id, message=message, reason=reason))
        settings = context.settings
        if decision is PairDecision.KEEP_FIRST:
            drop_submission(session, settings, second, actor_id, pair_id, SubmissionStatus.REJECTED)
            return
        if decision is PairDecision.KEEP_SECOND:
            drop_submission(session, settings, first, actor_id, pair_id, SubmissionStatus.REJECTED)
        if decision is PairDecision.REPLACE:
            drop_submission(session, settings, first, actor_id, pair_id, SubmissionStatus.SUPERSEDED)
        replaced = first if decision is PairDecision.REPLACE else None
        release_submission(session, settings, second, actor_id, pair_id, replaced)


def _require_values(context: Context, pair_id: uuid.UUID) -> None:
    pair = context.database.get(DuplicatePair, pair_id)
    # A decided pair is refused later, with the person who was first.
    if pair is not None and pair.decision is None:
        require_values(context, pair.first_id, pair.second_id)


def _join(context: Context, actor_id: uuid.UUID, pair_id: uuid.UUID, version: int, reason: str | None) -> None:
    """Replace both by one entry with the pages of both: those of the form first, then those of the essay."""
    with context.database.session() as session:
        pair = existing(session.get(DuplicatePair, pair_id), "no such pair")
        both = [session.get_one(Submission, found) for found in (pair.first_id, pair.second_id)]
        with_essay = [bool(get_record_by_id(session, entry.id).essay_text) for entry in both]
        if with_essay[0] == with_essay[1]:
            raise InvalidInputError(Refused.NOT_TWO_HALVES)
        form, essay = reversed(both) if with_essay[0] else both
        # A correction of a split locks the files before the entries.
        uploads = list(dict.fromkeys((form.upload_id, essay.upload_id)))
        made = join_submissions(session, context.settings, actor_id, uploads, [form.id, essay.id])
        _win(session, actor_id, pair_id, version, PairDecision.JOIN)
        message = Message.of(EventReason.PAIR_DECIDED, pair_decision=PairDecision.JOIN.value)
        for entry in both:
            session.add(event(entry, "duplicate_decided", actor_id, message=message, reason=reason))
    queue_rows(context, UPLOADS, made)


def values_of_people(session: Session, submission_id: uuid.UUID) -> dict[str, str | None]:
    """Return the values of an entry that people have decided on."""
    record = get_record_by_id(session, submission_id)
    return {name: record.value_of(name) for name, reading in record.readings.items() if reading.is_decided}


def lock_pair(session: Session, pair_id: uuid.UUID) -> tuple[Submission, Submission]:
    """Return both entries, locked for this transaction. Raises NotFoundError, also if one was erased meanwhile."""
    pair = existing(session.get(DuplicatePair, pair_id), "no such pair")
    found = lock_entries(session, (pair.first_id, pair.second_id))
    return existing(found.get(pair.first_id), "no such pair"), existing(found.get(pair.second_id), "no such pair")


def _win(session: Session, actor_id: uuid.UUID, pair_id: uuid.UUID, version: int, decision: PairDecision) -> None:
    """Write the decision if nobody has decided since `version`, else raise."""
    won = session.scalar(
        update(DuplicatePair)
        .where(DuplicatePair.id == pair_id, DuplicatePair.decision.is_(None), DuplicatePair.version == version)
        .values(
            decision=decision.value, decided_by=actor_id, decided_at=func.now(), version=DuplicatePair.version + 1
        )
        .returning(DuplicatePair.id)
    )
    if won is None:
        raise lost_pair(session, pair_id)


def lost_pair(session: Session, pair_id: uuid.UUID) -> ConflictError:
    """Return the error for a pair that is not as the person saw it; it names whoever has decided on it."""
    who = session.scalar(
        select(name_of(Profile))
        .join(DuplicatePair, DuplicatePair.decided_by == Profile.id)
        .where(DuplicatePair.id == pair_id)
    )
    if who is not None:
        return ConflictError(Conflict.DECIDED, deed=Deed.SETTLED, who=who)
    return ConflictError(Conflict.CHANGED, item=ItemLabel.PAIR)


def drop_submission(
    session: Session,
    settings: Settings,
    submission: Submission,
    actor_id: uuid.UUID,
    pair_id: uuid.UUID,
    status: Literal[SubmissionStatus.REJECTED, SubmissionStatus.SUPERSEDED],
) -> None:
    """Reject or supersede the entry, which is locked, and its pending items; its record is unchanged."""
    decision = begin_decision(settings, session, submission, None, actor_id)
    decision.before["suggestions"] = supersede_items(session, submission.id, actor_id)["suggestions"]
    decision.run.outcome = status.value
    if decision.run.status == RunStatus.INTERRUPTED:
        end_run(decision.run, RunStatus.SETTLED, status.value)
    set_status(session, submission, status, actor_id, message=Message.of(EventReason.OTHER_KEPT))
    if status is SubmissionStatus.REJECTED:
        decision.count(RunReason.DECIDED_BY_PERSON)
    decision.keep(DecisionKind.DUPLICATE, pair_id)


_WAITING = (SubmissionStatus.SUGGESTED.value, SubmissionStatus.ESCALATED.value)


def release_submission(
    session: Session,
    settings: Settings,
    submission: Submission,
    actor_id: uuid.UUID,
    pair_id: uuid.UUID,
    replaced: Submission | None,
) -> None:
    """Let the entry, which is locked, continue, with the values of people and the earlier day of what it replaces.

    One that waited for nothing else is settled. It keeps waiting if it may duplicate a further entry, or has a
    proposal or another question.
    """
    carried = {} if replaced is None else values_of_people(session, replaced.id)
    decision = begin_decision(settings, session, submission, None, actor_id, carried)
    if replaced is not None and replaced.received_on < submission.received_on:
        own = submission.received_on.isoformat() if submission.received_given else None
        decision.before["received"] = {"own": own, "kept": replaced.received_on.isoformat()}
        keep_received(session, submission, [replaced], actor_id)
    status_before = submission.status
    standing = apply_values(session, settings, submission, carried, actor_id=actor_id)
    tell_edits(session, submission, actor_id, standing, None)
    escalation = escalation_of(session, decision.run)
    if status_before not in _WAITING:
        # A person has settled it meanwhile, or it was never held up.
        submission.status, submission.needs_review = status_before, False
    elif not _only_asked_this(escalation):
        submission.status, submission.needs_review = status_before, True
        tell_items(session, submission.id, standing.changed)
    elif standing.status is SubmissionStatus.RESOLVED:
        assert escalation is not None
        _close(decision.run, escalation, actor_id)
        end_aside(session, submission.id, AsideEnd.SETTLED)
        decision.count(RunReason.DECIDED_BY_PERSON)
    else:
        assert escalation is not None
        escalation.reason = still_incomplete(standing.missing)
        escalation.version += 1
    decision.keep(DecisionKind.DUPLICATE, pair_id)


def _only_asked_this(escalation: Escalation | None) -> bool:
    """Whether the entry waits only for the decision whether it is a duplicate."""
    return (
        escalation is not None
        and escalation.status == EscalationStatus.PENDING
        and escalation.reason.code == EscalationReason.SENT_BEFORE
    )


def _close(run: Run, escalation: Escalation, actor_id: uuid.UUID) -> None:
    """Settle the escalation; its run has ended, so there is nothing to resume."""
    escalation.status = EscalationStatus.RESOLVED.value
    escalation.decision = {"action": "settle", "values": {}, "reason": None}
    escalation.decided_by = actor_id
    escalation.decided_at = escalation.resumed_at = func.now()
    escalation.version += 1
    ESCALATION_HOLDS.end(escalation)
    run.outcome = SubmissionStatus.RESOLVED.value
