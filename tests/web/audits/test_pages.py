from __future__ import annotations

import uuid

import pytest
from sqlalchemy import select

from core.models import Audit, SecurityEvent, Submission
from services.context import Context
from tests.support import factories
from tests.support.review import desk

NAME = "Marisol Quintero"


@pytest.fixture
def drawn(context: Context) -> list[tuple[uuid.UUID, uuid.UUID]]:
    """Two audits, the older one first, with their entries."""
    found = []
    for _ in range(2):
        with context.database.session() as session:
            entry = desk.make_entry(context, session, status="completed", grade="4")
            found.append((factories.make_audit(session, entry.submission).id, entry.submission.id))
    return found


def page(drawn: tuple[uuid.UUID, uuid.UUID]) -> str:
    return f"/audits/{drawn[0]}/of/{drawn[1]}"


def test_nothing_waits(signed_in) -> None:
    assert "No entries are waiting for an audit." in signed_in("auditor").get("/audits").text
    assert signed_in("auditor").get("/audits/next").location == "/audits"


def test_the_first_is_shown_blind(signed_in, context: Context, drawn) -> None:
    client = signed_in("auditor")
    assert "Start" in client.get("/audits").text
    assert client.get("/audits/next").location == page(drawn[0])
    text = client.get(page(drawn[0])).text
    assert NAME not in text and "Type what is on the page" in text
    assert "data-words" not in text, "recognised words could be copied"
    with context.database.session() as session:
        seen = session.execute(select(SecurityEvent.kind, SecurityEvent.submission_id)).all()
    assert ("submission_viewed", drawn[0][1]) in seen


def test_an_audit_with_a_difference(signed_in, context: Context, drawn) -> None:
    client, (audit_id, entry) = signed_in("auditor"), drawn[0]
    sent = {"version": "1", "value-student_name": "Marisol Quintera", "value-grade": "4"}
    assert client.post(f"/audits/{audit_id}/typed", data=sent).location == page(drawn[0])
    text = client.get(page(drawn[0])).text
    assert "Who is right?" in text and "finding-student_name" in text and "finding-grade" not in text
    sent = {"version": "2", "entry_version": "1", "finding-student_name": "auditor", "correct-student_name": "1"}
    answer = client.post(f"/audits/{audit_id}/settle", data=sent)
    assert answer.location == page(drawn[1])
    assert "Audited: wrong in Student." in client.get(answer.location).text
    assert context.database.get_one(Submission, entry).student_name == "Marisol Quintera"
    assert "Findings" in client.get(page(drawn[0])).text
    assert client.post(f"/audits/{audit_id}/undo").location == page(drawn[0])
    assert context.database.get_one(Audit, audit_id).status == "pending"


def test_equal_values_lead_to_the_next(signed_in, drawn) -> None:
    client = signed_in("admin")
    sent = {"version": "1", "value-student_name": NAME, "value-grade": "4"}
    answer = client.post(f"/audits/{drawn[0][0]}/typed", data=sent, headers={"Accept": "application/json"})
    assert answer.get_json()["next"] == page(drawn[1])
    assert "All values match what the machine read." in answer.get_json()["notice"]


def test_a_value_that_is_none_comes_back_as_typed(signed_in, drawn) -> None:
    sent = {"version": "1", "value-student_name": "Someone", "value-grade": "room 12"}
    answer = signed_in("auditor").post(f"/audits/{drawn[0][0]}/typed", data=sent)
    assert answer.status_code == 400
    assert "Someone" in answer.text and "room 12" in answer.text


def test_typing_again_and_holds(signed_in, people, drawn) -> None:
    client, audit_id = signed_in("auditor"), drawn[0][0]
    hold = f"/audits/{audit_id}/claim"
    json = {"Accept": "application/json"}
    assert client.post(hold, headers=json).get_json()["mine"]
    assert not signed_in("admin").get(hold, headers=json).get_json()["mine"]
    assert "has this open until" in signed_in("admin").get(page(drawn[0])).text
    assert client.post(f"/audits/{audit_id}/release").status_code == 204
    client.post(f"/audits/{audit_id}/typed", data={"version": "1", "value-grade": "5"})
    client.post(f"/audits/{audit_id}/settle", data={"version": "2", "decide": "again"})
    assert "Type what is on the page" in client.get(page(drawn[0])).text


@pytest.mark.parametrize("role", ["uploader", "officer", "reviewer"])
def test_not_for_others(signed_in, drawn, role: str) -> None:
    for address in ("/audits", page(drawn[0])):
        assert signed_in(role).get(address).status_code == 403
