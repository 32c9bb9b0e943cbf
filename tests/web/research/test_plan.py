from __future__ import annotations

import uuid
from typing import Any

import pytest

from core.models import Report
from services.context import Context
from tests.support.research.reports import PLAN

RESEARCHERS = {"allocation_web": "1", "allocation_academic": "2", "allocation_book": "0"}


def stored(context: Context, report_id: uuid.UUID) -> Report:
    return context.database.get_one(Report, report_id)


def typed(questions: list[str], do: str = "approve", **more: Any) -> dict[str, Any]:
    return {"version": "1", "question": questions, "do": do, **RESEARCHERS, **more}


def test_the_plan_is_shown_to_be_changed(signed_in, waiting: uuid.UUID) -> None:
    page = signed_in("officer").get(f"/research/{waiting}").text
    assert all(f">{question}</textarea>" in page for question in PLAN["questions"])
    assert "By rule: the question" in page
    read_only = signed_in("auditor").get(f"/research/{waiting}").text
    assert "<textarea" not in read_only and "What do they cost?" in read_only


def test_it_is_approved_as_changed(signed_in, context: Context, waiting: uuid.UUID) -> None:
    sent = typed(["  What do   they cost? ", "", "Who pays?"])
    answer = signed_in("officer").post(f"/research/{waiting}/plan", data=sent, follow_redirects=True)
    assert "The plan was approved" in answer.text and "<textarea" not in answer.text
    report = stored(context, waiting)
    assert report.plan is not None and report.plan["questions"] == ["What do they cost?", "Who pays?"]
    assert report.plan["allocation"] == {"web_count": 1, "academic_count": 2, "book_count": 0}
    assert report.plan["angles"] == PLAN["angles"] and report.plan_approved_at is not None
    assert "Changed in the plan" in answer.text


@pytest.mark.parametrize(
    ("do", "questions"),
    [
        ("up-1", ["b", "a", "c"]),
        ("down-1", ["a", "c", "b"]),
        ("up-0", ["a", "b", "c"]),
        ("down-2", ["a", "b", "c"]),
        ("remove-1", ["a", "c"]),
        ("remove-9", ["a", "b", "c"]),
        ("add", ["a", "b", "c", ""]),
    ],
)
def test_lines_are_moved_without_javascript(
    signed_in, context: Context, waiting: uuid.UUID, do: str, questions: list[str]
) -> None:
    page = signed_in("officer").post(f"/research/{waiting}/plan", data=typed(["a", "b", "c"], do)).text
    shown = [part.split("</textarea>")[0].partition(">")[2] for part in page.split("<textarea")[1:]]
    assert shown == questions
    assert stored(context, waiting).plan_approved_at is None


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        (typed(["", " "]), "at least one question"),
        (typed([f"Question {number}?" for number in range(20)]), "at most 6 questions"),
        (typed(["x" * 501]), "at most 500 characters"),
        (typed(["Who pays?"], allocation_web="3"), "you chose 5"),
    ],
)
def test_what_cannot_be_approved_says_why(
    signed_in, context: Context, waiting: uuid.UUID, sent: dict[str, Any], sentence: str
) -> None:
    answer = signed_in("officer").post(f"/research/{waiting}/plan", data=sent)
    assert answer.status_code == 400 and sentence in answer.text
    assert stored(context, waiting).plan_approved_at is None


def test_who_comes_second_keeps_what_they_typed(signed_in, waiting: uuid.UUID) -> None:
    first = signed_in("reviewer").post(f"/research/{waiting}/plan", data=typed(["Who pays?"]))
    assert first.status_code == 302
    late = signed_in("officer").post(f"/research/{waiting}/plan", data=typed(["My long question?"]))
    assert late.status_code == 409
    assert "My long question?" in late.text and "approved by Reviewer" in late.text


def test_a_form_without_a_version_is_none_of_ours(signed_in, waiting: uuid.UUID) -> None:
    assert signed_in("officer").post(f"/research/{waiting}/plan", data={"question": "a"}).status_code == 400
