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
from tests.support.site import person, sign_in_as
from web.access import EXTENSION, ContextHolder

Signed = Callable[[str], FlaskClient]


@pytest.fixture(scope="session")
def shared_app(common_settings: Settings) -> Flask:
    """The site of all tests of this process that do not change its routes; its rules take 50 ms to make."""
    return create_app(common_settings, None)


@pytest.fixture
def app(shared_app: Flask, common_settings: Settings, settings: Settings, context: Context) -> Iterator[Flask]:
    """The site with the context of a test, which may change its configuration."""
    assert settings == common_settings.model_copy(update={"var_dir": settings.var_dir}), "use own_app"
    before = dict(shared_app.config)
    shared_app.config.update(TESTING=True, WTF_CSRF_ENABLED=False)
    shared_app.extensions[EXTENSION] = ContextHolder(settings, context)
    yield shared_app
    shared_app.config.clear()
    shared_app.config.update(before)


@pytest.fixture
def with_model(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """The site as if a language model were set up; no page asks it."""
    monkeypatch.setattr(Settings, "model_configured", property(lambda _: True))
    monkeypatch.setitem(app.jinja_env.globals, "model_configured", True)


@pytest.fixture
def own_app(settings: Settings, context: Context) -> Flask:
    """A site whose routes may be changed, or whose settings are others than the common ones."""
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
