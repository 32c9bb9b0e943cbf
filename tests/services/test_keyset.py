from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta

import pytest

from core.errors import InvalidInputError
from core.models import Profile
from services.accounts.person import Person, person_of
from services.context import Context
from services.entries.listing import SubmissionFilter, SubmissionRow, list_submissions
from services.keyset import Cursor, RowPage
from tests.support import factories

START = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
def reader(context: Context) -> Person:
    """Somebody who sees seven entries, two of one moment."""
    with context.database.session() as session:
        profile: Profile = factories.make_profile(session, "reviewer")
        upload = factories.make_upload(session)
        for number in range(7):
            moment = START + timedelta(minutes=min(number, 5))
            factories.make_submission(session, upload, chunk_index=number, created_at=moment)
        return person_of(profile)


def page(context: Context, reader: Person, cursor: str | None) -> RowPage[SubmissionRow]:
    return list_submissions(context, reader, SubmissionFilter(), cursor, limit=3)


def test_forward_and_back_again(context: Context, reader: Person) -> None:
    first = page(context, reader, None)
    second = page(context, reader, first.next)
    third = page(context, reader, second.next)
    ids = [row.id for part in (first, second, third) for row in part.rows]
    assert len(ids) == len(set(ids)) == 7
    assert (first.previous, third.next) == (None, None)
    moments = [row.created_at for part in (first, second, third) for row in part.rows]
    assert moments == sorted(moments, reverse=True)
    assert page(context, reader, third.previous).rows == second.rows
    back = page(context, reader, second.previous)
    assert (back.rows, back.previous, back.next) == (first.rows, None, first.next)


def test_an_entry_that_arrives_moves_nothing(context: Context, reader: Person) -> None:
    first = page(context, reader, None)
    before = page(context, reader, first.next).rows
    with context.database.session() as session:
        factories.make_submission(session, created_at=START + timedelta(days=1))
    assert page(context, reader, first.next).rows == before


@pytest.mark.parametrize("text", ["x", "????", "Zm9v"])
def test_what_is_no_cursor(text: str) -> None:
    with pytest.raises(InvalidInputError):
        Cursor.decode(text)


def test_a_cursor_survives_its_way_through_an_address() -> None:
    cursor = Cursor(START, uuid.UUID(int=7), True)
    assert Cursor.decode(cursor.encode()) == cursor
