"""Sessions are rows: they end on the server, by themselves or by hand."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import func, update

from core.models import BrowserSession, Profile
from services.accounts.mailed_links import request_password_reset, reset_password
from services.accounts.people import create_user
from services.accounts.person import Role
from services.accounts.sign_in import list_sessions, purge_sessions
from services.context import Context
from tests.support.site import sign_in_as

PASSWORD = "four quiet words here"
EMAIL = "ana@example.org"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


@pytest.fixture
def ana(context: Context) -> Profile:
    made = create_user(context, EMAIL, Role.ADMIN, PASSWORD, "Ana Ruiz")
    return context.database.get_one(Profile, made)


@pytest.fixture
def browser(app: Flask, ana: Profile) -> FlaskClient:
    """Signed in as a person does it."""
    client = app.test_client()
    client.post("/sign-in", data={"email": EMAIL, "password": PASSWORD}, headers={"User-Agent": FIREFOX})
    return client


def is_in(client: FlaskClient) -> bool:
    return client.get("/account").status_code == 200


def copy_of(client: FlaskClient, app: Flask) -> FlaskClient:
    """Another browser with the same cookie."""
    other = app.test_client()
    cookie = client.get_cookie("second_reader")
    assert cookie is not None
    other.set_cookie("second_reader", cookie.value)
    return other


def age(context: Context, column: str, by: timedelta) -> None:
    context.database.execute(update(BrowserSession).values({column: func.now() - by}))


def test_a_copied_cookie_is_refused_after_sign_out(app: Flask, browser: FlaskClient) -> None:
    other = copy_of(browser, app)
    assert is_in(other)
    browser.post("/sign-out")
    assert not is_in(other)


def test_the_row_does_not_hold_the_secret(browser: FlaskClient, context: Context) -> None:
    with browser.session_transaction() as session:
        secret = session["_user_id"]
    with context.database.session() as session:
        row = session.query(BrowserSession).one()
        assert secret not in (row.secret_hash, str(row.id)) and len(secret) == 43
        assert (row.address_family, row.user_agent) == ("here", "Firefox, Linux")


@pytest.mark.parametrize(
    ("column", "by"), [("last_seen_at", timedelta(minutes=121)), ("created_at", timedelta(hours=13))]
)
def test_sessions_run_out(browser: FlaskClient, context: Context, column: str, by: timedelta) -> None:
    age(context, column, by - timedelta(minutes=61))
    assert is_in(browser)
    age(context, column, by)
    assert not is_in(browser)


def test_a_request_keeps_a_session_awake(browser: FlaskClient, context: Context, ana: Profile) -> None:
    age(context, "last_seen_at", timedelta(minutes=100))
    is_in(browser)
    (row,) = list_sessions(context, ana.id)
    assert row.last_seen_at - row.created_at > timedelta(seconds=-5)


def test_own_sessions_are_listed_and_ended(app: Flask, browser: FlaskClient, ana: Profile) -> None:
    second, third = app.test_client(), app.test_client()
    sign_in_as(second, ana)
    page = browser.get("/account").text
    assert page.count("This browser") == 1 and "Firefox, Linux" in page
    (end,) = re.findall(r'action="(/account/sessions/[0-9a-f-]+/end)"', page)
    browser.post(end)
    assert not is_in(second) and is_in(browser)
    sign_in_as(third, ana)
    browser.post("/account/sessions/end-others")
    assert not is_in(third) and is_in(browser)


def test_those_of_others_are_not_ended(browser: FlaskClient, signed_in, context: Context, ana: Profile) -> None:
    (row,) = list_sessions(context, ana.id)
    assert signed_in("admin").post(f"/account/sessions/{row.id}/end").status_code == 404
    assert is_in(browser)


def test_a_new_password_ends_all_but_this(app: Flask, browser: FlaskClient, context: Context) -> None:
    other = copy_of(browser, app)
    wrong = browser.post("/account/password", data={"current": "wrong", "password": "seven loud birds sing"})
    assert wrong.status_code == 401 and is_in(other)
    weak = browser.post("/account/password", data={"current": PASSWORD, "password": "short"})
    assert weak.status_code == 400 and is_in(other)
    browser.post("/account/password", data={"current": PASSWORD, "password": "seven loud birds sing"})
    assert is_in(browser) and not is_in(other)


def test_a_reset_ends_all(browser: FlaskClient, context: Context) -> None:
    reset_password(context, request_password_reset(context, EMAIL), "seven loud birds sing")
    assert not is_in(browser)


def test_a_role_wants_the_password_again(browser: FlaskClient, people, context: Context) -> None:
    age(context, "confirmed_at", timedelta(minutes=16))
    address, data = f"/admin/users/{people['reviewer'].id}/role", {"role": "auditor"}
    asked = browser.post(address, data=data)
    assert asked.status_code == 401 and '<input type="hidden" name="role" value="auditor">' in asked.text
    assert browser.post(address, data=data | {"confirm_password": "wrong"}).status_code == 401
    assert context.database.get_one(Profile, people["reviewer"].id).role == "reviewer"
    assert browser.post(address, data=data | {"confirm_password": PASSWORD}).location == "/admin/users"
    assert context.database.get_one(Profile, people["reviewer"].id).role == "auditor"
    assert browser.post(address, data={"role": "reviewer"}).location == "/admin/users"


def test_confirming_leads_on(browser: FlaskClient, context: Context) -> None:
    age(context, "confirmed_at", timedelta(minutes=16))
    right = {"confirm_password": PASSWORD}
    assert browser.post("/confirm", data=right | {"next": "/admin/users"}).location == "/admin/users"
    assert browser.post("/confirm", data=right | {"next": "//evil.example"}).location == "/"


def test_old_rows_are_removed(browser: FlaskClient, context: Context) -> None:
    assert purge_sessions(context) == 0
    age(context, "last_seen_at", timedelta(days=36))
    assert purge_sessions(context) == 1
