"""The lease on a run: which worker may write. Taken, kept and given back by conditional updates only."""

from __future__ import annotations

import os
import socket
import uuid
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, func, or_, select, update
from sqlalchemy.orm import Session

from core.errors import LeaseLostError
from core.log import get_logger
from core.models import Run, RunStatus
from services.context import Context
from services.heartbeat import beating

log = get_logger(__name__)


@dataclass(frozen=True)
class Lease:
    """The right of one process to write one run."""

    run_id: str
    run_no: int
    submission_id: uuid.UUID
    owner: str
    #: How often the run was begun, this time included.
    attempts: int


def lease_owner() -> str:
    """A name for this process that no other has had."""
    return f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"


def take_lease(context: Context, run_id: str, statuses: Sequence[RunStatus]) -> Lease | None:
    """Take the run if it is in one of `statuses` and nobody else holds it; None otherwise."""
    owner = lease_owner()
    with context.database.session() as session:
        row = session.execute(
            update(Run)
            .where(
                Run.run_id == run_id,
                Run.status.in_([status.value for status in statuses]),
                or_(Run.lease_until.is_(None), Run.lease_until < func.now()),
            )
            .values(
                lease_owner=owner,
                lease_until=_until(context),
                attempts=Run.attempts + 1,
                started_at=func.coalesce(Run.started_at, func.now()),
            )
            .returning(Run.run_no, Run.submission_id, Run.attempts)
        ).first()
    return None if row is None else Lease(run_id, row.run_no, row.submission_id, owner, row.attempts)


def hold(session: Session, lease: Lease) -> Run:
    """Lock the run for this transaction. Raises LeaseLostError when another worker has taken it over."""
    run = session.scalar(
        select(Run)
        .where(Run.run_id == lease.run_id, Run.lease_owner == lease.owner)
        .with_for_update(key_share=True)
    )
    if run is None:
        raise LeaseLostError(lease.run_id)
    return run


def release(context: Context, lease: Lease) -> None:
    """Let go of the run, whatever its status; nothing happens if it was settled or lost."""
    with context.database.session() as session:
        session.execute(
            update(Run)
            .where(Run.run_id == lease.run_id, Run.lease_owner == lease.owner)
            .values(lease_owner=None, lease_until=None)
        )


def heartbeat(context: Context, lease: Lease) -> AbstractContextManager[None]:
    """Prolong the lease in the background for as long as the block runs."""
    return beating(context.settings.lease_seconds / 3, lambda: _prolong(context, lease))


def _prolong(context: Context, lease: Lease) -> bool:
    with context.database.session() as session:
        kept = session.execute(
            update(Run)
            .where(Run.run_id == lease.run_id, Run.lease_owner == lease.owner)
            .values(lease_until=_until(context))
            .returning(Run.run_id)
        ).first()
    if kept is None:
        log.warning("lease_lost", run_id=lease.run_id)
    return kept is not None


def _until(context: Context) -> ColumnElement[datetime]:
    """The end of a lease that begins now, by the database's clock."""
    return func.now() + timedelta(seconds=context.settings.lease_seconds)
