"""Reports through the real queue: done by a worker, and by the next one after a kill."""

from __future__ import annotations

import time
import uuid

import pytest

from core.models import Report
from services.context import Context
from services.reconcile import reconcile
from services.reports.request_report import ReportRequest, request_report
from tests.support.office import make_person, start_worker, wait_until, working
from tests.support.research_library import put_papers

pytestmark = pytest.mark.slow
QUESTION = "What do school programmes do that bring fathers in, and what do they cost?"


def asked(context: Context) -> uuid.UUID:
    put_papers(context.database)
    return request_report(context, make_person(context, "officer"), ReportRequest(QUESTION, tier="quick"))


def status_of(context: Context, report_id: uuid.UUID) -> str:
    with context.database.session() as session:
        return session.get_one(Report, report_id).status


def test_a_worker_that_was_killed_is_followed_by_another(context: Context) -> None:
    report_id = asked(context)
    killed = start_worker(context.settings, kill_at="join_round_1:done")
    killed.join(60)
    assert not killed.is_alive()
    assert status_of(context, report_id) == "running"
    time.sleep(context.settings.lease_seconds)
    assert reconcile(context) == 1
    with working(context):
        wait_until(lambda: status_of(context, report_id) == "done", "the report")
    with context.database.session() as session:
        report = session.get_one(Report, report_id)
    assert (report.attempts, report.current_version, report.lease_owner) == (2, 1, None)
    assert reconcile(context) == 1, "its checkpoints are removed"
    assert reconcile(context) == 0
