"""Supervisions through the real queue: what a crash left is found again, what cannot be done is said."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from core.clock import utcnow
from core.config import load_settings
from core.errors import StorageError
from core.models import ReportRevision, ReportSupervision
from jobs.run import do_work
from services.context import Context
from services.reconcile import reconcile
from services.recovery.research_kinds import SUPERVISIONS
from services.supervision.documents import upload_document
from services.supervision.request import start_supervision
from services.supervision.revisions import decide_revision
from services.supervision.run import run_supervision
from tests.jobs.conftest import opened
from tests.support.office import make_person, wait_until, working
from tests.support.research.research_library import put_papers
from tests.support.research.theory_library import DOCUMENT, THEORY_PAPERS
from tests.support.servers.supervising_model import SupervisingModel


@pytest.fixture
def context(chosen: dict[str, Any]) -> Iterator[Context]:
    with SupervisingModel() as model:
        yield from opened(load_settings(**chosen, **model.settings))


@pytest.fixture
def officer(context: Context) -> uuid.UUID:
    return make_person(context, "officer")


@pytest.fixture
def supervision_id(context: Context, officer: uuid.UUID) -> uuid.UUID:
    put_papers(context.database, THEORY_PAPERS)
    report_id = upload_document(context, officer, "evenings.md", DOCUMENT.encode())
    return start_supervision(context, officer, report_id, "quick", "supervised")


def of(context: Context, supervision_id: uuid.UUID) -> ReportSupervision:
    return context.database.get_one(ReportSupervision, supervision_id)


def change(context: Context, supervision_id: uuid.UUID, **values: object) -> None:
    context.database.execute(
        update(ReportSupervision).where(ReportSupervision.id == supervision_id).values(**values)
    )


def revision_of(context: Context, supervision_id: uuid.UUID) -> ReportRevision:
    return context.database.one(select(ReportRevision).where(ReportRevision.supervision_id == supervision_id))


@pytest.mark.slow
def test_a_loop_whose_worker_died_is_done_by_another(
    context: Context, officer: uuid.UUID, supervision_id: uuid.UUID
) -> None:
    context.redis.flushdb()
    long_ago = utcnow() - timedelta(hours=1)
    dead = {"lease_owner": "gone:1", "lease_until": long_ago, "enqueued_at": long_ago}
    change(context, supervision_id, status="running", **dead)
    assert reconcile(context) == 1
    with working(context):
        wait_until(lambda: of(context, supervision_id).status == "awaiting_decision", "the revision")
        decide_revision(context, officer, revision_of(context, supervision_id).id, 1, "accepted")
        wait_until(lambda: of(context, supervision_id).status == "done", "the end")
    row = of(context, supervision_id)
    assert (row.ended_because, row.last_version) == ("max_iterations", 2)


def test_a_decision_that_was_not_queued_is_found(
    context: Context, officer: uuid.UUID, supervision_id: uuid.UUID
) -> None:
    run_supervision(context, supervision_id)
    context.redis.flushdb()
    assert reconcile(context) == 0, "it waits for a person"
    decide_revision(context, officer, revision_of(context, supervision_id).id, 1, "rejected")
    context.redis.flushdb()
    change(context, supervision_id, enqueued_at=None)
    assert reconcile(context) == 1
    run_supervision(context, supervision_id)
    assert of(context, supervision_id).status == "done"
    assert reconcile(context) == 1, "its checkpoints are removed"
    assert of(context, supervision_id).pruned_at is not None
    assert reconcile(context) == 0


def test_what_fails_for_good_is_said(
    context: Context, supervision_id: uuid.UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> bool:
        raise StorageError("no store")

    monkeypatch.setattr("jobs.run.process_context", lambda: context)
    monkeypatch.setattr("services.supervision.run.run_supervision", away)
    with pytest.raises(StorageError):
        do_work(SUPERVISIONS, str(supervision_id))
    assert of(context, supervision_id).status == "queued", "the queue tries again"
    change(context, supervision_id, attempts=3)
    do_work(SUPERVISIONS, str(supervision_id))
    row = of(context, supervision_id)
    assert (row.status, row.ended_because, row.error_code) == ("failed", "error", "storage_error")
    assert row.error_code == StorageError.code
