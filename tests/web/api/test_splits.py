"""A split is corrected and the correction taken back, by the API alone."""

from __future__ import annotations

from core.models import Profile
from services.context import Context
from tests.support.review.desk import make_proposal


def test_a_page_is_turned_and_back(api, context: Context, people: dict[str, Profile]) -> None:
    with context.database.session() as session:
        entry = make_proposal(context, session, people["uploader"])
    desk, entry_id = api("reviewer"), str(entry.submission.id)
    split = desk.get(f"/uploads/{entry.upload.id}/split").json
    assert [found["submission_id"] for found in split["entries"]] == [entry_id]
    page = split["entries"][0]["tiles"][0]["page"]
    plan = {
        "upload_ids": [file["id"] for file in split["files"]],
        "versions": split["versions"],
        "entries": [{"pages": [{**page, "rotation": 90}]}],
    }
    assert desk.post("/splits", json={**plan, "entries": [{"pages": [page]}]}).status_code == 422
    stale = desk.post("/splits", json={**plan, "versions": {entry_id: 99}})
    assert stale.status_code == 409 and stale.json["what"]
    done = desk.post("/splits", json=plan)
    assert done.status_code == 201 and done.json["superseded"] == [entry_id], done.json
    undone = desk.post(f"/splits/{done.json['split_id']}/undo")
    assert undone.json == {"submission_ids": [entry_id]}
    again = desk.post(f"/splits/{done.json['split_id']}/undo")
    assert again.status_code == 409 and again.json["who"] == people["reviewer"].display_name
    assert desk.get(f"/uploads/{entry.upload.id}/pages/1/words").json["lines"][0][0]["text"] == "What"
