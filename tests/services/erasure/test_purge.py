"""Entries go when their season's term is over; a season without a term keeps them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select

from core.clock import utcnow
from core.models import ApiToken, Erasure, Season, Submission, Upload
from services.context import Context
from services.erasure.purge import Purged, purge, submissions_overdue
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
    purge(context)
    assert left(context) == (3, 2), "nobody set a term"
    end_season(context, 29, 30)
    assert submissions_overdue(context) == {} and purge(context).entries == 0
    end_season(context, 32, 30)
    assert list(submissions_overdue(context).values()) == [3]
    assert purge(context).entries == 3
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
    assert purge(context).entries == 0


def test_once_a_day(context: Context) -> None:
    assert [once_a_day(context, "purged", purge) for _ in range(2)] == [True, False]


def test_what_did_not_come_to_its_end_is_tried_again_within_the_day(context: Context) -> None:
    def broken(context: Context) -> Purged:
        raise OSError

    with pytest.raises(OSError):
        once_a_day(context, "purged", broken)
    assert context.redis.ttl("second-reader:purged") <= 3600
    context.redis.delete("second-reader:purged")
    assert once_a_day(context, "purged", purge)
    assert context.redis.ttl("second-reader:purged") > 12 * 3600
