from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select, update

from core.clock import utcnow
from core.errors import LinkExpiredError
from core.models import AccountToken
from services.accounts.mailed_links import issue_token, profile_of_token, use_token
from services.context import Context
from tests.support import factories


def test_a_token_works_once(context: Context) -> None:
    with context.database.session() as session:
        profile = factories.make_profile(session)
        token = issue_token(session, profile.id, "invitation")
    with context.database.session() as session:
        assert profile_of_token(session, token, "invitation").id == profile.id
        use_token(session, token)
    with context.database.session() as session:
        with pytest.raises(LinkExpiredError):
            profile_of_token(session, token, "invitation")
        with pytest.raises(LinkExpiredError):
            use_token(session, token)


def test_it_is_not_stored(context: Context) -> None:
    with context.database.session() as session:
        token = issue_token(session, factories.make_profile(session).id, "invitation")
        session.flush()
        assert token not in session.scalars(select(AccountToken.token_hash)).one()


def test_it_opens_nothing_else(context: Context) -> None:
    with context.database.session() as session:
        token = issue_token(session, factories.make_profile(session).id, "invitation")
        with pytest.raises(LinkExpiredError):
            profile_of_token(session, token, "password_reset")


def test_a_newer_one_replaces_it(context: Context) -> None:
    with context.database.session() as session:
        profile = factories.make_profile(session)
        old = issue_token(session, profile.id, "password_reset")
        new = issue_token(session, profile.id, "password_reset")
        assert profile_of_token(session, new, "password_reset").id == profile.id
        with pytest.raises(LinkExpiredError):
            profile_of_token(session, old, "password_reset")


@pytest.mark.parametrize("change", [{"expires_at": utcnow() - timedelta(seconds=1)}, {"used_at": utcnow()}])
def test_it_expires(context: Context, change: dict[str, object]) -> None:
    with context.database.session() as session:
        token = issue_token(session, factories.make_profile(session).id, "invitation")
        session.flush()
        session.execute(update(AccountToken).values(change))
        with pytest.raises(LinkExpiredError):
            profile_of_token(session, token, "invitation")


def test_a_shut_account_has_no_links(context: Context) -> None:
    with context.database.session() as session:
        profile = factories.make_profile(session, is_active=False)
        token = issue_token(session, profile.id, "password_reset")
        with pytest.raises(LinkExpiredError):
            profile_of_token(session, token, "password_reset")
