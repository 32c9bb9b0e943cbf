"""The page of the queue, and what admins do on it."""

from __future__ import annotations

import pytest
from sqlalchemy import func, update

from core.messages import Message
from core.models import BrowserSession, Profile
from core.queue import job_ids
from core.work import JobKind
from services.context import Context
from services.queue.failed_work import failed_work, note_failure, sample_queue
from services.recovery.kinds import WORK
from services.recovery.work import queue_rows
from tests.support import factories
from tests.support.site import unreachable_redis

FRAME = {"kind": "KeyError", "code": None, "frames": [["pipeline/segment/roles.py", 7, "roles"]]}


@pytest.fixture
def failed(context: Context) -> str:
    """An entry whose reading failed, with where it failed."""
    context.redis.flushdb()
    with context.database.session() as session:
        key = f"{factories.make_submission(session, status='failed', error=Message('storage_error')).id}:1"
    note_failure(context, JobKind.RUN, key, [FRAME])
    return key


def test_an_empty_queue_says_what_to_do(signed_in, context: Context) -> None:
    context.redis.flushdb()
    page = signed_in("auditor").get("/admin/queue").text
    for sentence in ("No worker is running.", "Nothing has failed.", "Nothing is waiting.", "Nothing found yet"):
        assert sentence in page


def test_a_failure_has_its_sentence_and_admins_see_where(signed_in, failed: str) -> None:
    seen = {role: signed_in(role).get("/admin/queue").text for role in ("auditor", "admin")}
    for page in seen.values():
        assert "The file store is not responding." in page
    assert "pipeline/segment/roles.py" in seen["admin"] and "Try again" in seen["admin"]
    assert "pipeline/segment/roles.py" not in seen["auditor"] and "Try again" not in seen["auditor"]


def test_one_is_tried_again(signed_in, context: Context, failed: str) -> None:
    answer = signed_in("admin").post(
        "/admin/queue/retry", data={"kind": "run", "key": failed}, follow_redirects=True
    )
    assert "The job is back on the queue." in answer.text
    assert failed_work(context) == [] and len(job_ids(context.redis).queued) == 1


def test_all_are_tried_again(signed_in, context: Context, failed: str) -> None:
    client = signed_in("admin")
    assert "There were no failed jobs left." in _all(client, "upload")
    assert "1 job is back on the queue." in _all(client, "")
    assert failed_work(context) == []


def _all(client, kind: str) -> str:
    return client.post("/admin/queue/requeue", data={"kind": kind}, follow_redirects=True).text


def test_a_waiting_job_is_cancelled(signed_in, context: Context) -> None:
    context.redis.flushdb()
    with context.database.session() as session:
        run_id = factories.make_run(session, status="queued").run_id
    queue_rows(context, WORK[JobKind.RUN], run_id)
    sample_queue(context)
    client = signed_in("admin")
    page = client.get("/admin/queue").text
    assert "Cancel" in page and "1 queued, 0 running" in page
    client.post("/admin/queue/cancel", data={"kind": "run", "key": run_id})
    assert job_ids(context.redis).queued == []
    assert "An admin took this off the queue" in client.get("/admin/queue").text
    assert client.post("/admin/queue/cancel", data={"kind": "run", "key": run_id}).status_code == 404


@pytest.mark.parametrize("action", ["retry", "requeue", "cancel"])
def test_what_admins_do_wants_the_password_and_the_role(
    signed_in, people: dict[str, Profile], context: Context, failed: str, action: str
) -> None:
    data = {"kind": "run", "key": failed}
    assert signed_in("auditor").post(f"/admin/queue/{action}", data=data).status_code == 403
    client = signed_in("admin")
    context.database.execute(
        update(BrowserSession).values(confirmed_at=func.now() - func.make_interval(0, 0, 0, 1))
    )
    assert client.post(f"/admin/queue/{action}", data=data).status_code == 401
    assert len(failed_work(context)) == 1


@pytest.mark.parametrize("data", [{}, {"kind": "no such"}, {"kind": "other", "key": "x"}, {"kind": "run"}])
def test_forms_that_do_not_fit(signed_in, failed: str, data: dict[str, str]) -> None:
    client = signed_in("admin")
    for action in ("retry", "cancel"):
        assert client.post(f"/admin/queue/{action}", data=data).status_code in (400, 404, 409)


def test_of_one_kind_only(signed_in, failed: str) -> None:
    client = signed_in("admin")
    assert "All kinds" in client.get("/admin/queue?kind=run").text
    assert "Nothing has failed." in client.get("/admin/queue?kind=upload").text


def test_without_the_queues_server(signed_in, context: Context, failed: str, monkeypatch) -> None:
    client = signed_in("admin")
    monkeypatch.setattr(context, "redis", unreachable_redis())
    page = client.get("/admin/queue").text
    assert "The queue is not responding." in page and "The file store is not responding." in page
