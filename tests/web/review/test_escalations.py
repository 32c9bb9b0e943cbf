"""Escalations: the list, and settling or rejecting one on the page of its entry."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from core.models import Escalation, Submission, SubmissionField
from services.context import Context
from tests.support.review import desk


@pytest.fixture
def waiting(context: Context, people) -> desk.Entry:
    with context.database.session() as session:
        return desk.make_escalated(context, session, people["uploader"])


def url_of(entry: desk.Entry) -> str:
    assert entry.escalation is not None
    return f"/review/escalations/{entry.escalation.id}/of/{entry.submission.id}"


def standing(context: Context) -> tuple[str, str]:
    with context.database.session() as session:
        return session.scalars(select(Submission.status)).one(), session.scalars(select(Escalation.status)).one()


def test_the_list_and_the_form(signed_in, waiting: desk.Entry) -> None:
    assert "Missing: Grade; nothing to propose." in signed_in("auditor").get("/review/escalations").text
    page = f"/submissions/{waiting.submission.id}"
    assert "This entry is waiting for a person" in signed_in("reviewer").get(page).text
    for role in ("uploader", "auditor"):
        assert "This entry is waiting for a person" not in signed_in(role).get(page).text


def test_settling_with_the_missing_value(signed_in, waiting: desk.Entry, context: Context) -> None:
    data = {"version": "1", "decide": "settle", "value-grade": "4", "value-student_name": "Marisol Quintero"}
    response = signed_in("reviewer").post(url_of(waiting), data=data)
    assert response.location == "/review"
    assert standing(context) == ("resolved", "resolved")
    sources = {row.name: row.source for row in context.database.scalars(select(SubmissionField))}
    assert sources["grade"] == "person"
    assert sources["student_name"] == "ocr", "a value that was not touched keeps where it came from"


def test_what_is_still_missing_is_said_and_nothing_typed_is_lost(
    signed_in, waiting: desk.Entry, context: Context
) -> None:
    data = {"version": "1", "decide": "settle", "value-grade": "", "value-teacher_name": "Ms. Abernathy"}
    response = signed_in("reviewer").post(url_of(waiting), data=data)
    assert response.status_code == 400
    assert "grade" in response.text and "Ms. Abernathy" in response.text
    assert standing(context) == ("escalated", "pending")


def test_what_is_missing_is_named_as_people_know_it(signed_in, context: Context, people) -> None:
    with context.database.session() as session:
        entry = desk.make_escalated(context, session, people["uploader"], student_name=None)
    response = signed_in("reviewer").post(url_of(entry), data={"version": "1", "decide": "settle"})
    assert "still missing: Student, Grade" in response.text


@pytest.mark.parametrize("count", ["²", "9" * 5000, "-1"])
def test_nobody_types_what_is_worked_out(signed_in, waiting: desk.Entry, context: Context, count: str) -> None:
    data = {"version": "1", "decide": "settle", "value-grade": "4", "value-word_count": count, "value-bogus": "x"}
    assert signed_in("reviewer").post(url_of(waiting), data=data).status_code == 302
    sent = context.database.one(select(Escalation.decision))["values"]
    assert sent == {"grade": "4"}


def test_a_value_of_a_million_letters(signed_in, waiting: desk.Entry, context: Context) -> None:
    data = {"version": "1", "decide": "settle", "value-grade": "4", "value-student_name": "n" * 300_001}
    response = signed_in("reviewer").post(url_of(waiting), data=data)
    assert response.status_code == 400 and "Student: at most 300 characters" in response.text
    assert standing(context) == ("escalated", "pending")


@pytest.mark.parametrize("nothing", ["\u200b\u202e", "\u2060", "\u00a0 "])
def test_a_name_nobody_can_see_is_none(signed_in, waiting: desk.Entry, context: Context, nothing: str) -> None:
    data = {"version": "1", "decide": "settle", "value-grade": "4", "value-student_name": nothing}
    assert signed_in("reviewer").post(url_of(waiting), data=data).status_code == 400
    assert standing(context) == ("escalated", "pending")


def test_rejecting(signed_in, waiting: desk.Entry, context: Context) -> None:
    data = {"version": "1", "decide": "reject", "reason": "a blank form"}
    signed_in("reviewer").post(url_of(waiting), data=data)
    assert standing(context) == ("rejected", "rejected")


def test_the_slower_of_two(signed_in, waiting: desk.Entry, people) -> None:
    signed_in("admin").post(url_of(waiting), data={"version": "1", "decide": "reject"})
    data = {"version": "1", "decide": "settle", "value-grade": "4"}
    response = signed_in("reviewer").post(url_of(waiting), data=data)
    assert response.status_code == 409 and people["admin"].display_name in response.text


def test_the_next_one_is_shown(signed_in, waiting: desk.Entry, context: Context, people) -> None:
    with context.database.session() as session:
        other = desk.make_escalated(context, session, people["uploader"])
    response = signed_in("reviewer").post(url_of(waiting), data={"version": "1", "decide": "reject"})
    assert response.location == url_of(other)


def test_an_empty_queue_is_a_success(signed_in) -> None:
    assert "The queue is empty." in signed_in("reviewer").get("/review/escalations").text
