"""One attempt at a job: its context, and its errors, which are retried or recorded in the row."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import ClassVar

import psycopg
import sqlalchemy.exc
from rq import get_current_job
from rq.timeouts import JobTimeoutException

from core.config import get_settings
from core.error_codes import ErrorCode
from core.errors import AppError, DatabaseAwayError, LeaseLostError
from core.messages import MessageCode
from core.tracing.log import get_logger, masked, traceback_text
from core.work import MOST_ATTEMPTS, JobKind
from services.context import Context, open_context
from services.forms.in_use import load_forms
from services.queue.failed_work import note_failure
from services.recovery.work import job_kind_of

# Error handling of jobs: retryable errors go back to the queue, others are recorded in the row.


log = get_logger(__name__)
#: Errors of a database that does not answer, disconnects or takes no writes; LangGraph's checkpoints raise the
#: driver's own.
_AWAY = (
    sqlalchemy.exc.OperationalError,
    sqlalchemy.exc.InterfaceError,
    psycopg.OperationalError,
    psycopg.InterfaceError,
    psycopg.errors.ReadOnlySqlTransaction,
)


class GaveUpError(AppError):
    """The work reached its number of attempts without finishing, because its worker died each time."""

    code: ClassVar[MessageCode] = ErrorCode.GAVE_UP


class TookTooLongError(AppError):
    """The work did not end within its time limit in any attempt."""

    code: ClassVar[MessageCode] = ErrorCode.TOOK_TOO_LONG


class UnexpectedError(AppError):
    """An error of an unexpected type; its traceback is in the log."""


def at_edge(
    work: Callable[[], object],
    attempts: int,
    fail: Callable[[AppError], None],
    of: tuple[JobKind, str] | None = None,
    most: int = MOST_ATTEMPTS,
) -> None:
    """Do the work; record a final failure with `fail`, or raise so that the queue retries.

    `attempts` counts the earlier attempts; after `most` of them the work fails at once. `of`: kind and key of the
    row that fails, if it is not the job's.
    """
    if attempts >= most:
        fail(GaveUpError())
        return
    try:
        _translated(work)
    except LeaseLostError as error:
        log.warning("lease_lost", lease=error.detail)
    except JobTimeoutException as error:
        # The results so far are cached, so the next attempt gets further.
        if attempts + 1 < most:
            raise
        _note(error, of)
        fail(TookTooLongError())
    except AppError as error:
        if error.retryable and attempts + 1 < most:
            raise
        log.warning("job_failed", code=error.code, detail=error.detail)
        _note(error, of)
        fail(error)
    except Exception as error:  # noqa: BLE001 - the edge of the job: nothing above it would tell a person
        # Log only the stack: the message may quote values of an entry (PostgreSQL's does).
        log.error("job_failed_unexpectedly", kind=type(error).__name__, frames=traceback_text(masked(error)))
        _note(error, of)
        fail(UnexpectedError(type(error).__name__))


def _note(error: BaseException, of: tuple[JobKind, str] | None) -> None:
    """Record for admins where the job of this process failed; do nothing outside of a job."""
    job = get_current_job()
    if job is not None:
        kind, key = of or (job_kind_of(job.id), str(job.args[0]))
        note_failure(process_context(), kind, key, masked(error))


def _translated(work: Callable[[], object]) -> None:
    """Do the work. Raises DatabaseAwayError if the connection to the database broke."""
    try:
        work()
    except _AWAY as exc:
        raise DatabaseAwayError(type(exc).__name__) from exc


# The process context of a worker, opened once and inherited across RQ's fork.


@lru_cache(maxsize=1)
def process_context() -> Context:
    """Return the context that the environment configures; a forked work-horse gets its parent's."""
    return open_context(get_settings())


def reading_context() -> Context:
    """Return the process context after loading the forms in use from the database, for jobs that read entries."""
    context = process_context()
    load_forms(context)
    return context
