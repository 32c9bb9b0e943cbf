"""Remove what is past its time: erased entries, stray files, old rows."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any, ParamSpec

from sqlalchemy import ColumnElement, DateTime, cast, delete, func, literal, or_, select, union, update
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import InstrumentedAttribute, Session

from core.clock import utcnow
from core.errors import AppError, ConflictError
from core.models import (
    AccountToken,
    ApiToken,
    ErasureReason,
    Export,
    FormDraft,
    FormSample,
    LibraryDocument,
    ModelCallRow,
    OrchestratorLog,
    ReviewDecision,
    Run,
    Season,
    Submission,
    Upload,
    UploadSplit,
)
from core.tracing.log import get_logger
from services.accounts.sign_in import purge_sessions
from services.audit import purge_security_events
from services.context import Context
from services.erasure.erase import erase_submissions
from services.exports.contents import FOLDER, key_of, remove_abandoned
from services.exports.request import purge_exports
from services.form_studio.draft import FOLDER as FORMS
from services.form_studio.draft import named_in, purge_samples
from services.library.copies import store_run_keys
from services.mails.mails import purge_mails
from services.reconcile import prune_checkpoints
from services.recovery.kinds import ALL, UNSPLIT

_P = ParamSpec("_P")
log = get_logger(__name__)
#: How long invitations, links and tokens are kept after they expired.
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


def purge_expired(context: Context) -> Purged:
    """Erase what is too old. What a worker or a person works on, and what fails, is left for the next night."""
    entries = sum(_tried("entries", _erase_batch, context, ids) for ids in _by_batch(context))
    _tried("files", _remove_empty_files, context)
    _tried("run_keys", store_run_keys, context)
    return Purged(
        entries,
        _tried("events", purge_security_events, context),
        _tried("sessions", purge_sessions, context),
        _tried("tokens", _purge_tokens, context),
        _tried("strays", remove_strays, context),
        _tried("exports", purge_exports, context),
        _tried("mails", purge_mails, context),
        _tried("samples", purge_samples, context),
    )


def _tried(what: str, work: Callable[_P, int], *given: _P.args, **named: _P.kwargs) -> int:
    """Return the number of what was removed; 0 where that failed, which is logged: the rest goes on."""
    try:
        return work(*given, **named)
    except AppError as exc:
        code: str = exc.code
    except OperationalError as exc:
        # Of two transactions that wait for each other the database ends one.
        code = type(exc.orig).__name__
    log.error("purge_failed", what=what, code=code)
    return 0


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


def _remove_empty_files(context: Context) -> int:
    """Remove files in which no entry was found, or that could not be read; they may show a child all the same.

    Rows go before files: one whose deletion fails is removed as a stray. Raises StorageError for what is cached.
    """
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
            context.store.delete_prefix(f"cache/pages/{row.id}")
            context.store.delete_prefix(f"cache/words/{row.id}")
    for key in {key for row in rows for key in (row.storage_key, row.pdf_key) if key is not None}:
        _tried("files", _remove_file, context, key)
    return len(rows)


def _remove_file(context: Context, key: str) -> int:
    context.store.delete(key)
    return 1


def _is_over(context: Context) -> ColumnElement[bool]:
    """Condition: the season has a term, and it is over, counted from its end or its last decision."""
    days = func.coalesce(Season.retention_days, literal(context.settings.retention_days))
    last = (
        select(func.max(ReviewDecision.created_at))
        .where(ReviewDecision.season_id == Season.id)
        .correlate(Season)
        .scalar_subquery()
    )
    # `greatest` ignores nulls. A season without an end has not ended.
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


# Remove rows of the log by age, and checkpoints that are no longer needed. Their counts stay.


@dataclass(frozen=True)
class Pruned:
    """Numbers of what was removed, or would be."""

    steps: int = 0
    calls: int = 0
    #: Runs, reports and supervisions whose checkpoints went.
    checkpoints: int = 0


def prune_records(context: Context) -> Pruned:
    """Remove log rows and model calls older than LOG_RETENTION_DAYS, and checkpoints of what is over."""
    end = _end(context)
    return Pruned(
        steps=_remove(context, OrchestratorLog, OrchestratorLog.timestamp, end),
        calls=_remove(context, ModelCallRow, ModelCallRow.created_at, end),
        checkpoints=sum(_all_checkpoints(context)),
    )


def prunable(context: Context) -> Pruned:
    """Return how many log rows and model calls `prune_records` would remove."""
    end = _end(context)
    with context.database.session() as session:
        steps = session.scalar(select(func.count()).where(OrchestratorLog.timestamp < end))
        calls = session.scalar(select(func.count()).where(ModelCallRow.created_at < end))
    return Pruned(steps or 0, calls or 0)


def _end(context: Context) -> datetime:
    """Return the beginning, in UTC, of the first day that is kept: only whole days go."""
    today = utcnow().replace(hour=0, minute=0, second=0, microsecond=0)
    return today - timedelta(days=context.settings.log_retention_days)


def _remove(context: Context, model: type[Any], at: InstrumentedAttribute[datetime], end: datetime) -> int:
    """Remove day after day, the oldest first, each in a transaction of its own; a recount counts by whole days."""
    removed = 0
    while True:
        with context.database.session() as session:
            oldest = session.scalar(select(func.min(at)).where(at < end))
            if oldest is None:
                return removed
            day = oldest.astimezone(end.tzinfo).replace(hour=0, minute=0, second=0, microsecond=0)
            gone = session.execute(delete(model).where(at < day + timedelta(days=1)).returning(model.id))
            removed += len(gone.all())


def _all_checkpoints(context: Context) -> list[int]:
    found = []
    for work in ALL:
        while number := prune_checkpoints(context, work):
            found.append(number)
    return found


# Remove files that no row names: a process was killed when it had stored the file and not yet written the row.
#
# Nobody would find them when a child is to be erased.


#: No row is written for an older file any more: requests and jobs are far shorter.
_SECONDS = 24 * 3600.0
#: Keys that are looked up at a time.
_AT_A_TIME = 1000
_ARTIFACTS = "artifacts"
#: Folders whose files have rows. What lies in `cache/` has none.
_FOLDERS = ("originals", "derived", "library", _ARTIFACTS, FOLDER, FORMS)


def remove_strays(context: Context) -> int:
    """Remove those older than a day, and files that were left half written; return their number."""
    removed = context.store.remove_unfinished(_SECONDS) + remove_abandoned(context)
    for folder in _FOLDERS:
        keys = list(context.store.older_keys(folder, _SECONDS))
        for start in range(0, len(keys), _AT_A_TIME):
            for key in _unnamed(context, folder, keys[start : start + _AT_A_TIME]):
                context.store.delete(key)
                removed += 1
    return removed


def _unnamed(context: Context, folder: str, keys: Sequence[str]) -> list[str]:
    with context.database.session() as session:
        if folder == _ARTIFACTS:
            runs = _runs(session, [_run_id(key) for key in keys])
            return [key for key in keys if _run_id(key) not in runs]
        if folder == FOLDER:
            ids = set(session.scalars(select(Export.id)))
            return [key for key in keys if key not in {key_of(export_id) for export_id in ids}]
        if folder == FORMS:
            ids = set(session.scalars(union(select(FormDraft.id), select(FormSample.id))))
            return [key for key in keys if not named_in(key) <= {str(one) for one in ids}]
        named = _named(session, keys)
        return [key for key in keys if key not in named]


def _named(session: Session, keys: Sequence[str]) -> set[str | None]:
    columns = (Upload.storage_key, Upload.pdf_key, LibraryDocument.storage_key)
    return set(session.scalars(union(*(select(column).where(column.in_(keys)) for column in columns))))


def _runs(session: Session, run_ids: Sequence[str]) -> set[str]:
    return set(session.scalars(select(Run.run_id).where(Run.run_id.in_(run_ids))))


def _run_id(key: str) -> str:
    """Return the run that the artifact of this key is of: `artifacts/<submission>/<number>/<name>`."""
    return ":".join(key.split("/")[1:3])
