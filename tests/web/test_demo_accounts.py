"""Accounts with known passwords exist in a demo only."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.config import load_settings
from core.errors import ConfigurationError
from flask_app import create_app
from services.accounts.people import DEMO_ACCOUNTS, create_demo_accounts
from services.context import Context

REVIEWER = DEMO_ACCOUNTS[0]


def site(context: Context, demo: bool):
    settings = context.settings.model_copy(update={"demo_accounts": demo})
    open_parts = replace(context, settings=settings)
    app = create_app(settings, open_parts)
    app.config["WTF_CSRF_ENABLED"] = False
    return app.test_client(), open_parts


def sign_in(client):
    return client.post("/sign-in", data={"email": REVIEWER.email, "password": REVIEWER.password})


def test_the_demo_shows_them_and_lets_them_in(context: Context) -> None:
    client, parts = site(context, demo=True)
    assert create_demo_accounts(parts) == create_demo_accounts(parts)
    assert REVIEWER.password in client.get("/sign-in").text
    assert sign_in(client).status_code == 302


def test_left_in_a_database_they_are_shut(context: Context) -> None:
    demo, parts = site(context, demo=True)
    create_demo_accounts(parts)
    sign_in(demo)
    cookie = demo.get_cookie("second_reader")
    client, _ = site(context, demo=False)
    assert REVIEWER.password not in client.get("/sign-in").text
    assert sign_in(client).status_code == 401
    assert cookie is not None
    client.set_cookie("second_reader", cookie.value)
    assert client.get("/").location.startswith("/sign-in")


def test_they_are_not_made_outside_a_demo(context: Context) -> None:
    with pytest.raises(ConfigurationError):
        create_demo_accounts(context)


@pytest.mark.parametrize(
    "public", [{"database_url": "postgresql://db.example.org/office", "secret_key": "x"}, {"host": "0.0.0.0"}]
)
def test_start_up_refuses_them_in_public(public: dict[str, str]) -> None:
    load_settings(_env_file=None, **public)
    with pytest.raises(ConfigurationError, match="DEMO_ACCOUNTS"):
        load_settings(_env_file=None, demo_accounts=True, **public)
