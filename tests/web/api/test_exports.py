"""Exports by the API."""

from __future__ import annotations

import csv
import uuid

import pytest

from core.models import Profile
from services.accounts.api_tokens import Scope, make_token
from services.context import Context
from services.exports.making import make_export
from tests.support.review import desk
from tests.web.api.conftest import Api, ApiClient


@pytest.fixture
def client(context: Context, api: Api) -> ApiClient:
    for name in ("Ana Ruiz", "Theo Okafor"):
        with context.database.session() as session:
            desk.make_entry(context, session, status="completed", student_name=name, grade="4")
    return api("reviewer")


def test_asked_for_followed_fetched_removed(context: Context, client: ApiClient) -> None:
    asked = client.post("/exports", json={"kind": "entries", "format": "csv", "filter": {"q": "theo"}})
    assert asked.status_code == 202 and asked.json["status"] == "queued" and asked.json["file"] is None
    path = f"/exports/{asked.json['id']}"
    early = client.get(f"{path}/file")
    assert early.status_code == 409 and early.json["code"] == "conflict"
    make_export(context, uuid.UUID(asked.json["id"]))
    shown = client.get(path).json
    assert (shown["status"], shown["rows_total"], shown["file"]) == ("done", 1, f"/api/v1{path}/file")
    with client.get(f"{path}/file") as sent:
        assert sent.content_type == "text/csv; charset=utf-8"
        assert [row["student_name"] for row in csv.DictReader(sent.text.splitlines())] == ["Theo Okafor"]
    assert [row["id"] for row in client.get("/exports").json["rows"]] == [asked.json["id"]]
    assert client("DELETE", path).status_code == 204
    assert client.get(path).status_code == 404


@pytest.mark.parametrize(
    "body",
    [
        {"format": "pdf"},
        {"format": "csv", "kind": "letters"},
        {"format": "csv", "filter": {"shoe": 4}},
        {"format": "csv", "columns": ["shoe_size"]},
        {"format": "csv", "kind": "judges"},
        {"format": "csv", "filter": {"season": str(uuid.uuid4())}},
    ],
)
def test_refused(client: ApiClient, body: dict[str, object]) -> None:
    assert client.post("/exports", json=body).status_code in (400, 422)


def test_a_token_without_the_scope(context: Context, client: ApiClient, people: dict[str, Profile]) -> None:
    token = make_token(context, people["reviewer"].id, "reads", 1, frozenset({Scope.READ, Scope.WRITE}))
    reading = ApiClient(client.client, token)
    assert reading.get("/submissions").status_code == 200
    assert reading.get("/exports").status_code == 403
    assert reading.post("/exports", json={"format": "csv"}).status_code == 403


def test_uploaders_export_nothing(api: Api) -> None:
    assert api("uploader").post("/exports", json={"format": "csv"}).status_code == 403
