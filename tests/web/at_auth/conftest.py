"""The site where Supabase Auth keeps the passwords, and its Auth on this machine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from flask import Flask
from flask.testing import FlaskClient
from pydantic import SecretStr
from sqlalchemy import select, update
from werkzeug.test import TestResponse

from core.config import Settings
from core.models import AuthSession, Profile, SecurityEvent
from flask_app import create_app
from services.context import Context
from tests.support.servers.supabase_auth_server import SupabaseAuthServer, User
from tests.support.site import person, tidy_context

PASSWORD = "four quiet words here"


@pytest.fixture
def auth() -> Iterator[SupabaseAuthServer]:
    with SupabaseAuthServer() as server:
        yield server
    assert server.faults == []


@pytest.fixture
def context(settings: Settings, auth: SupabaseAuthServer) -> Iterator[Context]:
    by_supabase = settings.model_copy(
        update={
            "auth_provider": "supabase",
            "supabase_url": auth.url,
            "supabase_publishable_key": SecretStr(auth.publishable_key),
            "supabase_service_role_key": SecretStr(auth.service_key),
            "auth_timeout_seconds": 0.5,
        }
    )
    with tidy_context(by_supabase) as opened:
        yield opened


@pytest.fixture
def app(context: Context) -> Flask:
    made = create_app(context.settings, context)
    made.config.update(TESTING=True, WTF_CSRF_ENABLED=False)
    return made


@dataclass(frozen=True)
class Office:
    """People who are known here and to Auth, and browsers."""

    app: Flask
    context: Context
    auth: SupabaseAuthServer

    def add(self, name: str, role: str) -> tuple[Profile, User]:
        profile = person(self.context, role, email=f"{name}@example.org", display_name=name.title())
        return profile, self.auth.add(profile.email, PASSWORD, profile.id, role=role)

    def browser(self) -> FlaskClient:
        return self.app.test_client()

    def signed_in(self, email: str, password: str = PASSWORD) -> FlaskClient:
        browser = self.browser()
        assert attempt(browser, email, password).status_code == 302
        return browser

    def row(self, profile: Profile) -> Profile:
        return self.context.database.get_one(Profile, profile.id)

    def events(self) -> list[str]:
        return self.context.database.scalars(select(SecurityEvent.kind).order_by(SecurityEvent.created_at))

    def set(self, **values: object) -> None:
        """Change what is kept of all that Auth has granted."""
        self.context.database.execute(update(AuthSession).values(**values))


@pytest.fixture
def office(app: Flask, context: Context, auth: SupabaseAuthServer) -> Office:
    return Office(app, context, auth)


def attempt(browser: FlaskClient, email: str, password: str = PASSWORD, wanted: str = "") -> TestResponse:
    return browser.post("/sign-in", data={"email": email, "password": password, "next": wanted})


def said(page: str, email: str) -> str:
    """What a page says to everybody alike: its middle, without the address and what is in hidden fields."""
    return re.sub(r'value="[^"]*"', "", page.split("<main")[1].split("</main>")[0]).replace(email, "")


def is_signed_in(browser: FlaskClient) -> bool:
    return browser.get("/account").status_code == 200
