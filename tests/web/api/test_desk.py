"""A whole session at the desk, by the API alone."""

from __future__ import annotations

import pytest
from sqlalchemy import update

from core.models import Profile, Season
from services.context import Context
from services.review.asides import aside_of
from tests.support.review.desk import Entry, make_doubtful, make_escalated, make_proposal


@pytest.fixture
def proposal(context: Context, people: dict[str, Profile]) -> Entry:
    with context.database.session() as session:
        return make_proposal(context, session, people["uploader"])


@pytest.fixture
def escalated(context: Context, people: dict[str, Profile]) -> Entry:
    with context.database.session() as session:
        return make_escalated(context, session, people["uploader"])


APPROVE = {"grade": {"action": "approve"}, "school_name": {"action": "approve"}}


def test_list_hold_decide_undo_decide(api, proposal: Entry) -> None:
    desk = api("reviewer")
    (line,) = desk.get("/suggestions").json["rows"]
    assert desk.get("/suggestions/next").json["id"] == line["id"]
    path = f"/suggestions/{line['id']}"
    taken = desk("PUT", f"{path}/claim").json
    again = desk("PUT", f"{path}/claim").json
    assert again["until"] >= taken["until"]
    item = desk.get(path)
    assert item.json["held_by"] and item.headers["ETag"] == f'"{taken["version"]}"'
    edit = {"grade": {"action": "edit", "value": "5"}, "school_name": {"action": "approve"}}
    decided = desk.post(f"{path}/decision", json={"version": taken["version"], "answers": edit, "reason": "Read."})
    assert (decided.status_code, decided.json["status"]) == (200, "resolved"), decided.json
    undone = desk.post(f"/decisions/{decided.json['decision_id']}/undo").json
    assert (undone["kind"], undone["item_id"]) == ("suggestion", line["id"])
    item = desk.get(path)
    decided = desk.post(f"{path}/decision", json={"answers": APPROVE}, headers={"If-Match": item.headers["ETag"]})
    assert decided.json["status"] == "resolved"
    entry = desk.get(f"/submissions/{decided.json['submission_id']}").json
    assert {field["name"]: field["value"] for field in entry["fields"]}["grade"] == "4"
    trail = desk.get(f"/submissions/{entry['id']}/history").json["history"]
    kinds = [line["kind"] for line in trail if not line["is_step"]]
    assert kinds.count("field_approved") == 3 and kinds.count("field_edited") == 1 and "undone" in kinds
    assert desk.get("/suggestions/next").json["id"] is None


def test_the_slower_one_is_told_who_did_what(api, people: dict[str, Profile], proposal: Entry) -> None:
    first, second = api("reviewer"), api("admin")
    path = f"/suggestions/{proposal.suggestion.id}"
    sent = {"version": 1, "answers": APPROVE}
    first("PUT", f"{path}/claim")
    for held in (second("PUT", f"{path}/claim"), second.post(f"{path}/decision", json=sent)):
        assert held.status_code == 409 and held.json["code"] == "held"
        assert held.json["who"] == people["reviewer"].display_name and "open" in held.json["what"]
    assert first.post(f"{path}/decision", json=sent).status_code == 200
    late = second.post(f"{path}/decision", json=sent)
    assert late.status_code == 409 and late.content_type == "application/problem+json"
    assert late.json["who"] == people["reviewer"].display_name and late.json["what"].startswith("approved by")
    assert late.json["type"] == "urn:second-reader:problem:conflict"


def test_what_is_missing_is_asked_for_or_accepted(api, context: Context, escalated: Entry) -> None:
    desk = api("reviewer")
    path = f"/escalations/{escalated.escalation.id}/resolution"
    sent = {"version": 1, "action": "settle", "values": {"teacher_name": "Ms. Boone"}}
    asked = desk.post(path, json=sent | {"asked": ["grade"]})
    assert (asked.status_code, asked.json["status"]) == (200, "escalated"), asked.json
    with context.database.session() as session:
        found = aside_of(session, escalated.submission.id)
        session.execute(update(Season).values(policy={"may_stay_empty": ["grade"], "waived_by": "admins"}))
    assert found is not None and found.fields == ("grade",)
    waived = {"version": 2, "action": "settle", "waived": ["grade"]}
    assert desk.post(path, json=waived).status_code == 422, "without a reason"
    refused = desk.post(path, json=waived | {"reason": "The form has none."})
    assert refused.status_code == 403 and refused.json["code"] == "forbidden"
    accepted = api("admin").post(path, json=waived | {"reason": "The form has none."})
    assert accepted.json["status"] == "resolved", accepted.json


def test_an_item_is_parked_and_put_back(api, proposal: Entry, escalated: Entry) -> None:
    desk = api("reviewer")
    for path in (f"/suggestions/{proposal.suggestion.id}", f"/escalations/{escalated.escalation.id}"):
        queue, _, _ = path[1:].partition("/")
        late = {"version": 1, "until": "2020-01-01T00:00:00Z"}
        assert desk.post(f"{path}/parking", json=late).status_code == 422
        parked = desk.post(f"{path}/parking", json={"version": 1, "note": "Page 2 follows."})
        assert parked.status_code == 200, parked.json
        assert desk.get(f"/{queue}/next").json["id"] is None
        assert desk.post(f"/decisions/{parked.json['decision_id']}/undo").status_code == 200
        assert desk.get(f"/{queue}/next").json["id"] is not None


def test_a_hold_is_given_back(api, proposal: Entry) -> None:
    first, second = api("reviewer"), api("admin")
    path = f"/suggestions/{proposal.suggestion.id}/claim"
    first("PUT", path)
    second("DELETE", path)
    assert second("PUT", path).status_code == 409
    assert [first("DELETE", path).status_code for _ in range(2)] == [204, 204]
    assert second("PUT", path).status_code == 200


@pytest.mark.parametrize(
    ("version", "if_match", "status"),
    [
        (None, None, 428),
        (1, '"1"', 200),
        (None, '"1"', 200),
        (1, '"2"', 400),
        (None, "W/x", 400),
        (7, None, 409),
        (0, None, 422),
    ],
)
def test_which_version(api, proposal: Entry, version: int | None, if_match: str | None, status: int) -> None:
    headers = {"If-Match": if_match} if if_match else {}
    sent = {"version": version, "answers": APPROVE}
    answer = api("reviewer").post(f"/suggestions/{proposal.suggestion.id}/decision", json=sent, headers=headers)
    assert answer.status_code == status, answer.json


def test_bulk(api, context: Context, proposal: Entry) -> None:
    desk = api("reviewer")
    preview = desk.get("/suggestions/bulk?grade=").json
    assert (len(preview["items"]), preview["total"], preview["held"]) == (1, 1, 0)
    items = [{"suggestion_id": item["suggestion_id"], "version": item["version"]} for item in preview["items"]]
    unseen = desk.post("/suggestions/bulk", json={"items": items, "action": "approve"}).json
    assert (unseen["decided"], unseen["unshown"]) == (0, 1)
    for item, seen in zip(items, preview["items"], strict=True):
        item["shown"] = [
            change["name"] for change in seen["changes"] if change["must_be_shown"] and change["place"]
        ]
    done = desk.post("/suggestions/bulk", json={"items": items, "action": "approve"}).json
    assert (done["decided"], done["lost"]) == (1, 0)
    assert desk.post("/suggestions/bulk", json={"items": items, "action": "approve"}).json["lost"] == 1
    assert desk.post(f"/suggestions/bulk/{done['bulk_id']}/undo").json == {"undone": 1, "kept": 0}
    assert len(desk.get("/suggestions").json["rows"]) == 1


@pytest.mark.parametrize(
    ("preferred", "preselected", "decided"), [("as_read", "keep", 1), ("neither", "reject", 0)]
)
def test_a_value_that_is_not_preferred(
    api, context: Context, preferred: str, preselected: str, decided: int
) -> None:
    with context.database.session() as session:
        entry = make_doubtful(context, session, preferred=preferred)
    desk = api("reviewer")
    (field,) = desk.get(f"/suggestions/{entry.suggestion.id}").json["fields"]
    assert (field["preferred"], field["preselected"]) == (preferred, preselected)
    items = [{"suggestion_id": str(entry.suggestion.id), "version": 1, "shown": ["school_name"]}]
    done = desk.post("/suggestions/bulk", json={"items": items, "action": "approve"}).json
    assert (done["decided"], done["unclear"]) == (decided, 1 - decided)
    record = desk.get(f"/submissions/{entry.submission.id}").json
    assert {field["name"]: field["value"] for field in record["fields"]}["school_name"] == "Sterling Oaks"


def test_an_escalation_is_settled_and_taken_back(api, escalated: Entry) -> None:
    desk = api("reviewer")
    (line,) = desk.get("/escalations").json["rows"]
    path = f"/escalations/{line['id']}"
    version = desk("PUT", f"{path}/claim").json["version"]
    incomplete = desk.post(f"{path}/resolution", json={"version": version, "action": "settle"})
    assert incomplete.status_code == 422 and "grade" in incomplete.json["detail"].lower()
    sent = {"version": version, "action": "settle", "values": {"grade": "4"}, "reason": "Asked the school."}
    settled = desk.post(f"{path}/resolution", json=sent).json
    assert settled["status"] == "resolved"
    assert desk.get(path).json["status"] == "resolved"
    assert desk.post(f"/decisions/{settled['decision_id']}/undo").json["item_id"] == line["id"]
    assert desk.get(path).json["status"] == "pending"


def test_an_escalation_is_read_again(api, escalated: Entry) -> None:
    desk = api("reviewer")
    path = f"/escalations/{escalated.escalation.id}/resolution"
    refused = desk.post(path, json={"version": 1, "action": "read_again", "options": {"profile": "none_such"}})
    assert refused.status_code == 422
    again = desk.post(path, json={"version": 1, "action": "read_again"}).json
    assert (again["status"], again["decision_id"]) == ("queued", None)


def test_an_entry_is_edited_reopened_and_taken_back(api, escalated: Entry) -> None:
    desk, path = api("reviewer"), f"/submissions/{escalated.submission.id}"
    desk.post(
        f"/escalations/{escalated.escalation.id}/resolution",
        json={"version": 1, "action": "settle", "values": {"grade": "4"}},
    )
    seen = desk.get(path).headers["ETag"]
    edited = desk("PATCH", path, json={"values": {"teacher_name": "Ms. Aldana"}}, headers={"If-Match": seen})
    assert (edited.status_code, edited.json["status"]) == (200, "resolved"), edited.json
    stale = desk("PATCH", path, json={"values": {"grade": "6"}}, headers={"If-Match": seen})
    assert stale.status_code == 409 and stale.json["who"] and stale.json["what"]
    reopened = desk.post(
        f"{path}/reopen", json={"version": edited.json["version"], "reason": "Wrong school."}
    ).json
    assert desk.get(path).json["escalation"]["id"] == reopened["escalation_id"]
    assert desk.post(f"/decisions/{reopened['decision_id']}/undo").json["kind"] == "reopen"
    assert desk.get(path).json["status"] == "resolved"
