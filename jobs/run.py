"""The function of every job: do the work of its kind for one row."""

from __future__ import annotations

from typing import Any

import structlog
from rq import get_current_job
from sqlalchemy import literal, select

from core.errors import AppError
from core.tracing.log import get_logger
from core.work import Work, function_of
from jobs.attempts import at_edge, process_context, reading_context
from services.context import Context
from services.recovery.kinds import WORK
from services.recovery.work import bring_next_forward, fail_work, job_kind_of, queue_rows

log = get_logger(__name__)


def run_job(key: str) -> None:
    """Do the work of this process's current job; `key` is the key of its row, as text."""
    job = get_current_job()
    assert job is not None
    work = WORK.get(job_kind_of(job.id))
    if work is None:
        log.warning("job_refused", job_id=job.id[:100], why="kind")
        return
    do_work(work, key)


def do_work(work: Work[Any], text: str) -> None:
    """Do the work for the row with this key; record a final failure as its kind declares. Safe to repeat.

    Raises an error if the queue should retry. For a row that was erased the work's function runs, too, and finds
    nothing to do.
    """
    context = reading_context() if work.reads_entries else process_context()
    key = work.key_of(text)
    attempts, failing, share, logged = _row(context, work, key)
    with structlog.contextvars.bound_contextvars(**logged):

        def do() -> None:
            found = function_of(work.does)(context, key)
            if work.queues is not None:
                queue_rows(context, WORK[work.queues], *found)

        if work.fails is None:
            do()
            return

        def fail(error: AppError) -> None:
            fail_work(context, work, key, error)

        of = None if work.fails_as is None or failing is None else (work.fails_as[0], failing)
        at_edge(do, attempts, fail, of, work.most_attempts)
        bring_next_forward(context, work, share)


def _row(context: Context, work: Work[Any], key: object) -> tuple[int, str | None, object, dict[str, str]]:
    """Return the number of earlier attempts, the key of the row that fails, the share, and values for the log."""
    columns = {f"log_{name}": column for name, column in work.logged.items()}
    query = select(
        (literal(0) if work.attempts is None else work.attempts).label("attempts"),
        (literal(None) if work.fails_as is None else work.fails_as[1]).label("failing"),
        (literal(None) if work.share is None else work.share.of_row).label("share"),
        *(column.label(name) for name, column in columns.items()),
    )
    with context.database.reading() as session:
        row = session.execute(query.where(work.key == key)).one_or_none()
    if row is None:
        return 0, None, None, {}
    logged = {name.removeprefix("log_"): str(getattr(row, name)) for name in columns}
    failing = None if row.failing is None else str(row.failing)
    return row.attempts, failing, row.share, logged
