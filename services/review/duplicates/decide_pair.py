"""A person decides on two entries that may be one: which is kept, both, one for the other, or they are joined."""

from __future__ import annotations

import uuid
from collections.abc import Mapping

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from core.errors import ConflictError, InvalidInputError, NotFoundError
from core.messages import Message
from core.models import DuplicatePair, PairDecision, Profile, Submission, SubmissionStatus
from pipeline.supabase_db import get_record_by_id
from services.accounts.person_name import name_of
from services.audit import event
from services.context import Context
from services.messages.conflict import Conflict, Deed, Item
from services.messages.event import EventReason
from services.messages.refused import Refused
from services.recovery.kinds import UPLOADS
from services.recovery.work import enqueue
from services.review.duplicates.drop_submission import drop_submission
from services.review.duplicates.release_submission import release_submission
from services.review.duplicates.values_first import require_values
from services.uploads.entries_seen import lock_entries, require_free
from services.uploads.resplit_upload import join_submissions

_READING = (SubmissionStatus.QUEUED.value, SubmissionStatus.PROCESSING.value)


def decide_pair(
    context: Context,
    actor_id: uuid.UUID,
    pair_id: uuid.UUID,
    version: int,
    decision: PairDecision,
    reason: str | None = None,
) -> None:
    """Decide on the pair in one transaction; `undo_pair` takes it back.

    The entry that is not kept is rejected, or superseded where the other replaces it; then what people had decided
    of its values goes to the other. An entry that is kept goes on as far as nothing else holds it up. Raises
    NotFoundError, ConflictError, saying who was first, if somebody has decided already or an entry is being read,
    and HeldError if another person has one of the two open; InvalidInputError for a join of two entries of which
    not exactly one has an essay, or that are no pages of files, and where values have to be given first, because
    the pages look different (`values_first`).
    """
    if decision is PairDecision.JOIN:
        _join(context, actor_id, pair_id, version, reason)
        return
    _require_values(context, pair_id)
    with context.database.session() as session:
        first, second = _locked(session, pair_id)
        require_free(session, actor_id, (first.id, second.id))
        _win(session, actor_id, pair_id, version, decision)
        for entry in (first, second):
            if entry.status in _READING:
                raise ConflictError(Conflict.ENTRY_NOT_WAITING, entry_status=entry.status)
            told = Message.of(EventReason.PAIR_DECIDED, pair_decision=decision.value)
            session.add(event(entry, "duplicate_decided", actor_id, message=told, reason=reason))
        measured = context.settings.measure_review_effort
        if decision is PairDecision.KEEP_FIRST:
            drop_submission(session, second, actor_id, pair_id, SubmissionStatus.REJECTED, measured=measured)
            return
        carried: Mapping[str, str | None] = {}
        if decision is PairDecision.KEEP_SECOND:
            drop_submission(session, first, actor_id, pair_id, SubmissionStatus.REJECTED, measured=measured)
        if decision is PairDecision.REPLACE:
            carried = values_of_people(session, first.id)
            drop_submission(session, first, actor_id, pair_id, SubmissionStatus.SUPERSEDED, measured=measured)
        release_submission(session, context.settings, second, actor_id, pair_id, carried)


def _require_values(context: Context, pair_id: uuid.UUID) -> None:
    with context.database.session() as session:
        pair = session.get(DuplicatePair, pair_id)
    # What is decided already is refused by who was first.
    if pair is not None and pair.decision is None:
        require_values(context, pair.first_id, pair.second_id)


def _join(context: Context, actor_id: uuid.UUID, pair_id: uuid.UUID, version: int, reason: str | None) -> None:
    """Let one entry with the pages of both take their place: those of the form first, then those of the essay."""
    with context.database.session() as session:
        pair = session.get(DuplicatePair, pair_id)
        if pair is None:
            raise NotFoundError("no such pair")
        both = [session.get_one(Submission, found) for found in (pair.first_id, pair.second_id)]
        with_essay = [bool(get_record_by_id(session, entry.id).essay_text) for entry in both]
        if with_essay[0] == with_essay[1]:
            raise InvalidInputError(Refused.NOT_TWO_HALVES)
        form, essay = reversed(both) if with_essay[0] else both
        # A correction of a split locks the files before the entries.
        uploads = list(dict.fromkeys((form.upload_id, essay.upload_id)))
        made = join_submissions(session, context.settings, actor_id, uploads, [form.id, essay.id])
        _win(session, actor_id, pair_id, version, PairDecision.JOIN)
        told = Message.of(EventReason.PAIR_DECIDED, pair_decision=PairDecision.JOIN.value)
        for entry in both:
            session.add(event(entry, "duplicate_decided", actor_id, message=told, reason=reason))
    enqueue(context, UPLOADS, made)


def values_of_people(session: Session, submission_id: uuid.UUID) -> dict[str, str | None]:
    """Return the values of an entry that people have decided on."""
    record = get_record_by_id(session, submission_id)
    return {name: record.value_of(name) for name, reading in record.readings.items() if reading.is_decided}


def _locked(session: Session, pair_id: uuid.UUID) -> tuple[Submission, Submission]:
    pair = session.get(DuplicatePair, pair_id)
    if pair is None:
        raise NotFoundError("no such pair")
    found = lock_entries(session, (pair.first_id, pair.second_id))
    return found[pair.first_id], found[pair.second_id]


def _win(session: Session, actor_id: uuid.UUID, pair_id: uuid.UUID, version: int, decision: PairDecision) -> None:
    """Write the decision if nobody has decided since `version`, else raise."""
    won = session.scalar(
        update(DuplicatePair)
        .where(DuplicatePair.id == pair_id, DuplicatePair.decision.is_(None), DuplicatePair.version == version)
        .values(
            decision=decision.value,
            decided_by=actor_id,
            decided_at=func.now(),
            version=DuplicatePair.version + 1,
        )
        .returning(DuplicatePair.id)
    )
    if won is not None:
        return
    who = session.scalar(
        select(name_of(Profile))
        .join(DuplicatePair, DuplicatePair.decided_by == Profile.id)
        .where(DuplicatePair.id == pair_id)
    )
    if who is not None:
        raise ConflictError(Conflict.DECIDED, deed=Deed.SETTLED, who=who)
    raise ConflictError(Conflict.CHANGED, item=Item.PAIR)
