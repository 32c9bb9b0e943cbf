"""Sign in and out."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from core.models import Profile
from flask_app import create_app
from services.accounts.people import create_user, set_active
from services.accounts.person import Role
from services.context import Context
from tests.support.site import unreachable_redis

PASSWORD = "four quiet words here"


@pytest.fixture
def reviewer(context: Context) -> str:
    create_user(context, "ana@example.org", Role.REVIEWER, PASSWORD, "Ana Ruiz")
    return "ana@example.org"


def attempt(client: FlaskClient, email: str, password: str = PASSWORD, wanted: str = ""):
    return client.post("/sign-in", data={"email": email, "password": password, "next": wanted})


def test_signing_in_leads_to_the_work(client: FlaskClient, reviewer: str) -> None:
    assert attempt(client, " ANA@example.org ").location == "/"
    assert client.get("/").location == "/review"


def test_it_leads_back_to_what_was_asked_for(client: FlaskClient, reviewer: str) -> None:
    asked = client.get("/submissions?status=failed")
    assert asked.location == "/sign-in?next=/submissions?status%3Dfailed"
    page = client.get(asked.location)
    assert 'name="next" value="/submissions?status=failed"' in page.text
    assert attempt(client, reviewer, wanted="/submissions?status=failed").location == "/submissions?status=failed"


def test_it_never_leads_elsewhere(client: FlaskClient, reviewer: str) -> None:
    assert attempt(client, reviewer, wanted="https://evil.example/").location == "/"
    assert client.get("/sign-in?next=//evil.example").location == "/"


@pytest.mark.parametrize(
    ("email", "password"), [("ana@example.org", "wrong"), ("nobody@example.org", PASSWORD), ("", "")]
)
def test_a_wrong_attempt_says_the_same_whatever_was_wrong(
    client: FlaskClient, reviewer: str, email: str, password: str
) -> None:
    response = attempt(client, email, password)
    assert response.status_code == 401
    assert "address or password is incorrect" in response.text
    assert client.get("/").location.startswith("/sign-in")


def test_signing_out(client: FlaskClient, reviewer: str) -> None:
    attempt(client, reviewer)
    client.post("/sign-out")
    assert client.get("/").location.startswith("/sign-in")


def test_a_shut_account_loses_its_session_at_once(client: FlaskClient, reviewer: str, context: Context) -> None:
    attempt(client, reviewer)
    profile_id = context.database.one(select(Profile.id).where(Profile.email == reviewer))
    set_active(context, profile_id, False)
    assert client.get("/").location.startswith("/sign-in")
    assert attempt(client, reviewer).status_code == 401


@pytest.mark.parametrize("cookie", ["", "x", "00000000-0000-0000-0000-000000000001:1", "a:b:c"])
def test_a_session_of_nobody(client: FlaskClient, cookie: str) -> None:
    with client.session_transaction() as session:
        session["_user_id"] = cookie
    assert client.get("/").location.startswith("/sign-in")


def test_guessing_is_slowed_down(client: FlaskClient, reviewer: str) -> None:
    for _ in range(10):
        assert attempt(client, reviewer, "wrong").status_code == 401
    blocked = attempt(client, reviewer)
    assert blocked.status_code == 429
    assert int(blocked.headers["Retry-After"]) > 0
    assert attempt(client, "somebody-else@example.org").status_code == 401


def test_success_is_not_counted(app: Flask, reviewer: str) -> None:
    for _ in range(12):
        assert attempt(app.test_client(), reviewer).status_code == 302


def test_limits_can_be_switched_off(context: Context, reviewer: str) -> None:
    settings = context.settings.model_copy(update={"rate_limits": False})
    app = create_app(settings, replace(context, settings=settings))
    app.config["WTF_CSRF_ENABLED"] = False
    for _ in range(11):
        attempt(app.test_client(), reviewer, "wrong")
    assert attempt(app.test_client(), reviewer).status_code == 302


def test_people_sign_in_while_the_queue_is_away(context: Context, reviewer: str) -> None:
    app = create_app(context.settings, replace(context, redis=unreachable_redis()))
    app.config["WTF_CSRF_ENABLED"] = False
    assert attempt(app.test_client(), reviewer, "wrong").status_code == 401
    assert attempt(app.test_client(), reviewer).status_code == 302


def test_the_theme_is_kept(client: FlaskClient) -> None:
    assert client.post("/theme", data={"theme": "dark", "next": "/sign-in"}).location == "/sign-in"
    assert 'data-theme="dark"' in client.get("/sign-in").text
    client.post("/theme", data={"theme": '"><b>'})
    assert 'data-theme="auto"' in client.get("/sign-in").text
