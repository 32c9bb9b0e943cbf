"""Job: research a report."""

from __future__ import annotations

import uuid
from typing import ClassVar

import structlog

from core.error_codes import ErrorCode
from core.errors import AppError
from core.messages import MessageCode
from core.models import Report
from jobs.edge import GaveUpError, TookTooLongError, at_edge
from jobs.process_context import process_context
from services.reports.fail_report import fail_report
from services.reports.run_report import run_report


class ReportUnfinishedError(AppError):
    """The research was begun as often as allowed and never finished."""

    code: ClassVar[MessageCode] = ErrorCode.REPORT_UNFINISHED


def run_report_job(report_id: str) -> None:
    """Research the report; continues from its checkpoint after a crash or an approved plan."""
    context = process_context()
    key = uuid.UUID(report_id)
    with structlog.contextvars.bound_contextvars(report_id=report_id):
        with context.database.session() as session:
            attempts = session.get_one(Report, key).attempts

        def work() -> None:
            run_report(context, key)

        def fail(error: AppError) -> None:
            # The messages of these errors are about files.
            unfinished = isinstance(error, GaveUpError | TookTooLongError)
            fail_report(context, key, ReportUnfinishedError(error.code) if unfinished else error)

        at_edge(work, attempts, fail)
