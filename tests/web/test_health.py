"""The address that monitors ask."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from flask.testing import FlaskClient

from core.database import Database, Migration
from core.file_store import LocalFileStore
from flask_app import create_app
from services.context import Context
from tests.support.site import unreachable_redis


def test_without_a_worker(client: FlaskClient) -> None:
    response = client.get("/healthz")
    assert response.status_code == 200
    assert response.json == {"status": "degraded", "database": "ok", "queue": "ok", "workers": 0}


def test_when_the_parts_are_down(context: Context) -> None:
    away = replace(context, database=Database("postgresql://127.0.0.1:1/nothing"), redis=unreachable_redis())
    response = create_app(context.settings, away).test_client().get("/healthz")
    assert response.status_code == 503
    assert (response.json["database"], response.json["queue"]) == ("down", "down")


def ready(context: Context) -> tuple[int, dict[str, object]]:
    answer = create_app(context.settings, context).test_client().get("/readyz")
    return answer.status_code, answer.json


def test_ready(context: Context) -> None:
    assert ready(context) == (
        200,
        {"ready": True, "database": "ok", "migrations": "ok", "queue": "ok", "store": "ok"},
    )
    assert not [*context.store.older_keys("probe", -60)]


def test_each_part_that_is_away_is_named(context: Context, tmp_path: Path, monkeypatch) -> None:
    away = replace(context, database=Database("postgresql://127.0.0.1:1/nothing"))
    assert ready(away)[1] | {"ready": None} == {
        "ready": None,
        "database": "down",
        "migrations": "unknown",
        "queue": "ok",
        "store": "ok",
    }
    assert ready(replace(context, redis=unreachable_redis()))[1]["queue"] == "down"
    (tmp_path / "a file").write_bytes(b"")
    status, found = ready(replace(context, store=LocalFileStore(tmp_path / "a file")))
    assert (status, found["ready"], found["store"]) == (503, False, "down")
    monkeypatch.setattr("core.database.read_migrations", lambda: [Migration("999", "to_come", "")])
    status, found = ready(context)
    assert (status, found["migrations"]) == (503, "behind")


def test_asking_again_at_once_tries_nothing_again(context: Context, monkeypatch) -> None:
    client = create_app(context.settings, context).test_client()
    assert client.get("/readyz").status_code == 200
    monkeypatch.setattr(context.store, "put", None)
    assert client.get("/readyz").status_code == 200
