"""The lease on a report: which worker may write. Taken, kept and given back by conditional updates only."""

from __future__ import annotations

import uuid
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, func, or_, select, update
from sqlalchemy.orm import Session

from core.errors import LeaseLostError
from core.log import get_logger
from core.models import Report, ReportStatus
from services.context import Context
from services.heartbeat import beating
from services.runs.lease import lease_owner

log = get_logger(__name__)


@dataclass(frozen=True)
class ReportLease:
    """The right of one process to write one report."""

    report_id: uuid.UUID
    owner: str


def approved_and_waiting() -> ColumnElement[bool]:
    """A report whose plan a person has approved and whose graph has not gone on yet."""
    return and_(
        Report.status == ReportStatus.AWAITING_PLAN.value,
        Report.plan_approved_at.is_not(None),
        Report.plan_resumed_at.is_(None),
    )


def take_report(context: Context, report_id: uuid.UUID) -> ReportLease | None:
    """Take the report if there is something to do for it and nobody else holds it; None otherwise."""
    owner = lease_owner()
    under_way = Report.status.in_([ReportStatus.QUEUED.value, ReportStatus.RUNNING.value])
    with context.database.session() as session:
        taken = session.scalar(
            update(Report)
            .where(
                Report.id == report_id,
                or_(under_way, approved_and_waiting()),
                or_(Report.lease_until.is_(None), Report.lease_until < func.now()),
            )
            .values(
                lease_owner=owner,
                lease_until=_until(context),
                attempts=Report.attempts + 1,
                started_at=func.coalesce(Report.started_at, func.now()),
            )
            .returning(Report.id)
        )
    return None if taken is None else ReportLease(report_id, owner)


def hold_report(session: Session, lease: ReportLease) -> Report:
    """Lock the report for this transaction. Raises LeaseLostError when another worker has taken it over."""
    report = session.scalar(
        select(Report)
        .where(Report.id == lease.report_id, Report.lease_owner == lease.owner)
        .with_for_update(key_share=True)
    )
    if report is None:
        raise LeaseLostError(str(lease.report_id))
    return report


def release_report(context: Context, lease: ReportLease) -> None:
    """Let go of the report, whatever its status; nothing happens if it was settled or lost."""
    with context.database.session() as session:
        session.execute(
            update(Report)
            .where(Report.id == lease.report_id, Report.lease_owner == lease.owner)
            .values(lease_owner=None, lease_until=None)
        )


def report_heartbeat(context: Context, lease: ReportLease) -> AbstractContextManager[None]:
    """Prolong the lease in the background for as long as the block runs."""
    return beating(context.settings.lease_seconds / 3, lambda: _prolong(context, lease))


def _prolong(context: Context, lease: ReportLease) -> bool:
    with context.database.session() as session:
        kept = session.scalar(
            update(Report)
            .where(Report.id == lease.report_id, Report.lease_owner == lease.owner)
            .values(lease_until=_until(context))
            .returning(Report.id)
        )
    if kept is None:
        log.warning("lease_lost", report_id=str(lease.report_id))
    return kept is not None


def _until(context: Context) -> ColumnElement[datetime]:
    """The end of a lease that begins now, by the database's clock."""
    return func.now() + timedelta(seconds=context.settings.lease_seconds)
