"""Sign in with a password that Supabase Auth keeps."""

from __future__ import annotations

from datetime import timedelta

import pyotp
import pytest
from sqlalchemy import select

from core.auth.keys import unseal
from core.clock import utcnow
from core.models import AuthSession, Profile
from services.accounts.passwords import hash_password
from services.accounts.people import set_active
from services.accounts.second_factor import enrolment, switch_on
from tests.support.servers import supabase_auth_server as shapes
from tests.support.servers.loopback import GATEWAY_PAGE, SILENCE, Response
from tests.support.site import person, sign_in_as
from tests.web.at_auth.conftest import PASSWORD, Office, attempt, is_signed_in, said


def test_signing_in_and_out(office: Office) -> None:
    ana, _ = office.add("ana", "reviewer")
    browser = office.browser()
    assert attempt(browser, " ana@example.org ", wanted="/submissions").location == "/submissions"
    assert is_signed_in(browser)
    assert office.row(ana).last_sign_in_at is not None
    browser.post("/sign-out")
    assert not is_signed_in(browser)
    assert office.events() == ["sign_in", "sign_out"]


def test_no_token_of_auth_leaves_the_server(office: Office) -> None:
    ana, _ = office.add("ana", "reviewer")
    browser = office.browser()
    given = attempt(browser, ana.email).headers.getlist("Set-Cookie")
    [kept] = office.context.database.scalars(select(AuthSession))
    token = unseal(office.context.settings, "session at Supabase Auth", kept.sealed_refresh_token)
    assert token and token not in kept.sealed_refresh_token
    with browser.session_transaction() as cookie:
        assert token not in str(dict(cookie)) and not any(token in line for line in given)


def test_failures_look_alike(office: Office) -> None:
    office.add("ana", "reviewer")
    closed, _ = office.add("closed", "reviewer")
    set_active(office.context, closed.id, False)
    office.auth.users[str(closed.id)].banned = False
    office.auth.add("stranger@example.org", PASSWORD)
    banned = office.add("banned", "reviewer")[1]
    banned.banned = True
    pages = set()
    for email, password in [
        ("ana@example.org", "wrong"),
        ("nobody@example.org", PASSWORD),
        ("stranger@example.org", PASSWORD),
        (closed.email, PASSWORD),
        (banned.email, PASSWORD),
    ]:
        refused = attempt(office.browser(), email, password)
        assert refused.status_code == 401
        pages.add(said(refused.text, email))
    assert len(pages) == 1 and "address or password is incorrect" in pages.pop()
    assert office.events().count("sign_in_failed") == 5


def test_the_hash_of_before_opens_nothing(office: Office) -> None:
    profile = person(
        office.context, "reviewer", email="old@example.org", password_hash=hash_password("a local one")
    )
    assert attempt(office.browser(), profile.email, "a local one").status_code == 401


def test_a_session_of_before_ends(office: Office) -> None:
    profile = person(office.context, "reviewer")
    browser = office.browser()
    local = office.context.auth
    office.context.auth = None
    sign_in_as(browser, profile)
    office.context.auth = local
    assert not is_signed_in(browser)


def test_guessing_is_slowed_down(office: Office) -> None:
    ana, _ = office.add("ana", "reviewer")
    browser = office.browser()
    for _ in range(10):
        assert attempt(browser, ana.email, "wrong").status_code == 401
    assert attempt(browser, ana.email).status_code == 429
    assert "locked_out" in office.events()


@pytest.mark.parametrize(
    ("failure", "says"),
    [
        (shapes.BROKEN, "is not responding correctly"),
        (shapes.TOO_MANY, "is not responding correctly"),
        (GATEWAY_PAGE, "is not responding correctly"),
        (SILENCE, "is not responding correctly"),
        (shapes.BAD_KEY, "rejected this server"),
    ],
)
def test_an_auth_that_fails_is_said_and_counts_against_nobody(
    office: Office, failure: Response, says: str
) -> None:
    ana, _ = office.add("ana", "reviewer")
    browser = office.browser()
    for _ in range(11 if failure is shapes.BROKEN else 1):
        office.auth.failures.append(failure)
        refused = attempt(browser, ana.email)
        assert refused.status_code == 503 and says in refused.text
    assert not is_signed_in(browser) and office.events() == []
    assert attempt(browser, ana.email).status_code == 302


@pytest.mark.parametrize("alg", ["HS256", "none"])
def test_a_token_that_cannot_be_trusted_signs_nobody_in(office: Office, alg: str) -> None:
    ana, _ = office.add("ana", "reviewer")
    secret = None if alg == "none" else "s" * 40
    office.auth.sign = lambda said: shapes.jwt.encode(said, secret, alg, {"kid": office.auth.keys[0].kid})
    browser = office.browser()
    refused = attempt(browser, ana.email)
    assert refused.status_code == 503 and "cannot be trusted" in refused.text
    assert not is_signed_in(browser)


def test_an_admin_gives_a_code_too(office: Office) -> None:
    ada, _ = office.add("ada", "admin")
    secret = enrolment(office.context, ada.id).secret
    switch_on(office.context, ada.id, pyotp.TOTP(secret).at(utcnow() - timedelta(seconds=30)))
    browser = office.browser()
    assert attempt(browser, ada.email).location == "/sign-in/code?next=/"
    assert not is_signed_in(browser)
    browser.post("/sign-in/code", data={"code": pyotp.TOTP(secret).now()})
    assert is_signed_in(browser)


def test_a_role_that_was_changed_at_supabase_does_not_count_here(office: Office) -> None:
    ana, user = office.add("ana", "reviewer")
    user.app_metadata["role"] = "admin"
    browser = office.signed_in(ana.email)
    assert browser.get("/admin/users").status_code == 403
    assert office.context.database.get_one(Profile, ana.id).auth_due
