"""What is refused and how it is told; uploads; what only the owner sees."""

from __future__ import annotations

import io

import pytest
from flask.testing import FlaskClient

from core.models import Profile
from services.context import Context
from services.uploads import room
from tests.support.review.desk import entry_pdf, make_entry

NOBODY = "00000000-0000-0000-0000-000000000001"


def test_each_flaw_is_named(api) -> None:
    refused = api("reviewer").get("/submissions?limit=0&statu=completed")
    assert refused.status_code == 422 and refused.content_type == "application/problem+json"
    assert [flaw["where"] for flaw in refused.json["flaws"]] == [["query", "limit"], ["query", "statu"]]


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"data": "{", "content_type": "application/json"}, 400),
        ({"data": b"\xff\xfe", "content_type": "application/json"}, 400),
        ({"data": "{}", "content_type": "text/plain"}, 415),
        ({"json": []}, 422),
        ({"json": {"answers": {"grade": {"action": "edit", "value": "x" * 100_001}}}}, 422),
        ({"json": {"answers": {"grade": {"action": "edit", "value": "a\x00b"}}}}, 422),
        (
            {
                "data": '{"answers": {"grade": {"action": "edit", "value": "\\ud800"}}}',
                "content_type": "application/json",
            },
            400,
        ),
        ({"data": b" " * 3_000_000, "content_type": "application/json"}, 413),
    ],
)
def test_bodies_that_do_not_fit(api, sent: dict[str, object], status: int) -> None:
    refused = api("reviewer").post(f"/suggestions/{NOBODY}/decision", **sent)
    assert (refused.status_code, refused.json["status"]) == (status, status), refused.json


def test_many_flaws_are_told_by_twenty_of_them(api) -> None:
    client = api("reviewer")
    told = client.post("/exports", json={"x" * 500 + str(number): 1 for number in range(3000)})
    assert told.status_code == 422 and len(told.json["flaws"]) == 20 and len(told.data) < 8000
    assert client.post("/exports", json={str(number): 1 for number in range(30_000)}).status_code == 413
    text = {"format": "csv", "columns": ['a,b,[{\\"' * 10], "filter": {"q": ",[{" * 30_000}}
    assert client.post("/exports", json=text).status_code == 422, "what stands in a text is no value"


def test_addresses_that_are_none_are_told_the_same_way(client: FlaskClient, api) -> None:
    for path, method, status in (
        ("/api/v1/nothing", "GET", 404),
        ("/api/v1/me", "POST", 405),
        ("/api/v2/me", "GET", 404),
    ):
        refused = client.open(path, method=method)
        assert (refused.status_code, refused.content_type) == (status, "application/problem+json")
        assert refused.json["status"] == status
    assert api("reviewer").get(f"/submissions/{NOBODY}").status_code == 404


def test_a_list_goes_on_where_its_cursor_says(api, context: Context, people: dict[str, Profile]) -> None:
    for name in ("Ana", "Bea", "Cleo"):
        with context.database.session() as session:
            make_entry(context, session, people["uploader"], student_name=name, status="completed")
    desk = api("reviewer")
    first = desk.get("/submissions?limit=2&status=completed").json
    second = desk.get(f"/submissions?limit=2&status=completed&cursor={first['next']}").json
    assert [row["student_name"] for row in first["rows"] + second["rows"]] == ["Cleo", "Bea", "Ana"]
    assert second["next"] is None and desk.get("/submissions?cursor=x").status_code == 422
    assert [row["student_name"] for row in desk.get("/submissions?q=be").json["rows"]] == ["Bea"]


def test_uploaders_see_only_their_own(api, context: Context, people: dict[str, Profile]) -> None:
    with context.database.session() as session:
        entry = make_entry(context, session, people["reviewer"])
    uploader = api("uploader")
    assert uploader.get("/submissions").json["rows"] == []
    paths = (
        f"/submissions/{entry.submission.id}",
        f"/submissions/{entry.submission.id}/history",
        f"/uploads/{entry.upload.id}/original",
        f"/uploads/{entry.upload.id}/pages/1/picture",
        f"/batches/{entry.upload.batch_id}",
    )
    assert {uploader.get(path).status_code for path in paths} == {404}
    assert {api("auditor").get(path).status_code for path in paths} == {200}


def test_files_are_uploaded_and_followed(api) -> None:
    desk = api("uploader")
    files = [(io.BytesIO(entry_pdf(pages)), f"entry-{pages}.pdf") for pages in (1, 2)]
    made = desk.post("/batches", data={"files": files}, content_type="multipart/form-data")
    assert made.status_code == 201, made.json
    assert [file["filename"] for file in made.json["files"]] == ["entry-1.pdf", "entry-2.pdf"]
    path = f"/batches/{made.json['id']}"
    more = desk.post(f"{path}/files", data={"files": [(io.BytesIO(b"%PDF"), "../c.pdf")]})
    assert [file["filename"] for file in more.json["files"]][2] == "c.pdf"
    seen = desk.get(path)
    assert seen.json["working"] is True
    assert desk.get(path, headers={"If-None-Match": seen.headers["ETag"]}).status_code == 304
    assert desk.get("/batches").json["rows"][0]["id"] == made.json["id"]
    again = desk.post("/batches", data={"files": [(io.BytesIO(b"%PDF"), "d.pdf")]}).json["id"]
    first = desk.get("/batches?limit=1").json
    assert [row["id"] for row in first["rows"]] == [again]
    second = desk.get(f"/batches?limit=1&cursor={first['next']}").json
    assert [row["id"] for row in second["rows"]] == [made.json["id"]] and second["next"] is None
    assert desk.post("/batches", data={"one_entry": "true"}, content_type="multipart/form-data").status_code == 422


def test_a_page_is_a_picture(api, context: Context, people: dict[str, Profile]) -> None:
    with context.database.session() as session:
        entry = make_entry(context, session, people["uploader"])
    desk, path = api("uploader"), f"/uploads/{entry.upload.id}/pages/1/picture?width=200"
    picture = desk.get(path)
    assert picture.content_type == "image/webp" and picture.data[8:12] == b"WEBP"
    assert desk.get(path, headers={"If-None-Match": picture.headers["ETag"]}).status_code == 304
    original = desk.get(f"/uploads/{entry.upload.id}/original")
    assert original.data == entry_pdf() or original.data[:5] == b"%PDF-"
    assert original.headers["Content-Disposition"].startswith("attachment")


def test_without_room_a_program_is_told_when_to_come_back(
    api, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "queued_count", lambda _redis: context.settings.max_queued_jobs)
    files = {"files": [(io.BytesIO(entry_pdf()), "entry.pdf")]}
    answer = api("uploader").post("/batches", data=files, content_type="multipart/form-data")
    assert (answer.status_code, answer.json["code"], answer.headers["Retry-After"]) == (503, "queue_full", "300")
