"""Error handling of jobs: retryable errors go back to the queue, others are recorded in the row."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import ClassVar

import psycopg
import sqlalchemy.exc
from rq.timeouts import JobTimeoutException

from core.error_codes import ErrorCode
from core.errors import AppError, DatabaseAwayError, LeaseLostError
from core.log import get_logger
from core.messages import MessageCode
from core.queue import RETRY_INTERVALS

log = get_logger(__name__)
MAX_ATTEMPTS = 1 + len(RETRY_INTERVALS)
#: What is raised where the database does not answer, or breaks off; checkpoints are written by the driver itself.
_AWAY = (
    sqlalchemy.exc.OperationalError,
    sqlalchemy.exc.InterfaceError,
    psycopg.OperationalError,
    psycopg.InterfaceError,
)


class GaveUpError(AppError):
    """The work was begun MAX_ATTEMPTS times and never finished, because its worker died each time."""

    code: ClassVar[MessageCode] = ErrorCode.GAVE_UP


class TookTooLongError(AppError):
    """The work did not end within its time limit in any attempt."""

    code: ClassVar[MessageCode] = ErrorCode.TOOK_TOO_LONG


class UnexpectedError(AppError):
    """An error of an unexpected type; its traceback is in the log."""


def at_edge(work: Callable[[], object], attempts: int, fail: Callable[[AppError], None]) -> None:
    """Do the work; record a final failure with `fail`, or raise so that the queue tries again.

    `attempts` is how often the work was begun before; after MAX_ATTEMPTS it is not begun again.
    """
    if attempts >= MAX_ATTEMPTS:
        fail(GaveUpError())
        return
    try:
        _translated(work)
    except LeaseLostError:
        log.warning("lease_lost")
    except JobTimeoutException:
        # The results so far are cached, so that the next attempt gets further.
        if attempts + 1 < MAX_ATTEMPTS:
            raise
        fail(TookTooLongError())
    except AppError as error:
        if error.retryable and attempts + 1 < MAX_ATTEMPTS:
            raise
        log.warning("job_failed", code=error.code, detail=error.detail)
        fail(error)
    except Exception as error:  # noqa: BLE001 - the edge of the job: nothing above it would tell a person
        # Log only the stack: the message may quote values of an entry (PostgreSQL's does).
        frames = "".join(traceback.format_tb(error.__traceback__))
        log.error("job_failed_unexpectedly", kind=type(error).__name__, frames=frames)
        fail(UnexpectedError(type(error).__name__))


def _translated(work: Callable[[], object]) -> None:
    """Do the work. Raises DatabaseAwayError where a connection to the database broke."""
    try:
        work()
    except _AWAY as exc:
        raise DatabaseAwayError(type(exc).__name__) from exc
