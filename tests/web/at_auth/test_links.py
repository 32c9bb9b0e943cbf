"""Links of letters: to sign in by, and to choose a password by."""

from __future__ import annotations

import logging

import pytest

from core.config import Settings
from flask_app import create_app
from services.accounts.people import set_active
from tests.support.servers import supabase_auth_server as shapes
from tests.support.site import person, tidy_context
from tests.web.at_auth.conftest import PASSWORD, Office, attempt, is_signed_in, said
from web.security.requests import _Blanked

NEW = "another four quiet words"


def ask(office: Office, email: str, path: str = "/sign-in/by-mail", **form: str):
    browser = office.browser()
    return browser, browser.post(path, data={"email": email, **form})


def follow(browser, token_hash: str, kind: str):
    """Open the link and go on, as people do."""
    page = browser.get("/sign-in/link", query_string={"token_hash": token_hash, "type": kind})
    assert page.status_code == 200 and f'value="{token_hash}"' in page.text
    return browser.post("/sign-in/link", data={"token_hash": token_hash, "type": kind})


def test_a_link_to_sign_in_by(office: Office) -> None:
    ana, _ = office.add("ana", "reviewer")
    browser, sent = ask(office, "Ana@example.org", next="/submissions")
    assert sent.status_code == 200 and "we are sending it an e-mail" in sent.text
    [letter] = office.auth.letters
    assert letter.redirect_to == "http://localhost/sign-in/link"
    assert follow(browser, letter.token_hash, "email").location == "/submissions"
    assert is_signed_in(browser) and office.row(ana).last_sign_in_at is not None
    elsewhere = office.browser()
    assert follow(elsewhere, letter.token_hash, "email").status_code == 410
    assert not is_signed_in(elsewhere)


def test_a_link_with_a_code(office: Office) -> None:
    office.add("ana", "reviewer")
    browser, _ = ask(office, "ana@example.org")
    code = office.auth.code_of(office.auth.letters[0])
    assert office.browser().post("/sign-in/link", data={"code": code}).status_code == 410
    assert browser.get(f"/sign-in/link?code={code}").status_code == 200
    assert browser.post("/sign-in/link", data={"code": code}).status_code == 302
    assert is_signed_in(browser)


def test_looking_at_a_link_uses_nothing_up(office: Office) -> None:
    office.add("ana", "reviewer")
    ask(office, "ana@example.org")
    asked = len(office.auth.requests)
    office.browser().get(f"/sign-in/link?token_hash={office.auth.letters[0].token_hash}&type=email")
    assert len(office.auth.requests) == asked


def test_nobody_learns_who_has_an_account(office: Office) -> None:
    office.add("ana", "reviewer")
    pages = {
        said(ask(office, email, path)[1].text, email)
        for email in ("ana@example.org", "nobody@example.org")
        for path in ("/sign-in/by-mail", "/forgotten-password")
    }
    assert len(pages) == 1
    assert len(office.auth.letters) == 2


def test_letters_are_counted(office: Office) -> None:
    office.add("ana", "reviewer")
    for _ in range(10):
        assert ask(office, "ana@example.org")[1].status_code == 200
    assert ask(office, "ana@example.org")[1].status_code == 429
    assert len(office.auth.letters) == 10


def test_what_is_no_address(office: Office) -> None:
    assert ask(office, "nobody")[1].status_code == 400
    assert office.auth.requests == []


@pytest.mark.parametrize("kind", ["email", "recovery"])
def test_the_link_of_a_stranger_or_of_a_closed_account(office: Office, kind: str) -> None:
    """It fails as one that was used, and opens nothing."""
    office.auth.add("stranger@example.org", PASSWORD)
    closed, _ = office.add("closed", "reviewer")
    set_active(office.context, closed.id, False)
    office.auth.users[str(closed.id)].banned = False
    path = "/sign-in/by-mail" if kind == "email" else "/forgotten-password"
    for email in ("stranger@example.org", closed.email):
        browser, _ = ask(office, email, path)
        assert follow(browser, office.auth.letters[-1].token_hash, kind).status_code == 410
        assert not is_signed_in(browser)
    assert office.events().count("sign_in_failed") == 2


@pytest.mark.parametrize(
    "brought",
    [{}, {"token_hash": "x", "type": "email_change"}, {"code": "x"}, {"token_hash": "x", "type": "email"}],
)
def test_what_is_no_link(office: Office, brought: dict[str, str]) -> None:
    assert office.browser().post("/sign-in/link", data=brought).status_code == 410


def test_a_link_while_auth_is_away_is_not_spent(office: Office) -> None:
    office.add("ana", "reviewer")
    browser, _ = ask(office, "ana@example.org", next="/submissions")
    code = office.auth.code_of(office.auth.letters[0])
    office.auth.failures.append(shapes.BROKEN)
    assert browser.post("/sign-in/link", data={"code": code}).status_code == 503
    assert browser.post("/sign-in/link", data={"code": code}).location == "/submissions"


def test_a_forgotten_password(office: Office) -> None:
    ana, user = office.add("ana", "reviewer")
    other = office.signed_in(ana.email)
    assert "Send me a link" in office.browser().get("/forgotten-password").text
    browser, _ = ask(office, ana.email, "/forgotten-password")
    chooses = follow(browser, office.auth.letters[0].token_hash, "recovery").location
    assert chooses.startswith("/password-reset/") and not is_signed_in(browser)
    assert browser.post(chooses, data={"password": "aaaaaaaaaaaaaaaa"}).status_code == 400
    assert browser.post(chooses, data={"password": NEW}).location == "/"
    assert user.password == NEW and is_signed_in(browser)
    assert not is_signed_in(other) and office.auth.open_grants(user) == 1
    assert attempt(office.browser(), ana.email).status_code == 401
    assert browser.post(chooses, data={"password": NEW}).status_code == 410
    assert "password_reset" in office.events()


def test_a_link_from_an_admin_for_a_new_password(office: Office) -> None:
    ada, _ = office.add("ada", "admin")
    ana, user = office.add("ana", "reviewer")
    office.signed_in(ana.email)
    made = office.signed_in(ada.email).post(f"/admin/users/{ana.id}/password-reset").text
    path = made.split("http://localhost")[1].split('"')[0]
    browser = office.browser()
    assert browser.post(path, data={"password": NEW}).location == "/"
    assert user.password == NEW and is_signed_in(browser)


def test_a_link_for_somebody_whom_auth_does_not_know(office: Office) -> None:
    ada, _ = office.add("ada", "admin")
    old = person(office.context, "reviewer", email="old@example.org", last_sign_in_at=ada.created_at)
    made = office.signed_in(ada.email).post(f"/admin/users/{old.id}/password-reset").text
    path = made.split("http://localhost")[1].split('"')[0]
    refused = office.browser().post(path, data={"password": NEW})
    assert refused.status_code == 400 and "Invite them again" in refused.text


def test_no_letters_where_accounts_are_our_own(settings: Settings) -> None:
    with tidy_context(settings) as context:
        app = create_app(settings, context)
        app.config.update(TESTING=True, WTF_CSRF_ENABLED=False)
        browser = app.test_client()
        for path in ("/sign-in/by-mail", "/forgotten-password", "/sign-in/link"):
            assert browser.post(path, data={"email": "ana@example.org"}).status_code == 404
        assert "instead" not in browser.get("/sign-in").text


def test_logs_hold_no_token() -> None:
    line = logging.LogRecord("werkzeug", 20, "", 1, "GET /sign-in/link?token_hash=abc&type=email", (), None)
    _Blanked().filter(line)
    assert line.getMessage() == "GET /sign-in/link?token_hash=…&type=email"
