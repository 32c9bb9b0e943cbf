"""Which errors go back to the queue and which into the row."""

from __future__ import annotations

import psycopg
import pytest
from rq.timeouts import JobTimeoutException
from sqlalchemy.exc import OperationalError

from core.errors import AppError, LeaseLostError, NotADocumentError, StorageError
from core.work import MOST_ATTEMPTS
from jobs.attempts import at_edge


def outcome_of(error: Exception | None, attempts: int = 0) -> list[str]:
    """The codes that were recorded; the error itself where it goes back to the queue."""
    failed: list[AppError] = []

    def work() -> None:
        if error is not None:
            raise error

    try:
        at_edge(work, attempts, failed.append)
    except Exception as raised:
        return [f"raised {type(raised).__name__}"]
    return [recorded.code for recorded in failed]


@pytest.mark.parametrize(
    ("error", "attempts", "expected"),
    [
        (None, 0, []),
        (NotADocumentError(), 0, ["not_a_document"]),
        (StorageError(), 0, ["raised StorageError"]),
        (StorageError(), MOST_ATTEMPTS - 1, ["storage_error"]),
        (LeaseLostError(), 0, []),
        (JobTimeoutException(), 0, ["raised JobTimeoutException"]),
        (JobTimeoutException(), MOST_ATTEMPTS - 1, ["took_too_long"]),
        (psycopg.OperationalError(), 0, ["raised DatabaseAwayError"]),
        (psycopg.errors.ReadOnlySqlTransaction(), 0, ["raised DatabaseAwayError"]),
        (OperationalError("", {}, psycopg.errors.AdminShutdown()), 0, ["raised DatabaseAwayError"]),
        (OperationalError("", {}, psycopg.errors.AdminShutdown()), MOST_ATTEMPTS - 1, ["database_away"]),
        (ZeroDivisionError(), 0, ["internal_error"]),
        (None, MOST_ATTEMPTS, ["gave_up"]),
    ],
)
def test_translation(error: Exception | None, attempts: int, expected: list[str]) -> None:
    assert outcome_of(error, attempts) == expected
