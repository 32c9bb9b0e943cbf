from __future__ import annotations

import uuid

import pytest
from sqlalchemy import select

from core.errors import ConflictError, HeldError, InvalidInputError, NotFoundError
from core.models import Audit, AuditField, AuditFinding, ReviewEvent, Submission, SubmissionField
from services.audits import (
    audit_detail,
    audit_queue,
    next_audit,
    settle_audit,
    type_again,
    type_values,
    undo_audit,
    values_agree,
)
from services.context import Context
from services.entries.change import edit_record
from services.items.holds import release_hold, take_hold
from tests.services.conftest import Reviewers
from tests.support import factories
from tests.support.review import desk

NAME, OTHER = "Marisol Quintero", "Marisol Quintera"
RIGHT = {"student_name": "marisol  quintero", "grade": "4"}


@pytest.fixture
def drawn(context: Context) -> tuple[uuid.UUID, uuid.UUID]:
    """An audit whose machine values are NAME and grade 4, and its entry."""
    with context.database.session() as session:
        entry = desk.make_entry(context, session, status="completed", grade="4")
        return factories.make_audit(session, entry.submission).id, entry.submission.id


def fields(context: Context) -> dict[str, AuditField]:
    return {row.name: row for row in context.database.scalars(select(AuditField))}


def status(context: Context) -> str:
    return context.database.one(select(Audit.status))


@pytest.mark.parametrize(
    ("name", "value", "typed", "expected"),
    [
        ("student_name", NAME, " marisol   QUINTERO ", True),
        ("student_name", "José Ruiz", "Jose Ruiz", False),
        ("phone", "(555) 01-42", "555 0142", True),
        ("grade", "4", None, False),
        ("grade", None, None, True),
    ],
)
def test_same(name: str, value: str | None, typed: str | None, expected: bool) -> None:
    assert values_agree(name, value, typed) is expected


def test_it_is_blind_until_it_is_typed(context: Context, reviewers: Reviewers, drawn) -> None:
    audit_id, _ = drawn
    before = audit_detail(context, reviewers.ana, audit_id)
    assert before.blind and [field.value for field in before.fields] == [None, None]
    assert not type_values(context, reviewers.ana, audit_id, 1, {**RIGHT, "student_name": OTHER})
    after = {field.name: field for field in audit_detail(context, reviewers.ana, audit_id).fields}
    assert (after["student_name"].value, after["student_name"].typed) == (NAME, OTHER)
    assert after["grade"].same and not after["student_name"].same
    assert audit_detail(context, reviewers.ben, audit_id).blind, "somebody else types for themselves"


def test_equal_values_settle_at_once(context: Context, reviewers: Reviewers, drawn) -> None:
    assert type_values(context, reviewers.ana, drawn[0], 1, RIGHT)
    assert status(context) == "settled"
    assert {row.finding for row in fields(context).values()} == {"same"}
    assert audit_queue(context, reviewers.ana).settled == 1


def test_the_auditor_says_who_is_right_and_corrects_the_entry(
    context: Context, reviewers: Reviewers, drawn
) -> None:
    audit_id, entry = drawn
    type_values(context, reviewers.ana, audit_id, 1, {"student_name": OTHER, "grade": None})
    findings = {"student_name": AuditFinding.AUDITOR, "grade": AuditFinding.MACHINE}
    found = settle_audit(context, reviewers.ana, audit_id, 2, findings, ["student_name", "grade"], 1)
    assert (found.wrong, found.refused) == (["student_name"], None)
    with context.database.session() as session:
        assert session.get_one(Submission, entry).student_name == OTHER
        told = session.scalars(select(ReviewEvent.kind)).all()
    assert "edited" in told
    undo_audit(context, reviewers.ana, audit_id)
    with context.database.session() as session:
        assert session.get_one(Submission, entry).student_name == NAME
        assert session.get_one(Submission, entry).status == "completed"
    assert status(context) == "pending"
    assert fields(context)["student_name"].typed == OTHER, "what was typed stays"
    assert fields(context)["student_name"].finding is None


def test_an_entry_that_has_changed_is_not_corrected(context: Context, reviewers: Reviewers, drawn) -> None:
    audit_id, entry = drawn
    type_values(context, reviewers.ana, audit_id, 1, {**RIGHT, "student_name": OTHER})
    edit_record(context, reviewers.ben, entry, 1, {"student_name": "Marisol Q."})
    findings = {"student_name": AuditFinding.AUDITOR}
    found = settle_audit(context, reviewers.ana, audit_id, 2, findings, ["student_name"], 1)
    assert found.refused is not None
    assert status(context) == "settled"
    with context.database.session() as session:
        query = select(SubmissionField.name, SubmissionField.value)
        values = dict(session.execute(query).all())
    assert values["student_name"] == "Marisol Q."


def test_every_difference_wants_a_finding(context: Context, reviewers: Reviewers, drawn) -> None:
    type_values(context, reviewers.ana, drawn[0], 1, {"student_name": OTHER, "grade": "5"})
    with pytest.raises(InvalidInputError):
        settle_audit(context, reviewers.ana, drawn[0], 2, {"student_name": AuditFinding.UNCLEAR})
    with pytest.raises(InvalidInputError):
        settle_audit(
            context, reviewers.ana, drawn[0], 2, dict.fromkeys(("student_name", "grade"), AuditFinding.SAME)
        )
    assert status(context) == "pending"


def test_two_do_not_audit_the_same(context: Context, reviewers: Reviewers, drawn) -> None:
    audit_id, entry = drawn
    assert next_audit(context, reviewers.ben) == (audit_id, entry)
    assert take_hold(context, reviewers.ana, "audit", audit_id).mine
    assert next_audit(context, reviewers.ben) is None
    assert audit_queue(context, reviewers.ben).held == 1
    with pytest.raises(HeldError):
        type_values(context, reviewers.ben, audit_id, 1, RIGHT)
    release_hold(context, reviewers.ana, "audit", audit_id)
    type_values(context, reviewers.ben, audit_id, 1, RIGHT)
    with pytest.raises(ConflictError):
        type_values(context, reviewers.ana, audit_id, 1, RIGHT)
    with pytest.raises(ConflictError):
        undo_audit(context, reviewers.ana, audit_id)


def test_an_audit_is_held_also_where_review_effort_is_measured(
    context: Context, reviewers: Reviewers, drawn
) -> None:
    context.settings = context.settings.model_copy(update={"measure_review_effort": True})
    assert take_hold(context, reviewers.ana, "audit", drawn[0]).mine


def test_nobody_settles_what_another_has_typed(context: Context, reviewers: Reviewers, drawn) -> None:
    type_values(context, reviewers.ana, drawn[0], 1, {**RIGHT, "student_name": OTHER})
    with pytest.raises(ConflictError):
        settle_audit(context, reviewers.ben, drawn[0], 2, {"student_name": AuditFinding.MACHINE})
    assert status(context) == "pending"


def test_typing_again(context: Context, reviewers: Reviewers, drawn) -> None:
    type_values(context, reviewers.ana, drawn[0], 1, {**RIGHT, "student_name": OTHER})
    type_again(context, reviewers.ana, drawn[0], 2)
    assert audit_detail(context, reviewers.ana, drawn[0]).blind
    assert fields(context)["student_name"].typed is None


def test_what_does_not_fit(context: Context, reviewers: Reviewers, drawn) -> None:
    with pytest.raises(InvalidInputError):
        type_values(context, reviewers.ana, drawn[0], 1, {"grade": "room 12"})
    with pytest.raises(InvalidInputError):
        type_values(context, reviewers.ana, drawn[0], 1, {"father": "x"})
    with pytest.raises(NotFoundError):
        audit_detail(context, reviewers.ana, uuid.uuid4())
    with pytest.raises(NotFoundError):
        undo_audit(context, reviewers.ana, uuid.uuid4())
