"""Reports through the real queue: what a crash left is found again, what cannot be done is said."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from sqlalchemy import update

from core.clock import utcnow
from core.errors import StorageError
from core.models import Report
from jobs.run import do_work
from services.context import Context
from services.reconcile import reconcile
from services.recovery.research_kinds import REPORTS
from services.reports.request import ReportRequest, request_report, retry_report
from tests.support.office import make_person, wait_until, working
from tests.support.research.research_library import put_papers

QUESTION = "What do school programmes do that bring fathers in, and what do they cost?"


@pytest.fixture
def report_id(context: Context) -> uuid.UUID:
    put_papers(context.database)
    return request_report(context, make_person(context, "officer"), ReportRequest(QUESTION, tier="quick"))


def of(context: Context, report_id: uuid.UUID) -> Report:
    return context.database.get_one(Report, report_id)


def change(context: Context, report_id: uuid.UUID, **values: object) -> None:
    context.database.execute(update(Report).where(Report.id == report_id).values(**values))


@pytest.mark.slow
def test_a_report_whose_worker_died_is_done_by_another(context: Context, report_id: uuid.UUID) -> None:
    context.redis.flushdb()
    long_ago = utcnow() - timedelta(hours=1)
    change(context, report_id, status="running", lease_owner="gone:1", lease_until=long_ago, enqueued_at=long_ago)
    assert reconcile(context) == 1
    with working(context):
        wait_until(lambda: of(context, report_id).status == "done", "the report")
    report = of(context, report_id)
    assert (report.current_version, report.lease_owner, report.ended_because) == (1, None, "complete")
    assert reconcile(context) == 1, "its checkpoints are removed"
    assert reconcile(context) == 0


def test_what_fails_for_good_is_said(
    context: Context, report_id: uuid.UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> bool:
        raise StorageError("no store")

    monkeypatch.setattr("jobs.run.process_context", lambda: context)
    monkeypatch.setattr("services.reports.run.run_report", away)
    with pytest.raises(StorageError):
        do_work(REPORTS, str(report_id))
    assert of(context, report_id).status == "queued", "the queue tries again"
    change(context, report_id, attempts=3)
    do_work(REPORTS, str(report_id))
    report = of(context, report_id)
    assert (report.status, report.ended_because, report.error_code) == ("failed", "error", "storage_error")
    assert report.error_code == StorageError.code

    monkeypatch.undo()
    monkeypatch.setattr("jobs.run.process_context", lambda: context)
    retry_report(context, make_person(context, "officer"), report_id)
    do_work(REPORTS, str(report_id))
    report = of(context, report_id)
    assert (report.status, report.error_code, report.ended_because) == ("done", None, "complete")
