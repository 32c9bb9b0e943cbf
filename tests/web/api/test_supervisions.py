"""The supervision of reports by the API alone: begun, followed, decided, restored."""

from __future__ import annotations

import io
import uuid

import pytest

from core.messages import Message, say
from research.supervision.types import ExaminedCode
from services.context import Context
from tests.support.research.reports import make_finished_report, make_running_report
from tests.support.research.supervisions import make_ended_supervision, make_supervision, make_waiting_supervision


def made(context: Context, make) -> uuid.UUID:
    with context.database.session() as session:
        return make(session).id


pytestmark = pytest.mark.usefixtures("with_model")


@pytest.fixture
def waiting(api, context: Context) -> str:
    """The path of a revision that waits."""
    made(context, make_waiting_supervision)
    (line,) = api("officer").get("/revisions").json["rows"]
    assert line["issue"]["topic"] == "attachment theory" and line["held_by"] is None
    return f"/revisions/{line['id']}"


def test_a_report_is_deepened(api, context: Context) -> None:
    report_id, desk = made(context, make_finished_report), api("officer")
    sent = {"tier": "high_quality", "mode": "automatic", "budget": {"calls": 9}}
    begun = desk.post(f"/reports/{report_id}/supervisions", json=sent)
    assert begun.status_code == 201, begun.json
    assert (begun.json["tier"], begun.json["status"], begun.json["working"]) == ("high_quality", "queued", True)
    again = desk.post(f"/reports/{report_id}/supervisions", json={})
    assert again.status_code == 409 and again.json["who"] == begun.json["requested_by"]
    assert [line["id"] for line in desk.get(f"/reports/{report_id}/supervisions").json["rows"]] == [
        begun.json["id"]
    ]
    stopped = desk.post(f"/supervisions/{begun.json['id']}/cancel")
    assert stopped.json["ended_because"] == "cancelled"
    anew = desk.post(f"/supervisions/{begun.json['id']}/retry")
    assert anew.status_code == 201 and anew.json["id"] != begun.json["id"]


def test_what_is_not_finished_is_not_deepened(api, context: Context) -> None:
    report_id = made(context, make_running_report)
    assert api("officer").post(f"/reports/{report_id}/supervisions", json={}).status_code == 409
    assert api("auditor").post(f"/reports/{report_id}/supervisions", json={}).status_code == 403
    assert api("officer").post(f"/reports/{report_id}/supervisions", json={"tier": "all"}).status_code == 422


def test_a_loop_is_followed(api, context: Context) -> None:
    path = f"/supervisions/{made(context, make_ended_supervision)}"
    seen = api("auditor").get(path)
    outcomes = [one["outcome"] for one in seen.json["attempts"]]
    assert outcomes[3:] == ["already_explored", "refused_by_guard", "failed"]
    assert seen.json["ended_because"] == "circuit_breaker"
    assert (seen.json["reasoning"], seen.json["confidence"], seen.json["ended_note"]) == ("", None, None)
    assert api("auditor").get(path, headers={"If-None-Match": seen.headers["ETag"]}).status_code == 304


def test_a_revision_is_edited_once(api, context: Context, waiting: str) -> None:
    desk = api("officer")
    seen = desk.get(waiting).json
    text = seen["editable"].replace("Attachment theory explains it", "Bowlby explains it")
    sent = {"decided": "edited", "edited_markdown": text, "version": seen["version"]}
    assert desk.post(f"{waiting}/decision", json={"decided": "accepted"}).status_code == 428
    done = desk.post(f"{waiting}/decision", json=sent)
    assert done.status_code == 200, done.json
    assert done.json["status"] == "edited" and done.json["made_version"] == 3
    report = desk.get(f"/reports/{seen['report_id']}/versions/3").json["document"]
    assert "Bowlby explains it" in report["sections"][0]["body"]
    late = api("reviewer").post(f"{waiting}/decision", json={"decided": "rejected", "version": seen["version"]})
    assert late.status_code == 409 and late.json["who"] == done.json["decided_by"]


def test_what_the_guard_refuses_is_said(api, waiting: str) -> None:
    sent = {"decided": "edited", "edited_markdown": "# Nothing\n\nis left.", "version": 1}
    refused = api("officer").post(f"{waiting}/decision", json=sent)
    assert refused.status_code == 422 and "These citations would be lost" in refused.json["detail"]
    assert {one["code"] for one in refused.json["params"]["problems"]} >= {"citations_lost", "sections_lost"}


def test_a_hold_keeps_others_out(api, waiting: str) -> None:
    assert api("reviewer")("PUT", f"{waiting}/claim").status_code == 200
    assert api("officer")("PUT", f"{waiting}/claim").json["code"] == "held"
    sent = {"decided": "rejected", "version": 1}
    assert api("officer").post(f"{waiting}/decision", json=sent).status_code == 409
    assert api("reviewer")("DELETE", f"{waiting}/claim").status_code == 204
    assert api("officer").post(f"{waiting}/decision", json=sent).json["status"] == "rejected"


def test_a_version_is_restored(api, context: Context) -> None:
    path = f"/reports/{made(context, make_finished_report)}/versions"
    desk = api("officer")
    assert len(desk.post(f"{path}/1/restore").json["versions"]) == 3
    assert desk.post(f"{path}/3/restore").status_code == 422
    assert desk.get(f"{path}/9").status_code == 404


def test_a_document_is_taken_in(api) -> None:
    text = b"# Boats\n\n## One\n\nFathers build boats [1].\n\n## References\n\n[1] Lee, B. (2021). Boats.\n"
    sent = {"file": (io.BytesIO(text), "boats.md"), "library_only": "true"}
    taken = api("officer").post("/documents", data=sent)
    assert taken.status_code == 201, taken.json
    assert taken.json["title"] == "Boats" and taken.json["providers"] == ["library"]
    refused = api("officer").post("/documents", data={"file": (io.BytesIO(b"\x89PNG\r\n\x1a\n"), "x.png")})
    assert refused.status_code in (415, 422)


def test_the_reasons_are_data(api, context: Context) -> None:
    note = Message.of(ExaminedCode.LIBRARY_BEING_READ, waiting=2)
    values = {"status": "done", "ended_because": "nothing_to_compare", "ended_note": note}
    with context.database.session() as session:
        loop = make_supervision(session, reasoning="Two lines.", confidence=0.5, **values)
        path = f"/supervisions/{loop.id}"
    seen = api("auditor").get(path).json
    assert (seen["ended_because"], seen["ended_note"]) == (
        "nothing_to_compare",
        {**note.to_json(), "text": say(note)},
    )
    assert (seen["reasoning"], seen["confidence"]) == ("Two lines.", 0.5)
