"""Guessing is stopped, and nobody is kept out by the guesses of others."""

from __future__ import annotations

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask
from flask.testing import FlaskClient
from redis.exceptions import RedisError

from core.errors import SignInError
from services.accounts.people import create_user
from services.accounts.person import Role
from services.context import Context
from web.security import sign_in_guard as module

PASSWORD = "four quiet words here"
ANA, EVA = "ana@example.org", "eva@example.org"


@pytest.fixture(autouse=True)
def people_with_passwords(context: Context) -> None:
    for email in (ANA, EVA):
        create_user(context, email, Role.REVIEWER, PASSWORD)


def attempt(client: FlaskClient, password: str = PASSWORD, email: str = ANA, address: str = "192.0.2.1") -> int:
    given = {"email": email, "password": password}
    return client.post("/sign-in", data=given, environ_base={"REMOTE_ADDR": address}).status_code


def guess(app: Flask, address: str, times: int = 10, email: str = ANA) -> list[int]:
    return [attempt(app.test_client(), "wrong", email, address) for _ in range(times)]


def test_a_stranger_stops_only_themselves(app: Flask) -> None:
    assert guess(app, "192.0.2.66", 11) == [401] * 10 + [429]
    assert attempt(app.test_client(), address="192.0.2.66") == 429
    assert attempt(app.test_client(), address="192.0.2.1") == 302


def test_a_known_browser_gets_in_however_many_try(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BY_ACCOUNT", module.parse("12 per 1 hour"))
    known = app.test_client()
    assert attempt(known) == 302
    known.post("/sign-out")
    guess(app, "192.0.2.1")
    guess(app, "192.0.2.66", 2)
    assert attempt(app.test_client(), address="192.0.2.99") == 429
    assert attempt(known) == 302


def test_a_known_browser_does_not_guess_for_ever_nor_at_others(app: Flask) -> None:
    known = app.test_client()
    attempt(known)
    assert [attempt(known, "wrong") for _ in range(11)] == [401] * 10 + [429]
    assert attempt(app.test_client()) == 302
    assert [attempt(known, "wrong", EVA) for _ in range(11)] == [401] * 10 + [429]


def test_a_cookie_of_ones_own_making_counts_for_nothing(app: Flask) -> None:
    guess(app, "192.0.2.1")
    client = app.test_client()
    client.set_cookie("known_device", '[["x","y"]].a.b')
    assert attempt(client) == 429


def test_one_address_tries_thirty_times(app: Flask) -> None:
    answers = [guess(app, "192.0.2.66", 1, f"nobody-{number}@example.org")[0] for number in range(31)]
    assert answers == [401] * 30 + [429]


def test_an_address_of_ipv6_is_that_of_its_subscriber(app: Flask) -> None:
    for number in range(10):
        guess(app, f"2001:db8::{number + 1:x}", 1)
    assert attempt(app.test_client(), address="2001:db8::ffff") == 429
    assert attempt(app.test_client(), address="2001:db8:0:1::1") == 302


@pytest.fixture(params=["counted in Redis", "counted in the process"])
def counters(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(_pool: object) -> None:
        raise RedisError

    module._in_memory.cache_clear()
    if request.param == "counted in the process":
        monkeypatch.setattr(module, "_in_redis", away)


@pytest.mark.usefixtures("counters")
def test_many_guesses_at_once_pass_no_limit(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(*_given: object) -> None:
        time.sleep(0.5)
        raise SignInError

    monkeypatch.setattr("web.auth.sign_in.sign_in", slow)
    with ThreadPoolExecutor(16) as pool:
        answers = Counter(pool.map(lambda _: attempt(app.test_client(), "wrong"), range(16)))
    assert answers == {401: 10, 429: 6}


@pytest.mark.usefixtures("counters")
def test_who_knows_the_password_uses_nothing_up(app: Flask) -> None:
    guess(app, "192.0.2.1", 9)
    assert [attempt(app.test_client()) for _ in range(3)] == [302] * 3
    assert guess(app, "192.0.2.1", 2) == [401, 429]
