"""The lease on a supervision: which worker may write. Taken, kept and given back by conditional updates only."""

from __future__ import annotations

import uuid
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, exists, func, or_, select, update
from sqlalchemy.orm import Session

from core.errors import LeaseLostError
from core.log import get_logger
from core.models import ReportRevision, ReportSupervision, SupervisionStatus
from services.context import Context
from services.heartbeat import beating
from services.runs.lease import lease_owner

log = get_logger(__name__)
#: A loop that has not ended.
OPEN = (
    SupervisionStatus.QUEUED.value,
    SupervisionStatus.RUNNING.value,
    SupervisionStatus.AWAITING_DECISION.value,
)


@dataclass(frozen=True)
class SupervisionLease:
    """The right of one process to write one supervision."""

    supervision_id: uuid.UUID
    report_id: uuid.UUID
    owner: str


def decided_and_waiting() -> ColumnElement[bool]:
    """A loop whose revision a person has decided and whose graph has not gone on yet."""
    unresumed = exists().where(
        ReportRevision.supervision_id == ReportSupervision.id,
        ReportRevision.decided_at.is_not(None),
        ReportRevision.resumed_at.is_(None),
    )
    return and_(ReportSupervision.status == SupervisionStatus.AWAITING_DECISION.value, unresumed)


def to_be_done() -> ColumnElement[bool]:
    """A loop for which a worker has something to do."""
    under_way = [SupervisionStatus.QUEUED.value, SupervisionStatus.RUNNING.value]
    return or_(ReportSupervision.status.in_(under_way), decided_and_waiting())


def free() -> ColumnElement[bool]:
    """Nobody holds it."""
    return or_(ReportSupervision.lease_until.is_(None), ReportSupervision.lease_until < func.now())


def take_supervision(context: Context, supervision_id: uuid.UUID) -> SupervisionLease | None:
    """Take the supervision if there is something to do for it and nobody else holds it; None otherwise."""
    owner = lease_owner()
    with context.database.session() as session:
        report_id = session.scalar(
            update(ReportSupervision)
            .where(ReportSupervision.id == supervision_id, to_be_done(), free())
            .values(
                lease_owner=owner,
                lease_until=_until(context),
                attempts=ReportSupervision.attempts + 1,
                started_at=func.coalesce(ReportSupervision.started_at, func.now()),
            )
            .returning(ReportSupervision.report_id)
        )
    return None if report_id is None else SupervisionLease(supervision_id, report_id, owner)


def hold_supervision(session: Session, lease: SupervisionLease) -> ReportSupervision:
    """Lock the row for this transaction. Raises LeaseLostError when another worker has taken it over."""
    row = session.scalar(
        select(ReportSupervision)
        .where(ReportSupervision.id == lease.supervision_id, ReportSupervision.lease_owner == lease.owner)
        .with_for_update(key_share=True)
    )
    if row is None:
        raise LeaseLostError(str(lease.supervision_id))
    return row


def release_supervision(context: Context, lease: SupervisionLease) -> None:
    """Let go of it, whatever its status; nothing happens if it was lost."""
    with context.database.session() as session:
        session.execute(
            update(ReportSupervision)
            .where(ReportSupervision.id == lease.supervision_id, ReportSupervision.lease_owner == lease.owner)
            .values(lease_owner=None, lease_until=None)
        )


def supervision_heartbeat(context: Context, lease: SupervisionLease) -> AbstractContextManager[None]:
    """Prolong the lease in the background for as long as the block runs."""
    return beating(context.settings.lease_seconds / 3, lambda: _prolong(context, lease))


def _prolong(context: Context, lease: SupervisionLease) -> bool:
    with context.database.session() as session:
        kept = session.scalar(
            update(ReportSupervision)
            .where(ReportSupervision.id == lease.supervision_id, ReportSupervision.lease_owner == lease.owner)
            .values(lease_until=_until(context))
            .returning(ReportSupervision.id)
        )
    if kept is None:
        log.warning("lease_lost", supervision_id=str(lease.supervision_id))
    return kept is not None


def _until(context: Context) -> ColumnElement[datetime]:
    """The end of a lease that begins now, by the database's clock."""
    return func.now() + timedelta(seconds=context.settings.lease_seconds)
