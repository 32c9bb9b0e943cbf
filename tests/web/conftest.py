"""The site with its tests' database; forms need no token here, but where that is what is tested."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient

from core.config import Settings
from core.models import Profile
from flask_app import create_app
from services.context import Context
from tests.support.site import person, sign_in_as, tidy_context

Signed = Callable[[str], FlaskClient]


@pytest.fixture
def context(settings: Settings) -> Iterator[Context]:
    with tidy_context(settings) as opened:
        yield opened


@pytest.fixture
def app(settings: Settings, context: Context) -> Flask:
    made = create_app(settings, context)
    made.config.update(TESTING=True, WTF_CSRF_ENABLED=False)
    return made


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """Nobody yet."""
    return app.test_client()


@pytest.fixture
def people(context: Context) -> dict[str, Profile]:
    """Somebody of each role."""
    return {role: person(context, role) for role in ("uploader", "officer", "reviewer", "auditor", "admin")}


@pytest.fixture
def signed_in(app: Flask, people: dict[str, Profile]) -> Signed:
    """A client for a role."""

    def open_client(role: str) -> FlaskClient:
        client = app.test_client()
        sign_in_as(client, people[role])
        return client

    return open_client
