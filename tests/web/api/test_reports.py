"""Reports by the API alone: asked for, followed, approved, stopped, fetched."""

from __future__ import annotations

import uuid

import pytest
from sqlalchemy import select, update

from core.errors import TooCostlyError
from core.models import Export
from services.context import Context
from services.messages.entries import ExportRefused
from services.recovery.kinds import EXPORTS
from services.recovery.work import fail_work
from tests.support.research.reports import (
    PLAN,
    make_files,
    make_finished_report,
    make_running_report,
    make_waiting_report,
)


def made(context: Context, make) -> uuid.UUID:
    with context.database.session() as session:
        return make(session).id


def test_a_report_is_asked_for(api) -> None:
    desk = api("officer")
    sent = {"query": "Identify 5 reading programmes with costs", "allocation": "210", "budget": {"usd": 1.5}}
    answer = desk.post("/reports", json=sent)
    assert answer.status_code == 201, answer.json
    asked = answer.json
    assert (asked["report_type"], asked["target_items"], asked["status"]) == ("catalog", 5, "queued")
    assert asked["allocation_user"] == "210" and asked["exports"] == {} and asked["versions"] == []
    assert [one["limit"] for one in asked["budget"] if one["name"] == "usd"] == [1.5]
    assert desk.get("/reports?mine=true").json["rows"][0]["id"] == asked["id"]
    assert api("reviewer").get("/reports?mine=true").json["rows"] == []


def test_the_fields_of_a_catalog_are_taken_or_read_from_the_question(api) -> None:
    desk = api("officer")
    query = "List 6 museums with opening hours, fees and languages"
    assert desk.post("/reports", json={"query": query}).json["fields"] == ["opening_hours", "Fees", "Languages"]
    given = desk.post("/reports", json={"query": query, "fields": ["Who pays", "website"]})
    assert given.json["fields"] == ["Who pays", "provider_url"]
    too_many = desk.post("/reports", json={"query": query, "fields": [f"field {n}" for n in range(11)]})
    assert too_many.status_code == 422


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"query": ""},
        {"query": "?!"},
        {"query": "Why?", "allocation": "999"},
        {"query": "Why?", "allocation": "333"},
        {"query": "Why?", "tier": "best"},
        {"query": "Why?", "providers": ["nobody"]},
        {"query": "Why?", "budget": {"hours": 1}},
        {"query": "Why?", "kinds": []},
    ],
)
def test_what_does_not_fit_is_refused(api, sent: dict[str, object]) -> None:
    refused = api("officer").post("/reports", json=sent)
    assert refused.status_code == 422, refused.json


def test_a_plan_is_approved_once(api, context: Context) -> None:
    path = f"/reports/{made(context, make_waiting_report)}"
    desk = api("officer")
    seen = desk.get(path)
    assert seen.json["plan"]["questions"] == PLAN["questions"]
    assert desk.post(f"{path}/plan", json={}).status_code == 428
    changed = {"questions": ["Who pays?"], "allocation": "3"}
    done = desk.post(f"{path}/plan", json=changed, headers={"If-Match": seen.headers["ETag"]})
    assert done.status_code == 200, done.json
    assert done.json["plan"]["questions"] == ["Who pays?"] and done.json["allocation_approved"] == "300"
    again = api("reviewer").post(f"{path}/plan", json={"version": seen.json["version"]})
    assert again.status_code == 409 and again.json["who"] == done.json["plan_approved_by"]


def test_it_is_followed_until_something_changes(api, context: Context) -> None:
    path = f"/reports/{made(context, make_running_report)}/progress"
    desk = api("auditor")
    seen = desk.get(path)
    assert seen.json["working"] and len(seen.json["rounds"]) == 2
    assert seen.json["rounds"][0]["memo"]["themes_covered"] == ["attendance", "breakfasts"]
    assert [gap["state"] for gap in seen.json["gaps"]] == ["closed", "open"]
    assert desk.get(path, headers={"If-None-Match": seen.headers["ETag"]}).status_code == 304


def test_it_is_stopped_and_taken_up(api, context: Context) -> None:
    path = f"/reports/{made(context, make_running_report)}"
    desk = api("officer")
    assert desk.post(f"{path}/retry").status_code == 409
    assert desk.post(f"{path}/cancel").json["status"] == "cancelled"
    assert desk.post(f"{path}/cancel").status_code == 409
    assert desk.post(f"{path}/retry").json["status"] == "queued"


def test_what_was_written_is_fetched(api, context: Context) -> None:
    report_id = made(context, make_finished_report)
    desk = api("auditor")
    exports = desk.get(f"/reports/{report_id}").json["exports"]
    for name, address in exports.items():
        early = desk.get(address.removeprefix("/api/v1"))
        assert early.status_code == 202 and early.json["status"] == "queued" and "Retry-After" in early.headers, (
            name
        )
        make_files(context)
        with desk.get(early.json["file"].removeprefix("/api/v1")) as file:
            assert file.status_code == 200 and file.headers["Content-Disposition"].startswith("attachment"), name
    desk.get(f"/reports/{report_id}/export?format=markdown&version=1")
    make_files(context)
    with desk.get(f"/reports/{report_id}/export?format=markdown&version=1") as first:
        assert "What was found, version 1" in first.text
    assert desk.get(f"/reports/{report_id}/export?format=exe").status_code == 422
    assert desk.get(f"/reports/{report_id}/export?version=3").status_code == 404


def test_what_is_too_large_for_a_format_is_said(api, context: Context) -> None:
    address, desk = f"/reports/{made(context, make_finished_report)}/export?format=pdf", api("auditor")
    assert desk.get(address).status_code == 202
    export_id = context.database.one(select(Export.id))
    fail_work(context, EXPORTS, export_id, TooCostlyError(ExportRefused.TOO_LARGE))
    refused = desk.get(address)
    assert refused.status_code == 409 and refused.json["reason"] == "export_not_made"
    assert "too large" in refused.json["detail"]
    context.database.execute(update(Export).values(error_code=None, error_params={}))
    assert desk.get("/exports").json["rows"] == []


def test_uploaders_are_told_of_no_report(api, context: Context) -> None:
    report_id = made(context, make_finished_report)
    for path in ("/reports", f"/reports/{report_id}", f"/reports/{report_id}/export"):
        assert api("uploader").get(path).status_code == 403
    assert api("auditor").post("/reports", json={"query": "Why?"}).status_code == 403
