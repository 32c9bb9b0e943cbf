"""Clients of the API: each speaks for somebody by a token."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from core.models import Profile
from services.accounts.api_tokens import make_token
from services.context import Context


class ApiClient:
    """Sends a token and reads JSON."""

    def __init__(self, client: FlaskClient, token: str) -> None:
        self.client, self.token = client, token

    def __call__(self, method: str, path: str, **given: Any) -> Any:
        headers = {"Authorization": f"Bearer {self.token}", **given.pop("headers", {})}
        return self.client.open(f"/api/v1{path}", method=method, headers=headers, **given)

    def get(self, path: str, **given: Any) -> Any:
        return self("GET", path, **given)

    def post(self, path: str, **given: Any) -> Any:
        return self("POST", path, **given)


Api = Callable[[str], ApiClient]


@pytest.fixture
def api(app: Flask, context: Context, people: dict[str, Profile]) -> Api:
    """A client for a role."""

    def open_client(role: str) -> ApiClient:
        return ApiClient(app.test_client(), make_token(context, people[role].id, "test", 1))

    return open_client
