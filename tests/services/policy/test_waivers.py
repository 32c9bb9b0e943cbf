"""Complete as it is: who may accept what, what is told of it, and that it holds afterwards."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select, update

from core.errors import ForbiddenError, InvalidInputError
from core.models import Escalation, Profile, ReviewEvent, Season, Submission, SubmissionField
from pipeline.supabase_db import get_record_by_id
from pipeline.validate import can_approve_record
from pipeline.validation.certainty import waivable
from pipeline.validation.policy import Policy, WaivedBy
from services.accounts.person import Role
from services.context import Context
from services.entries.change import edit_record, may_waive
from services.review.decisions import FieldAnswer, decide_suggestion
from services.review.escalations import resolve_escalation
from services.review.undo import last_decision, reopen_record, undo_decision
from tests.services.conftest import Reviewers
from tests.support.review import desk

WHY = "The child is in kindergarten."
SHORT = " ".join(desk.ESSAY.split()[:36])


@pytest.fixture
def short(context: Context) -> desk.Entry:
    """An essay of 36 words; nothing else is missing."""
    with context.database.session() as session:
        entry = desk.make_escalated(
            context, session, grade="4", missing_fields=["essay_text"], review_reason_codes=["SHORT_ESSAY"]
        )
        for name, value in {"essay_text": SHORT, "word_count": "36"}.items():
            session.execute(update(SubmissionField).where(SubmissionField.name == name).values(value=value))
        session.execute(update(Submission).values(word_count=36))
    return entry


def settle(context: Context, who: Any, entry: desk.Entry, **given: Any) -> str:
    assert entry.escalation
    return resolve_escalation(context, who, entry.escalation.id, 1, "settle", {}, **given)


def rule(context: Context, **policy: Any) -> None:
    context.database.execute(update(Season).values(policy=policy))


def test_a_short_essay_is_settled_with_a_reason(context: Context, reviewers: Reviewers, short: desk.Entry) -> None:
    with pytest.raises(InvalidInputError, match="enter a reason"):
        settle(context, reviewers.ana, short, waived=["essay_text"], reason="  ")
    assert settle(context, reviewers.ana, short, waived=["essay_text"], reason=WHY) == "resolved"
    with context.database.session() as session:
        found = session.scalars(select(Submission)).one()
        record = get_record_by_id(session, found.id)
        told = session.scalars(select(ReviewEvent).where(ReviewEvent.kind == "waived")).one()
    assert (found.waived, found.missing_fields, found.review_reason_codes) == (["essay_text"], [], [])
    assert can_approve_record(record, Policy()) == (True, [])
    assert (told.field_name, told.reason, told.actor_id) == ("essay_text", WHY, reviewers.ana)
    reopen_record(context, reviewers.ana, found.id, found.version)
    assert context.database.one(select(Submission.missing_fields)) == []


def test_an_essay_that_is_emptied_is_missing(context: Context, reviewers: Reviewers, short: desk.Entry) -> None:
    settle(context, reviewers.ana, short, waived=["essay_text"], reason=WHY)
    assert edit_record(context, reviewers.ana, short.submission.id, 2, {"essay_text": ""}).missing == [
        "essay_text"
    ]


def test_undo_takes_it_back(context: Context, reviewers: Reviewers, short: desk.Entry) -> None:
    settle(context, reviewers.ana, short, waived=["essay_text"], reason=WHY)
    decision = last_decision(context, reviewers.ana)
    assert decision is not None
    undo_decision(context, reviewers.ana, decision)
    with context.database.session() as session:
        found = session.scalars(select(Submission)).one()
        assert session.scalars(select(Escalation.status)).one() == "pending"
    assert (found.waived, found.missing_fields) == ([], ["essay_text"])


def test_with_a_proposal(context: Context, reviewers: Reviewers, proposal: desk.Entry) -> None:
    """A required field that the season lets stay empty is accepted with the decision on the others."""
    rule(context, may_stay_empty=["grade"])
    assert proposal.suggestion
    decided = decide_suggestion(
        context,
        reviewers.ana,
        proposal.suggestion.id,
        1,
        {"school_name": FieldAnswer("approve")},
        "This form asks for none.",
        waived=["grade"],
    )
    assert (decided.status, decided.missing) == ("resolved", [])
    undo_decision(context, reviewers.ana, decided.decision_id)
    found = context.database.one(select(Submission))
    assert (found.status, found.waived, found.missing_fields) == ("suggested", [], ["grade"])


def test_what_cannot_be_accepted(context: Context, reviewers: Reviewers, escalated: desk.Entry) -> None:
    with pytest.raises(InvalidInputError, match="cannot be accepted as it is: Grade"):
        settle(context, reviewers.ana, escalated, waived=["grade"], reason=WHY)
    with context.database.session() as session:
        assert session.scalars(select(Submission.waived)).one() == []
        assert session.scalars(select(Escalation.status)).one() == "pending"


def test_who_may(context: Context, reviewers: Reviewers, short: desk.Entry) -> None:
    rule(context, waived_by="admins")
    with pytest.raises(ForbiddenError, match="rules of this season"):
        settle(context, reviewers.ana, short, waived=["essay_text"], reason=WHY)
    context.database.execute(update(Profile).where(Profile.id == reviewers.ana).values(role="admin"))
    assert settle(context, reviewers.ana, short, waived=["essay_text"], reason=WHY) == "resolved"


@pytest.mark.parametrize(
    ("rule", "roles"),
    [(WaivedBy.NOBODY, set()), (WaivedBy.ADMINS, {Role.ADMIN}), (WaivedBy.REVIEWERS, {Role.ADMIN, Role.REVIEWER})],
)
def test_roles(rule: WaivedBy, roles: set[Role]) -> None:
    assert {role for role in Role if may_waive(Policy(waived_by=rule), role)} == roles


def test_what_may_be_accepted(context: Context, short: desk.Entry) -> None:
    with context.database.session() as session:
        record = get_record_by_id(session, short.submission.id)
    assert waivable(record, Policy()) == ("essay_text",)
    bare = record.model_copy(update={"essay_text": None, "word_count": 0, "grade": None})
    assert waivable(bare, Policy()) == ()
    assert waivable(bare, Policy(may_stay_empty=("grade", "essay_text"))) == ("grade",)
