"""Entries go when their season's term is over; a season without a term keeps them."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from psycopg.errors import DeadlockDetected
from sqlalchemy import select
from sqlalchemy.exc import OperationalError
from structlog.testing import capture_logs

from core.clock import utcnow
from core.errors import DamagedDocumentError, NotFoundError, StorageError
from core.models import ApiToken, Erasure, Season, Submission, Upload
from services.context import Context
from services.erasure import purge as purging
from services.erasure.purge import Purged, purge_expired, submissions_overdue
from services.reconcile import once_a_day
from tests.support import factories


def end_season(context: Context, days_ago: int, retention_days: int | None) -> None:
    with context.database.session() as session:
        season = session.scalars(select(Season)).one()
        season.ends_on = (utcnow() - timedelta(days=days_ago)).date()
        season.retention_days = retention_days


def left(context: Context) -> tuple[int, int]:
    with context.database.session() as session:
        return len(session.scalars(select(Submission)).all()), len(session.scalars(select(Upload)).all())


def test_by_the_term_of_the_season(context: Context) -> None:
    with context.database.session() as session:
        upload = factories.make_upload(session)
        for index, status in enumerate(("completed", "superseded")):
            page = index + 1
            factories.make_submission(
                session, upload, chunk_index=index, status=status, page_start=page, page_end=page
            )
        factories.make_submission(session, status="resolved")
        factories.make_api_token(session, expires_at=utcnow() - timedelta(days=60))
    purge_expired(context)
    assert left(context) == (3, 2), "nobody set a term"
    end_season(context, 29, 30)
    assert submissions_overdue(context) == {} and purge_expired(context).entries == 0
    end_season(context, 32, 30)
    assert list(submissions_overdue(context).values()) == [3]
    assert purge_expired(context).entries == 3
    assert left(context) == (0, 0)
    with context.database.session() as session:
        receipts = session.scalars(select(Erasure)).all()
        assert session.scalars(select(ApiToken)).all() == []
    assert {receipt.reason for receipt in receipts} == {"retention"}
    assert {receipt.actor_id for receipt in receipts} == {None}


def test_a_decision_after_the_end_prolongs_the_term(context: Context) -> None:
    with context.database.session() as session:
        entry = factories.make_submission(session, status="resolved")
        factories.make_decision(session, entry)
    end_season(context, 400, 30)
    assert purge_expired(context).entries == 0


def test_once_a_day(context: Context) -> None:
    assert [once_a_day(context, "purged", purge_expired) for _ in range(2)] == [True, False]


def test_what_did_not_come_to_its_end_is_tried_again_within_the_day(context: Context) -> None:
    def broken(context: Context) -> Purged:
        raise OSError

    with pytest.raises(OSError):
        once_a_day(context, "purged", broken)
    assert context.redis.ttl("second-reader:purged") <= 3600
    context.redis.delete("second-reader:purged")
    assert once_a_day(context, "purged", purge_expired)
    assert context.redis.ttl("second-reader:purged") > 12 * 3600


@pytest.mark.parametrize(
    ("problem", "code"),
    [
        (StorageError("gone"), StorageError.code),
        (DamagedDocumentError("no PDF"), DamagedDocumentError.code),
        (NotFoundError("no file"), NotFoundError.code),
        (OperationalError("select", {}, DeadlockDetected()), "DeadlockDetected"),
    ],
)
def test_an_entry_that_cannot_be_erased_keeps_nobody_else(
    context: Context, problem: Exception, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor tokens, sessions, exports; the log has the code of the error and nothing of the child."""
    with context.database.session() as session:
        entries = [factories.make_submission(session, status="resolved") for _ in range(3)]
        factories.make_api_token(session, expires_at=utcnow() - timedelta(days=60))
        empty = [factories.make_upload(session, status="failed", error_code="damaged_document") for _ in range(2)]
    end_season(context, 32, 30)
    stuck = min(entries, key=lambda entry: entry.batch_id)
    real, delete = purging.erase_submissions, context.store.delete

    def erase(context: Context, ids: list[uuid.UUID], *rest: Any) -> uuid.UUID:
        if stuck.id in ids:
            raise problem
        return real(context, ids, *rest)

    def refusing(key: str) -> None:
        if key == empty[0].storage_key:
            raise StorageError("refused")
        delete(key)

    context.store.put(empty[1].storage_key, b"x")
    monkeypatch.setattr(purging, "erase_submissions", erase)
    monkeypatch.setattr(context.store, "delete", refusing)
    with capture_logs() as logged:
        assert purge_expired(context).entries == 2
    failed = [line for line in logged if line["event"] == "purge_failed"]
    assert [(line["what"], line["code"]) for line in failed] == [("entries", code), ("files", StorageError.code)]
    with context.database.session() as session:
        assert session.scalars(select(Submission.id)).all() == [stuck.id]
        assert session.scalars(select(Upload.id)).all() == [stuck.upload_id]
        assert session.scalars(select(ApiToken)).all() == []
    assert not context.store.exists(empty[1].storage_key)
