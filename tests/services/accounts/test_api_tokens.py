"""Keys for the JSON API: made once, hashed, and shut in every way that a key can be."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select, update

from core.clock import utcnow
from core.errors import InvalidInputError, NotFoundError
from core.models import ApiToken, Profile
from services.accounts import api_tokens
from services.accounts.api_tokens import find_token, list_tokens, make_token, revoke_api_token
from services.accounts.people import set_active, set_role
from services.accounts.person import Role
from services.context import Context
from tests.support.factories import make_api_token
from tests.support.site import person


@pytest.fixture
def ada(context: Context) -> Profile:
    return person(context, "reviewer")


def change(context: Context, **values: object) -> None:
    context.database.execute(update(ApiToken).values(**values))


def test_a_token_is_its_person_and_only_its_hash_is_kept(context: Context, ada: Profile) -> None:
    token = make_token(context, ada.id, "  tablet  desk ", 30)
    found = find_token(context, token)
    assert found is not None and (found.owner.id, found.owner.role) == (ada.id, Role.REVIEWER)
    row = context.database.one(select(ApiToken))
    assert row.name == "tablet desk" and row.expires_at is not None
    assert token not in {str(value) for value in vars(row).values()} and len(row.token_hash) == 64


def test_an_invented_token_opens_nothing(context: Context, ada: Profile) -> None:
    token = make_token(context, ada.id, "desk", 30)
    assert find_token(context, token + "x") is None
    assert find_token(context, token.removeprefix("sr_")) is None
    assert find_token(context, "") is None


def test_revoked(context: Context, ada: Profile) -> None:
    token = make_token(context, ada.id, "desk", 30)
    (row,) = list_tokens(context, ada.id)
    revoke_api_token(context, row.id, ada.id)
    revoke_api_token(context, row.id, ada.id)
    assert find_token(context, token) is None
    assert [row.state for row in list_tokens(context, ada.id)] == ["revoked"]


def test_a_token_of_somebody_else_cannot_be_revoked(context: Context, ada: Profile) -> None:
    token = make_token(context, ada.id, "desk", 30)
    (row,) = list_tokens(context, ada.id)
    with pytest.raises(NotFoundError):
        revoke_api_token(context, row.id, person(context, "admin").id)
    assert find_token(context, token) is not None


def test_expired(context: Context, ada: Profile) -> None:
    token = make_token(context, ada.id, "desk", 30)
    change(context, expires_at=utcnow() - timedelta(seconds=1))
    assert find_token(context, token) is None
    assert [row.state for row in list_tokens(context, ada.id)] == ["expired"]


def test_of_a_shut_account(context: Context, ada: Profile) -> None:
    token = make_token(context, ada.id, "desk", 30)
    set_active(context, ada.id, False)
    assert find_token(context, token) is None
    set_active(context, ada.id, True)
    assert find_token(context, token) is None
    assert [row.state for row in list_tokens(context, ada.id)] == ["revoked"]


def test_it_follows_the_role(context: Context, ada: Profile) -> None:
    token = make_token(context, ada.id, "desk", 30)
    set_role(context, ada.id, Role.AUDITOR)
    found = find_token(context, token)
    assert found is not None and found.owner.role is Role.AUDITOR


def test_use_is_marked_and_not_at_every_request(context: Context, ada: Profile) -> None:
    token = make_token(context, ada.id, "desk", 30)
    find_token(context, token)
    (first,) = list_tokens(context, ada.id)
    find_token(context, token)
    assert first.last_used_at is not None
    assert list_tokens(context, ada.id) == [first]
    change(context, last_used_at=utcnow() - timedelta(days=1))
    find_token(context, token)
    assert list_tokens(context, ada.id)[0].last_used_at >= first.last_used_at


@pytest.mark.parametrize(("name", "days"), [("", 30), ("x" * 101, 30), ("a\x00b", 30), ("desk", 0), ("desk", 367)])
def test_what_does_not_fit(context: Context, ada: Profile, name: str, days: int) -> None:
    with pytest.raises(InvalidInputError):
        make_token(context, ada.id, name, days)
    assert list_tokens(context, ada.id) == []


def test_not_without_end(context: Context, ada: Profile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api_tokens, "MAX_USABLE", 2)
    make_token(context, ada.id, "one", 30)
    with context.database.session() as session:
        make_api_token(session, ada, revoked_at=utcnow())
        make_api_token(session, ada)
    with pytest.raises(InvalidInputError):
        make_token(context, ada.id, "three", 30)


def test_a_token_asked_for_while_the_account_is_being_closed_is_not_made(context: Context, ada: Profile) -> None:
    """Otherwise it would be valid when the account is opened again, though closing ends all tokens."""
    admin = person(context, "admin")
    set_active(context, ada.id, False, admin.id)
    with pytest.raises(InvalidInputError):
        make_token(context, ada.id, "desk", 30)
    set_active(context, ada.id, True, admin.id)
    assert list_tokens(context, ada.id) == []
