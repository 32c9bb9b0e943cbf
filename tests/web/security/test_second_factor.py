"""One-time codes beside the password."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace

import pyotp
import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select, text

from core.models import SecurityEvent
from flask_app import create_app
from services.accounts.mailed_links import request_password_reset
from services.accounts.people import create_user
from services.accounts.person import Role
from services.context import Context

PASSWORD = "four quiet words here"
EMAIL = "ada@example.org"


class Telephone:
    """An authenticator, whose clock is moved on with each code: none is good twice."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.secret = ""
        self.now = 1_800_000_000
        clock = SimpleNamespace(time=lambda: self.now)
        monkeypatch.setattr("services.accounts.second_factor.time", clock)
        monkeypatch.setattr("web.auth.sign_in.time", clock)

    def code(self) -> str:
        self.now += 30
        return pyotp.TOTP(self.secret).at(self.now)


@pytest.fixture
def telephone(monkeypatch: pytest.MonkeyPatch) -> Iterator[Telephone]:
    with monkeypatch.context() as patch:
        yield Telephone(patch)


@pytest.fixture
def strict(context: Context) -> Flask:
    """A site where admins need a second factor."""
    settings = context.settings.model_copy(update={"require_second_factor": True})
    app = create_app(settings, replace(context, settings=settings))
    app.config.update(TESTING=True, WTF_CSRF_ENABLED=False)
    return app


@pytest.fixture
def ada(strict: Flask, context: Context) -> FlaskClient:
    """An admin who has given the password and nothing else."""
    create_user(context, EMAIL, Role.ADMIN, PASSWORD)
    return entered(strict)


def entered(app: Flask) -> FlaskClient:
    client = app.test_client()
    client.post("/sign-in", data={"email": EMAIL, "password": PASSWORD, "next": "/admin/users"})
    return client


def set_up(client: FlaskClient, telephone: Telephone) -> list[str]:
    page = client.get("/account/second-factor").text
    telephone.secret = re.search(r'readonly value="([A-Z2-7]{32})"', page)[1]
    shown = client.post("/account/second-factor", data={"code": telephone.code()}).text
    return re.findall(r"<code>([a-z0-9]{5}-[a-z0-9]{5})</code>", shown)


def test_an_admin_without_one_is_led_to_it(ada: FlaskClient, telephone: Telephone) -> None:
    assert ada.get("/admin/users").location == "/account/second-factor"
    assert ada.post("/admin/users", data={"email": "x@example.org", "role": "admin"}).status_code == 403
    assert len(set_up(ada, telephone)) == 10
    assert ada.get("/admin/users").status_code == 200


def test_it_ends_the_sessions_that_have_shown_no_code(
    strict: Flask, ada: FlaskClient, telephone: Telephone
) -> None:
    other = entered(strict)
    assert other.get("/account").status_code == 302 and other.get("/account/second-factor").status_code == 200
    set_up(ada, telephone)
    assert ada.get("/account").status_code == 200
    assert other.get("/account/second-factor").location.startswith("/sign-in")


def test_others_and_the_demo_need_none(strict: Flask, signed_in, context: Context) -> None:
    assert signed_in("admin").get("/admin/users").status_code == 200
    create_user(context, EMAIL, Role.REVIEWER, PASSWORD)
    assert entered(strict).get("/submissions").status_code == 200


def test_the_password_alone_opens_nothing_any_more(strict: Flask, ada: FlaskClient, telephone: Telephone) -> None:
    set_up(ada, telephone)
    client = entered(strict)
    assert client.get("/account").location.startswith("/sign-in")
    assert client.get("/sign-in/code").status_code == 200
    used = pyotp.TOTP(telephone.secret).at(telephone.now)
    for wrong in ("000000", used, "", "x" * 50, "٠٠٠٠٠٠"):
        assert client.post("/sign-in/code", data={"code": wrong}).status_code == 401
    right = telephone.code()
    assert client.post("/sign-in/code", data={"code": right, "next": "/admin/users"}).location == "/admin/users"
    assert client.get("/admin/users").status_code == 200
    again = entered(strict)
    assert again.post("/sign-in/code", data={"code": right}).status_code == 401


def test_the_password_counts_for_five_minutes(strict: Flask, ada: FlaskClient, telephone: Telephone) -> None:
    set_up(ada, telephone)
    client = entered(strict)
    telephone.now += 301
    assert client.post("/sign-in/code", data={"code": telephone.code()}).location == "/sign-in"
    assert strict.test_client().get("/sign-in/code").location == "/sign-in"


def test_a_recovery_code_signs_in_once(strict: Flask, ada: FlaskClient, telephone: Telephone, context) -> None:
    first, *_ = set_up(ada, telephone)
    assert entered(strict).post("/sign-in/code", data={"code": f" {first.upper()} "}).status_code == 302
    assert entered(strict).post("/sign-in/code", data={"code": first}).status_code == 401
    kinds = set(context.database.scalars(select(SecurityEvent.kind)))
    assert {"second_factor_on", "recovery_code_used", "code_failed"} <= kinds


def test_a_reset_link_does_not_go_round_it(strict: Flask, ada: FlaskClient, telephone: Telephone, context) -> None:
    set_up(ada, telephone)
    client, link = strict.test_client(), f"/password-reset/{request_password_reset(context, EMAIL)}"
    response = client.post(link, data={"password": "seven loud birds sing"})
    assert response.location.startswith("/sign-in/code")
    assert client.get("/account").location.startswith("/sign-in")


def test_the_secret_is_shown_until_it_works_and_never_again(
    ada: FlaskClient, telephone: Telephone, context: Context
) -> None:
    picture = ada.get("/account/second-factor/qr.svg")
    assert picture.mimetype == "image/svg+xml" and b"style" not in picture.data
    set_up(ada, telephone)
    assert telephone.secret not in ada.get("/account/second-factor").text
    assert ada.get("/account/second-factor/qr.svg").status_code == 409
    with context.database.session() as session:
        assert telephone.secret not in str(session.execute(text("select * from second_factors")).all())


def test_switching_off(strict: Flask, ada: FlaskClient, telephone: Telephone) -> None:
    set_up(ada, telephone)
    assert ada.post("/account/second-factor/off").location == "/account"
    assert ada.get("/admin/users").location == "/account/second-factor"
    assert entered(strict).get("/account/second-factor").status_code == 200


def test_guessing_codes_is_stopped(strict: Flask, ada: FlaskClient, telephone: Telephone) -> None:
    set_up(ada, telephone)
    client = entered(strict)
    answers = [client.post("/sign-in/code", data={"code": "000000"}).status_code for _ in range(11)]
    assert answers == [401] * 10 + [429]
