"""The address that monitors ask."""

from __future__ import annotations

from dataclasses import replace

from flask.testing import FlaskClient

from core.database import Database
from flask_app import create_app
from services.context import Context
from tests.support.site import unreachable_redis


def test_without_a_worker(client: FlaskClient) -> None:
    response = client.get("/healthz")
    assert response.status_code == 200
    assert response.json == {"status": "degraded", "database": "ok", "queue": "ok", "workers": 0}


def test_when_the_parts_are_down(context: Context) -> None:
    away = replace(
        context,
        database=Database("postgresql://127.0.0.1:1/nothing"),
        redis=unreachable_redis(),
    )
    response = create_app(context.settings, away).test_client().get("/healthz")
    assert response.status_code == 503
    assert (response.json["database"], response.json["queue"]) == ("down", "down")
