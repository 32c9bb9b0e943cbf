"""Erase what is older than the term of retention: entries by season, the record of events, sessions and tokens."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import ColumnElement, DateTime, cast, delete, func, literal, or_, select
from sqlalchemy.orm import Session

from core.errors import ConflictError
from core.log import get_logger
from core.models import AccountToken, ApiToken, ErasureReason, ReviewDecision, Season, Submission, SubmissionStatus
from services.accounts.sessions.purge import purge_sessions
from services.context import Context
from services.erasure.erase_submission import erase_submissions
from services.security_events import purge_security_events

log = get_logger(__name__)
#: Invitations, links and tokens are kept so long after they expired.
_TOKENS_KEPT = timedelta(days=30)


@dataclass(frozen=True)
class Purged:
    """Numbers of what is, or was, too old."""

    entries: int = 0
    events: int = 0
    sessions: int = 0
    tokens: int = 0


def entries_overdue(context: Context) -> dict[str, int]:
    """Return {season: number of its entries} for each season whose term of retention is over."""
    with context.database.session() as session:
        rows = session.execute(
            select(Season.name, func.count(Submission.id))
            .join(Submission, Submission.season_id == Season.id)
            .where(_is_over(context))
            .group_by(Season.name)
            .order_by(Season.name)
        ).all()
    return {name: number for name, number in rows}


def purge(context: Context) -> Purged:
    """Erase it. What a worker or a person has in hand is left for the next night."""
    entries = sum(_erase_file(context, ids) for ids in _by_file(context))
    return Purged(entries, purge_security_events(context), purge_sessions(context), _purge_tokens(context))


def _by_file(context: Context) -> list[list[uuid.UUID]]:
    """Return the entries in force, those of one file together, so that the file goes whole; then the rest."""
    with context.database.session() as session:
        rows = session.execute(
            select(Submission.upload_id, Submission.id, Submission.status)
            .join(Season, Season.id == Submission.season_id)
            .where(_is_over(context))
            .order_by(Submission.upload_id, Submission.id)
        ).all()
    files: dict[tuple[bool, uuid.UUID], list[uuid.UUID]] = {}
    for upload_id, submission_id, status in rows:
        files.setdefault((status == SubmissionStatus.SUPERSEDED.value, upload_id), []).append(submission_id)
    return [files[key] for key in sorted(files)]


def _erase_file(context: Context, submission_ids: Sequence[uuid.UUID]) -> int:
    with context.database.session() as session:
        # Replaced ones may have gone with those that replaced them.
        here = session.scalars(select(Submission.id).where(Submission.id.in_(submission_ids))).all()
    if not here:
        return 0
    try:
        erase_submissions(context, here, None, ErasureReason.RETENTION)
    except ConflictError:
        log.warning("purge_postponed", entries=len(here))
        return 0
    return len(here)


def _is_over(context: Context) -> ColumnElement[bool]:
    """Condition: the season has a term, and it is over, counted from its end or its last decision."""
    days = func.coalesce(Season.retention_days, literal(context.settings.retention_days))
    last = (
        select(func.max(ReviewDecision.created_at))
        .where(ReviewDecision.season_id == Season.id)
        .correlate(Season)
        .scalar_subquery()
    )
    # `greatest` leaves nulls out. A season that has no end has not ended.
    end = func.greatest(cast(Season.ends_on, DateTime(timezone=True)), last)
    return (Season.ends_on.is_not(None)) & (end + func.make_interval(0, 0, 0, days) < func.now())


def _purge_tokens(context: Context) -> int:
    with context.database.session() as session:
        return _expired_links(session) + _expired_tokens(session)


def _expired_links(session: Session) -> int:
    old = AccountToken.expires_at < func.now() - _TOKENS_KEPT
    return len(session.execute(delete(AccountToken).where(old).returning(AccountToken.id)).all())


def _expired_tokens(session: Session) -> int:
    limit = func.now() - _TOKENS_KEPT
    old = or_(ApiToken.expires_at < limit, ApiToken.revoked_at < limit)
    return len(session.execute(delete(ApiToken).where(old).returning(ApiToken.id)).all())
