"""Supabase Auth is asked again, each time that what it granted runs out, whether the person may be signed in."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import func, select, update

from core.clock import utcnow
from core.models import AuthSession, BrowserSession
from services.accounts.sessions import PATIENCE
from services.accounts.sign_in import purge_sessions
from tests.support.servers import supabase_auth_server as shapes
from tests.support.servers.loopback import SILENCE, Response
from tests.web.at_auth.conftest import Office, is_signed_in


@pytest.fixture
def long_ago() -> object:
    return utcnow() - timedelta(minutes=1)


def asked(office: Office) -> int:
    return sum("grant_type=refresh_token" in path for path in office.auth.paths)


def test_it_is_not_asked_before(office: Office) -> None:
    browser = office.signed_in(office.add("ana", "reviewer")[0].email)
    assert is_signed_in(browser) and asked(office) == 0


def test_it_is_asked_once_each_time(office: Office, long_ago: object) -> None:
    browser = office.signed_in(office.add("ana", "reviewer")[0].email)
    for round_no in (1, 2):
        office.set(expires_at=long_ago)
        assert is_signed_in(browser) and is_signed_in(browser)
        assert asked(office) == round_no


def test_who_was_banned_at_supabase_is_out(office: Office, long_ago: object) -> None:
    ana, user = office.add("ana", "reviewer")
    browser = office.signed_in(ana.email)
    user.banned = True
    assert is_signed_in(browser)
    office.set(expires_at=long_ago)
    assert not is_signed_in(browser)
    user.banned = False
    assert not is_signed_in(browser)
    assert office.events() == ["sign_in", "sessions_ended"]


def test_who_is_another_by_now_is_out(office: Office, long_ago: object) -> None:
    ana, _ = office.add("ana", "reviewer")
    ben, _ = office.add("ben", "reviewer")
    browser = office.signed_in(ana.email)
    honest = office.auth.sign
    office.auth.sign = lambda said: honest(said | {"sub": str(ben.id)})
    office.set(expires_at=long_ago)
    assert not is_signed_in(browser)


@pytest.mark.parametrize("failure", [shapes.BROKEN, shapes.TOO_MANY, shapes.BAD_KEY, SILENCE])
def test_while_auth_gives_no_answer_work_goes_on_for_a_while(
    office: Office, long_ago: object, failure: Response
) -> None:
    browser = office.signed_in(office.add("ana", "reviewer")[0].email)
    office.set(expires_at=long_ago)
    office.auth.failures.append(failure)
    assert is_signed_in(browser) and is_signed_in(browser)
    assert asked(office) == 1
    office.set(away_since=utcnow() - PATIENCE - timedelta(seconds=1))
    assert not is_signed_in(browser)
    # It is asked again after a pause, and may answer then.
    office.set(tried_at=long_ago)
    assert is_signed_in(browser)
    assert office.context.database.scalars(select(AuthSession.away_since)) == [None]


def test_a_forged_answer_lets_nobody_stay(office: Office, long_ago: object) -> None:
    browser = office.signed_in(office.add("ana", "reviewer")[0].email)
    office.set(expires_at=long_ago, away_since=utcnow() - PATIENCE)
    office.auth.sign = lambda said: shapes.jwt.encode(said, "s" * 40, "HS256", {"kid": office.auth.keys[0].kid})
    assert not is_signed_in(browser)


def test_keys_that_were_changed_meanwhile(
    office: Office, long_ago: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.auth.access_token.PAUSE", -1.0)
    browser = office.signed_in(office.add("ana", "reviewer")[0].email)
    office.auth.rotate()
    office.set(expires_at=long_ago)
    assert is_signed_in(browser)


def test_ended_sessions_leave_nothing_to_ask_with(office: Office) -> None:
    ana, _ = office.add("ana", "reviewer")
    browser = office.signed_in(ana.email)
    office.signed_in(ana.email)
    browser.post("/account/sessions/end-others")
    assert office.context.database.scalar(select(func.count()).select_from(AuthSession)) == 1
    browser.post("/sign-out")
    assert office.context.database.scalar(select(func.count()).select_from(AuthSession)) == 0


def test_what_no_session_uses_is_purged(office: Office) -> None:
    office.signed_in(office.add("ana", "reviewer")[0].email)
    purge_sessions(office.context)
    with office.context.database.session() as session:
        assert session.scalar(select(func.count()).select_from(AuthSession)) == 1
        session.execute(update(AuthSession).values(created_at=utcnow() - timedelta(days=2)))
    purge_sessions(office.context)
    with office.context.database.session() as session:
        assert session.scalar(select(func.count()).select_from(AuthSession)) == 0
        assert session.scalar(select(func.count()).select_from(BrowserSession)) == 1
