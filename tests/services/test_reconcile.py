"""Every kind of work that a crash can leave behind: queued again once it is due, and never while it is held."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from rq.job import Job
from rq.serializers import JSONSerializer
from sqlalchemy import func, insert, select, text, update

from core.graphs import open_saver
from core.lease import process_name
from core.models import LibraryDocument, PageRange, Report, ReportSupervision, ReportVersion, Run, Submission
from core.models.leases import RUN_LEASES
from core.queue import RUNNER, open_queues
from core.work import Work
from services.context import Context
from services.reconcile import prune_checkpoints, requeue
from services.recovery.kinds import (
    ALL,
    BATCH_DEFAULTS,
    BATCHES,
    BLANKS,
    BULK_CHANGES,
    EXPORTS,
    MAILS,
    PAGE_RANGES,
    PROBES,
    REREADS,
    RESETS,
    RESUMES,
    RUNS,
    SAMPLES,
    TOGETHER,
    UPLOADS,
)
from services.recovery.research_kinds import DOCUMENTS, MEANINGS, REPORTS, SUPERVISIONS
from services.recovery.work import keeping, put_on_queue, release_dead, take_lease
from tests.support import factories

PAST = func.now() - timedelta(days=2)
WITH_LEASES = [work for work in ALL if work.leases is not None]
WITH_THREADS = [work for work in ALL if work.over is not None]


def _report(session: Any, **values: Any) -> Any:
    given = {
        "season_id": factories.make_season(session).id,
        "requested_by": factories.make_profile(session, "officer").id,
        "query": "What do fathers read?",
    }
    return session.scalar(insert(Report).values(**{**given, **values}).returning(Report.id))


def _supervision(session: Any) -> Any:
    report_id = _report(session, status="done", current_version=1)
    session.execute(
        insert(ReportVersion).values(report_id=report_id, version_no=1, document={}, origin="synthesis")
    )
    person = session.scalar(select(Report.requested_by).where(Report.id == report_id))
    row = ReportSupervision(report_id=report_id, requested_by=person, first_version=1, last_version=1)
    session.add(row)
    session.flush()
    return row.id


def _document(session: Any, **values: Any) -> Any:
    name = uuid.uuid4()
    row = LibraryDocument(
        kind="book",
        original_filename="a.md",
        byte_size=1,
        sha256=name.hex * 2,
        storage_key=f"library/{name}",
        **values,
    )
    session.add(row)
    session.flush()
    return row.id


def _decided(session: Any) -> Any:
    run = factories.make_run(session, status="interrupted")
    person = factories.make_profile(session, "reviewer").id
    given = {
        "status": "resolved",
        "decided_at": func.now(),
        "decided_by": person,
        "decision": {"action": "settle"},
    }
    return factories.make_escalation(session, run, **given).id


def _unread_pages(session: Any) -> Any:
    upload = factories.make_upload(session, status="analysing")
    row = PageRange(upload_id=upload.id, first_page=1, last_page=4)
    session.add(row)
    session.flush()
    return row.id


def _read(session: Any) -> Any:
    run = factories.make_run(session, status="read")
    return session.get_one(Submission, run.submission_id).upload_id


def _decided_alone(session: Any) -> Any:
    run = factories.make_run(session, batch_due=True)
    return session.get_one(Submission, run.submission_id).batch_id


#: A row of each kind as a crash leaves it that came before it was queued.
LEFT: dict[str, Callable[[Any], Any]] = {
    UPLOADS.name: lambda session: factories.make_upload(session, status="stored").id,
    PAGE_RANGES.name: _unread_pages,
    RUNS.name: lambda session: factories.make_run(session, status="queued").run_id,
    TOGETHER.name: _read,
    BATCHES.name: _decided_alone,
    RESUMES.name: _decided,
    DOCUMENTS.name: _document,
    MEANINGS.name: lambda session: _document(session, status="ready", embedding="queued"),
    EXPORTS.name: lambda session: factories.make_export(session).id,
    MAILS.name: lambda session: factories.make_mail(session).id,
    PROBES.name: lambda session: factories.make_set_up_step(session, state="trying").step,
    BLANKS.name: lambda session: factories.make_form_draft(session).id,
    SAMPLES.name: lambda session: factories.make_form_sample(session).id,
    RESETS.name: lambda session: factories.make_reset_request(session).id,
    BATCH_DEFAULTS.name: lambda session: factories.make_batch_default(session).id,
    BULK_CHANGES.name: lambda session: factories.make_bulk_change(session).id,
    REREADS.name: lambda session: factories.make_reread_item(session).id,
    REPORTS.name: _report,
    SUPERVISIONS.name: _supervision,
}
#: What it has, beside the lease, once a worker has begun.
BEGUN: dict[str, dict[str, Any]] = {
    "upload": {"status": "analysing"},
    # The attempt is counted with the lease.
    "pages": {},
    # The file is split; what is begun is not its own work.
    "together": {"status": "split"},
    "batch": {},
    "run": {"status": "running"},
    "library": {"status": "reading"},
    "meaning": {"embedding": "running"},
    "export": {"status": "running"},
    # As with pages.
    "mail": {},
    "probe": {"attempts": 1},
    "blank": {"status": "reading"},
    "sample": {"status": "running"},
    "reset": {"attempts": 1},
    "defaults": {"attempts": 1},
    "bulk": {},
    "reread": {},
    "report": {"status": "running"},
    "supervision": {"status": "running"},
}
#: How a row of a kind with checkpoints ends.
OVER: dict[str, dict[str, Any]] = {
    RUNS.name: {"status": "settled"},
    REPORTS.name: {"status": "done"},
    SUPERVISIONS.name: {"status": "done", "ended_because": "approved", "finished_at": func.now()},
}


def left(context: Context, work: Work[Any], **values: Any) -> Any:
    with context.database.session() as session:
        key = LEFT[work.name](session)
    change(context, work, key, **values)
    return key


def change(context: Context, work: Work[Any], key: Any, **values: Any) -> None:
    if values:
        context.database.execute(update(work.key.class_).where(work.key == key).values(**values))


def jobs(context: Context) -> list[Job]:
    return [
        Job.fetch(job_id, connection=context.redis, serializer=JSONSerializer)
        for queue in open_queues(context.redis)
        for job_id in queue.get_job_ids()
    ]


def test_every_kind_is_tried() -> None:
    assert LEFT.keys() == {work.name for work in ALL}


@pytest.mark.parametrize("work", ALL, ids=lambda work: work.name)
def test_what_was_not_queued_is_queued(context: Context, work: Work[Any]) -> None:
    key = left(context, work)
    assert requeue(context, work) == 1
    (job,) = jobs(context)
    assert (job.func_name, list(job.args)) == (RUNNER, [str(key)])
    assert requeue(context, work) == 0, "it waits"
    assert len(jobs(context)) == 1


@pytest.mark.parametrize("work", WITH_LEASES, ids=lambda work: work.name)
def test_what_a_worker_took_and_lost_is_queued_again(context: Context, work: Work[Any]) -> None:
    """A worker takes a job off its queue; if it is killed before the job begins, only the row tells of it."""
    key = left(context, work)
    assert requeue(context, work) == 1
    (job,) = jobs(context)
    for queue in open_queues(context.redis):
        context.redis.lpop(queue.key)
    assert jobs(context) == [] and job.get_status() == "queued"
    assert work.enqueued_at is not None
    change(context, work, key, **{work.enqueued_at.key: PAST})
    assert requeue(context, work) == 1
    assert [again.id for again in jobs(context)] == [job.id]


@pytest.mark.parametrize("work", WITH_LEASES, ids=lambda work: work.name)
def test_what_is_held_is_left_alone_until_its_lease_expires(context: Context, work: Work[Any]) -> None:
    key = left(context, work)
    lease = take_lease(context, work, key)
    assert lease is not None
    assert take_lease(context, work, key) is None
    assert work.enqueued_at is not None
    change(context, work, key, **{work.enqueued_at.key: PAST}, **BEGUN[work.name])
    assert requeue(context, work) == 0
    change(context, work, key, lease_until=PAST)
    # The job of the worker that is gone, as the queue still has it.
    _started(context, work, key)
    assert requeue(context, work) == 1
    assert [job.get_status() for job in jobs(context)] == ["queued"]
    assert take_lease(context, work, key) is not None


@pytest.mark.parametrize("work", WITH_LEASES, ids=lambda work: work.name)
def test_what_is_due_anew_while_a_job_of_it_runs_is_queued_when_that_ends(
    context: Context, work: Work[Any]
) -> None:
    key = left(context, work)
    job = _started(context, work, key)
    context.redis.hset(job.key, "worker_name", "alive")
    context.redis.hset("rq:worker:alive", "state", "busy")
    put_on_queue(context, work, [key], replace=False)
    assert jobs(context) == []
    job.delete()
    assert requeue(context, work) == 1 and [again.id for again in jobs(context)] == [job.id]
    # Now it waits, which is recorded however often it is asked for.
    change(context, work, key, **{work.enqueued_at.key: None} if work.enqueued_at is not None else {})
    put_on_queue(context, work, [key], replace=False)
    assert len(jobs(context)) == 1 and requeue(context, work) == 0


def _started(context: Context, work: Work[Any], key: Any) -> Job:
    job_id = f"{work.name}-{str(key).replace(':', '-')}"
    job = Job.create(RUNNER, id=job_id, connection=context.redis, serializer=JSONSerializer, status="started")
    job.save()
    return job


def test_a_decision_waits_for_the_lease_of_its_run(context: Context) -> None:
    left(context, RESUMES)
    context.database.execute(
        update(Run).values(lease_owner="worker", lease_until=func.now() + timedelta(minutes=1))
    )
    assert requeue(context, RESUMES) == 0
    context.database.execute(update(Run).values(lease_until=PAST))
    assert requeue(context, RESUMES) == 1


@pytest.mark.parametrize("work", WITH_LEASES, ids=lambda work: work.name)
def test_what_a_dead_process_held_is_free_at_once(context: Context, work: Work[Any]) -> None:
    mine, others = left(context, work), left(context, work)
    assert take_lease(context, work, mine) is not None
    with context.database.session() as session:
        assert work.leases and work.leases.take(session, others, process_name(pid=1), timedelta(minutes=1))
    assert release_dead(context, 1) == 1
    assert take_lease(context, work, mine) is None
    assert take_lease(context, work, others) is not None


@pytest.mark.parametrize("work", WITH_THREADS, ids=lambda work: work.name)
def test_checkpoints_of_what_is_over_are_removed(context: Context, work: Work[Any]) -> None:
    keys = [left(context, work), left(context, work)]
    for key in keys:
        _checkpoint(context, str(key))
    change(context, work, keys[0], **OVER[work.name])
    assert prune_checkpoints(context, work) == 1
    assert prune_checkpoints(context, work) == 0
    threads = set(context.database.scalars(text("select thread_id from langgraph.checkpoints")))
    assert threads & {str(key) for key in keys} == {str(keys[1])}


def test_checkpoints_of_a_report_that_was_stopped_are_kept_for_a_day(context: Context) -> None:
    key = left(context, REPORTS, status="cancelled", finished_at=func.now())
    assert prune_checkpoints(context, REPORTS) == 0
    change(context, REPORTS, key, finished_at=PAST)
    assert prune_checkpoints(context, REPORTS) == 1


def _checkpoint(context: Context, thread: str) -> None:
    from langgraph.checkpoint.base import empty_checkpoint

    config: Any = {"configurable": {"thread_id": thread, "checkpoint_ns": ""}}
    open_saver(context.database).put(config, empty_checkpoint(), {}, {})


def test_work_under_a_lease_is_released_when_it_fails(context: Context) -> None:
    run_id = left(context, RUNS)
    lease = take_lease(context, RUNS, run_id)
    assert lease is not None
    with pytest.raises(ZeroDivisionError), keeping(context, lease):
        _ = 1 / 0
    with context.database.session() as session:
        assert RUN_LEASES.current(session, run_id) is None
