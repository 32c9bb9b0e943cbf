"""Erase what is too old: entries by season, events, sessions, tokens, and files that no row names."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby

from sqlalchemy import ColumnElement, DateTime, cast, delete, func, literal, or_, select, update
from sqlalchemy.orm import Session

from core.errors import ConflictError
from core.log import get_logger
from core.models import (
    AccountToken,
    ApiToken,
    ErasureReason,
    ReviewDecision,
    Season,
    Submission,
    Upload,
    UploadSplit,
)
from services.accounts.sessions.purge import purge_sessions
from services.context import Context
from services.erasure.erase_submission import erase_submissions
from services.erasure.remove_strays import remove_strays
from services.exports.remove_exports import purge_exports
from services.form_studio.forget_samples import purge_samples
from services.mails.change_mail import purge_mails
from services.recovery.kinds import UNSPLIT
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
    strays: int = 0
    exports: int = 0
    mails: int = 0
    samples: int = 0


def submissions_overdue(context: Context) -> dict[str, int]:
    """Return {season: number of its entries} for each season whose term of retention is over."""
    with context.database.session() as session:
        rows = session.execute(
            select(Season.name, func.count(Submission.id))
            .join(Submission, Submission.season_id == Season.id)
            .where(_is_over(context))
            .group_by(Season.name)
            .order_by(Season.name)
        ).all()
    return {row[0]: row[1] for row in rows}


def purge(context: Context) -> Purged:
    """Erase it. What a worker or a person has in hand is left for the next night."""
    entries = sum(_erase_batch(context, ids) for ids in _by_batch(context))
    _remove_empty_files(context)
    return Purged(
        entries,
        purge_security_events(context),
        purge_sessions(context),
        _purge_tokens(context),
        remove_strays(context),
        purge_exports(context),
        purge_mails(context),
        purge_samples(context),
    )


def _by_batch(context: Context) -> list[list[uuid.UUID]]:
    """Return the entries of each batch: corrected splits, whose files go together, stay within one."""
    with context.database.session() as session:
        rows = session.execute(
            select(Submission.batch_id, Submission.id)
            .join(Season, Season.id == Submission.season_id)
            .where(_is_over(context))
            .order_by(Submission.batch_id, Submission.id)
        ).all()
    return [[row.id for row in rows] for _, rows in groupby(rows, key=lambda row: row.batch_id)]


def _erase_batch(context: Context, submission_ids: list[uuid.UUID]) -> int:
    try:
        erase_submissions(context, submission_ids, None, ErasureReason.RETENTION)
    except ConflictError:
        log.warning("purge_postponed", entries=len(submission_ids))
        return 0
    return len(submission_ids)


def _remove_empty_files(context: Context) -> None:
    """Remove files in which no entry was found, or that could not be read; they may show a child all the same."""
    entries = select(Submission.id).where(Submission.batch_id == Upload.batch_id)
    with context.database.session() as session:
        rows = session.execute(
            select(Upload.id, Upload.storage_key, Upload.pdf_key)
            .join(Season, Season.id == Upload.season_id)
            .where(_is_over(context), ~entries.exists(), Upload.status.not_in(UNSPLIT))
        ).all()
        ids = [row.id for row in rows]
        session.execute(update(UploadSplit).where(UploadSplit.made_upload_id.in_(ids)).values(made_upload_id=None))
        session.execute(delete(Upload).where(Upload.id.in_(ids)))
        for row in rows:
            for key in {row.storage_key, row.pdf_key} - {None}:
                context.store.delete(key)
            context.store.delete_prefix(f"cache/pages/{row.id}")
            context.store.delete_prefix(f"cache/words/{row.id}")


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
