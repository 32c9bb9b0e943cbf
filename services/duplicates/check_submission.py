"""Compare an entry with the others of its season, in the transaction that settles it."""

from __future__ import annotations

import uuid

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from core.models import DuplicatePair, Submission
from pipeline.duplicates.judge import Match, judge
from services.audit import event
from services.duplicates.candidates import candidates, neighbours_of
from services.duplicates.keep_keys import keep_keys
from services.duplicates.open_pairs import is_doubted
from services.duplicates.prepare import Prepared


def check_submission(
    session: Session, submission: Submission, prepared: Prepared, *, one_entry_each: bool
) -> bool:
    """Keep what the entry is found by, and a pair for each other entry that it may be the same as.

    Returns whether a person has to decide on it: it is the later one of such a pair, and not only the half of an
    entry, which waits for what it lacks. Entries of a season are
    compared one after the other, so that of two that are settled at once the later one finds the other. Safe to
    repeat: a pair that a person has decided on is not raised again.
    """
    session.execute(
        select(func.pg_advisory_xact_lock(func.hashtextextended(f"duplicates:{submission.season_id}", 0)))
    )
    keep_keys(session, submission, prepared)
    known = _pairs_of(session, submission.id)
    beside = neighbours_of(session, submission)
    for other, subject in candidates(session, submission, prepared, beside):
        if other.id in known and known[other.id].decision is not None:
            continue
        match = judge(subject, prepared.subject, one_entry_each=one_entry_each, neighbours=other.id in beside)
        if match is not None:
            _tell(session, submission, other, match, known.get(other.id))
    session.flush()
    return is_doubted(session, submission.id)


def _pairs_of(session: Session, submission_id: uuid.UUID) -> dict[uuid.UUID, DuplicatePair]:
    """Return the pairs of an entry by the id of the other."""
    rows = session.scalars(
        select(DuplicatePair).where(
            or_(DuplicatePair.first_id == submission_id, DuplicatePair.second_id == submission_id)
        )
    )
    return {pair.second_id if pair.first_id == submission_id else pair.first_id: pair for pair in rows}


def _tell(
    session: Session, submission: Submission, other: Submission, match: Match, pair: DuplicatePair | None
) -> None:
    """Write the pair, or what is known of it by now."""
    if pair is None:
        pair = DuplicatePair(season_id=submission.season_id, first_id=other.id, second_id=submission.id)
        session.add(pair)
        session.add_all([event(other, "duplicate_found"), event(submission, "duplicate_found")])
    pair.likenesses = [likeness.value for likeness in match.likenesses]
    pair.strength = match.strength.value
    pair.essay = match.essay
