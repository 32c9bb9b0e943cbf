"""The one queue: proposals and escalations in one order, without what is set aside, held or of another season."""

from __future__ import annotations

import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import update

from core.clock import utcnow
from core.errors import ConflictError, InvalidInputError
from core.models import AsideKind, Escalation, ReviewSuggestion, SetAside, Submission
from services.context import Context
from services.review.asides import aside_of
from services.review.decisions import FieldAnswer, decide_suggestion, park_item, reject_suggested
from services.review.escalations import resolve_escalation
from services.review.undo import last_decision, undo_decision
from services.review.waiting import (
    WaitingFilter,
    WaitingItem,
    count_waiting,
    hand_out_next,
    list_waiting,
    next_waiting,
    waiting_beside,
    waiting_item,
)
from tests.support import factories
from tests.support.review import desk

NAMES = ("Ana Ruiz", "Theo Okafor", "Luz Ibarra", "Ivo Marin")


@pytest.fixture
def queue(context: Context) -> list[WaitingItem]:
    """A proposal, an escalation, a proposal, an escalation, in this order."""
    made: list[WaitingItem] = []
    for place, name in enumerate(NAMES):
        with context.database.session() as session:
            entry = (desk.make_escalated if place % 2 else desk.make_proposal)(
                context, session, **({"student_name": name} if place % 2 else {"student": name})
            )
        if entry.suggestion is not None:
            made.append(WaitingItem("suggestion", entry.suggestion.id, entry.submission.id))
        elif entry.escalation is not None:
            made.append(WaitingItem("escalation", entry.escalation.id, entry.submission.id))
    return made


@pytest.fixture
def reviewer(context: Context) -> uuid.UUID:
    with context.database.session() as session:
        return factories.make_profile(session, "reviewer").id


def names(context: Context, **wanted: str) -> list[str | None]:
    return [row.student_name for row in list_waiting(context, WaitingFilter(**wanted)).rows]  # type: ignore[arg-type]


def test_both_kinds_are_one_list(context: Context, queue: list[WaitingItem]) -> None:
    assert names(context) == list(NAMES)
    assert names(context, kind="suggestion") == [NAMES[0], NAMES[2]]
    assert names(context, kind="escalation") == [NAMES[1], NAMES[3]]
    assert names(context, field="grade") == list(NAMES)
    assert count_waiting(context).waiting == 4
    row = list_waiting(context, WaitingFilter()).rows[0]
    assert {field.name for field in row.fields} == {"grade", "school_name"} and row.filename.endswith(".pdf")


def test_pages_go_forth_and_back(context: Context, queue: list[WaitingItem]) -> None:
    first = list_waiting(context, WaitingFilter(), limit=3)
    assert [row.student_name for row in first.rows] == list(NAMES[:3]) and first.previous is None
    second = list_waiting(context, WaitingFilter(), first.next, limit=3)
    assert [row.student_name for row in second.rows] == [NAMES[3]] and second.next is None
    back = list_waiting(context, WaitingFilter(), second.previous, limit=3)
    assert [row.student_name for row in back.rows] == list(NAMES[:3])


def test_the_way_through_it(context: Context, queue: list[WaitingItem]) -> None:
    assert next_waiting(context, WaitingFilter(), None, None) == queue[0]
    for here, following in zip(queue, queue[1:] + queue[:1], strict=True):
        assert next_waiting(context, WaitingFilter(), here.id, None) == following
    assert waiting_beside(context, WaitingFilter(), queue[2].id, None)[1] == queue[1]
    assert waiting_beside(context, WaitingFilter(), queue[0].id, None)[1] is None
    assert waiting_item(context, queue[1].submission_id) == queue[1]


def test_what_another_holds_is_passed_over(
    context: Context, queue: list[WaitingItem], reviewer: uuid.UUID
) -> None:
    with context.database.session() as session:
        held = session.get_one(Escalation, queue[1].id)
        held.claimed_by, held.claimed_until = reviewer, utcnow() + timedelta(minutes=5)
    assert next_waiting(context, WaitingFilter(), queue[0].id, uuid.uuid4()) == queue[2]
    assert next_waiting(context, WaitingFilter(), queue[0].id, reviewer) == queue[1]
    assert list_waiting(context, WaitingFilter()).rows[1].held_by_id == reviewer


def test_no_two_are_led_to_one_item(context: Context, queue: list[WaitingItem]) -> None:
    with context.database.session() as session:
        people = [factories.make_profile(session, "reviewer").id for _ in queue]
    begin = threading.Barrier(len(people))

    def ask(person: uuid.UUID) -> WaitingItem | None:
        begin.wait()
        return hand_out_next(context, WaitingFilter(), None, person)

    with ThreadPoolExecutor(len(people)) as pool:
        handed = list(pool.map(ask, people))
    assert {item for item in handed if item} == set(queue)
    assert hand_out_next(context, WaitingFilter(), None, people[2]) == handed[2], "it is still that person's"
    with context.database.session() as session:
        other = factories.make_profile(session, "reviewer").id
    assert hand_out_next(context, WaitingFilter(), None, other) is None


def test_what_is_parked_is_out_of_the_queue_until_its_day(
    context: Context, queue: list[WaitingItem], reviewer: uuid.UUID
) -> None:
    until = utcnow() + timedelta(days=3)
    for item in queue[:2]:
        park_item(context, reviewer, item.kind, item.id, 1, "the school calls back", until)
    assert names(context) == list(NAMES[2:])
    assert names(context, place="parked") == list(NAMES[:2])
    counts = count_waiting(context)
    assert (counts.waiting, counts.parked, counts.asked) == (2, 2, 0)
    context.database.execute(update(SetAside).values(until=utcnow() - timedelta(seconds=1)))
    assert names(context) == list(NAMES), "it is back by itself"
    aside = list_waiting(context, WaitingFilter()).rows[0].aside
    assert aside is not None and aside.returned and aside.note == "the school calls back"


def test_parking_is_undone(context: Context, queue: list[WaitingItem], reviewer: uuid.UUID) -> None:
    for item in queue[:2]:
        undo_decision(context, reviewer, park_item(context, reviewer, item.kind, item.id, 1, None, None))
    assert names(context) == list(NAMES) and count_waiting(context).parked == 0


def test_parking_an_old_version_is_refused(
    context: Context, queue: list[WaitingItem], reviewer: uuid.UUID
) -> None:
    park_item(context, reviewer, "suggestion", queue[0].id, 1, None, None)
    with pytest.raises(ConflictError):
        park_item(context, reviewer, "suggestion", queue[0].id, 1, None, None)


def test_a_proposal_is_finished_with_values_of_other_fields(
    context: Context, queue: list[WaitingItem], reviewer: uuid.UUID
) -> None:
    answers = {"school_name": FieldAnswer("approve"), "grade": FieldAnswer("edit", "5")}
    decided = decide_suggestion(
        context, reviewer, queue[0].id, 1, answers, values={"teacher_name": "Ms. Abernathy"}, leaves_open=False
    )
    assert decided.status == "resolved"
    assert names(context) == list(NAMES[1:])
    undo_decision(context, reviewer, decided.decision_id)
    assert names(context) == list(NAMES)


def test_what_would_stay_open_is_refused_unless_it_is_asked_for(
    context: Context, queue: list[WaitingItem], reviewer: uuid.UUID
) -> None:
    answers = {"school_name": FieldAnswer("approve"), "grade": FieldAnswer("reject")}
    with pytest.raises(InvalidInputError) as refused:
        decide_suggestion(context, reviewer, queue[0].id, 1, answers, leaves_open=False)
    assert refused.value.message is not None and refused.value.message.params["fields"] == ["grade"]
    decided = decide_suggestion(
        context, reviewer, queue[0].id, 1, answers, asked=["grade", "phone"], leaves_open=False
    )
    assert (decided.status, decided.missing) == ("escalated", ["grade"])
    assert names(context) == list(NAMES[1:]) and names(context, place="asked") == [NAMES[0]]
    with context.database.session() as session:
        aside = aside_of(session, queue[0].submission_id)
    assert aside is not None and (aside.kind, aside.fields) == (AsideKind.ASKED, ("grade",))
    undo_decision(context, reviewer, decided.decision_id)
    assert names(context) == list(NAMES)
    assert context.database.get_one(ReviewSuggestion, queue[0].id).status == "pending"


def test_an_escalation_is_asked_for_and_comes_back_with_the_answer(
    context: Context, queue: list[WaitingItem], reviewer: uuid.UUID
) -> None:
    item = queue[1]
    values = {"teacher_name": "Ms. Abernathy"}
    status = resolve_escalation(context, reviewer, item.id, 1, "settle", values, asked=["grade"])
    assert status == "escalated" and names(context, place="asked") == [NAMES[1]]
    assert context.database.get_one(Escalation, item.id).status == "pending"
    status = resolve_escalation(context, reviewer, item.id, 2, "settle", {"grade": "4"})
    assert status == "resolved" and names(context, place="asked") == []
    last = last_decision(context, reviewer)
    assert last is not None
    undo_decision(context, reviewer, last)
    assert names(context, place="asked") == [NAMES[1]], "the answer is taken back: it is still asked for"


def test_the_entry_of_a_proposal_is_rejected(
    context: Context, queue: list[WaitingItem], reviewer: uuid.UUID
) -> None:
    decided = reject_suggested(context, reviewer, queue[0].id, 1, "an empty form")
    assert context.database.get_one(Submission, decided.submission_id).status == "rejected"
    assert names(context) == list(NAMES[1:])
    undo_decision(context, reviewer, decided.decision_id)
    assert names(context) == list(NAMES)
