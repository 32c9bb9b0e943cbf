"""Undo: everything as it was, told, once, and only while nothing else has happened."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from sqlalchemy import select

from core.errors import ConflictError, NotFoundError
from core.models import (
    Escalation,
    OrchestratorCount,
    ReviewEvent,
    ReviewSuggestion,
    ReviewSuggestionField,
    Run,
    Submission,
    SubmissionField,
)
from services.context import Context
from services.entries.change import edit_record
from services.items.holds import take_hold
from services.review.decisions import FieldAnswer, decide_suggestion
from services.review.escalations import resolve_escalation
from services.review.undo import last_decision, reopen_record, undo_decision
from services.runs.run import resume_run
from tests.services.conftest import Reviewers
from tests.support import factories
from tests.support.review import desk

#: Raised by every change; undo raises them too.
VERSIONS = {"version", "updated_at"}


def picture(context: Context) -> list[dict[str, Any]]:
    """All that a decision touches, but for versions."""
    with context.database.session() as session:
        return [
            {name: getattr(row, name) for name in row.__mapper__.columns.keys() if name not in VERSIONS}  # noqa: SIM118
            for model in (Submission, SubmissionField, ReviewSuggestion, ReviewSuggestionField, Escalation, Run)
            for row in session.scalars(select(model).order_by(*model.__mapper__.primary_key))
        ]


def counted(context: Context) -> int:
    with context.database.session() as session:
        of_day = (OrchestratorCount.scope == "day") & (OrchestratorCount.kind == "by_person")
        return int(sum(session.scalars(select(OrchestratorCount.number).where(of_day))))


def test_a_proposal_waits_again(context: Context, reviewers: Reviewers, proposal: desk.Entry) -> None:
    assert proposal.suggestion
    with context.database.session() as session:
        factories.make_fact(session, session.scalars(select(Run)).one())
    before = picture(context)
    answers = {"grade": FieldAnswer("edit", " 5 "), "school_name": FieldAnswer("approve")}
    decided = decide_suggestion(context, reviewers.ana, proposal.suggestion.id, 1, answers)
    assert decided.status == "resolved" and counted(context) == 1
    undone = undo_decision(context, reviewers.ben, decided.decision_id)
    assert (undone.submission_id, undone.kind, undone.item_id) == (
        proposal.submission.id,
        "suggestion",
        proposal.suggestion.id,
    )
    assert picture(context) == before and counted(context) == 0
    with context.database.session() as session:
        told = session.execute(
            select(ReviewEvent.field_name, ReviewEvent.before_value, ReviewEvent.after_value)
            .where(ReviewEvent.kind == "undone")
            .order_by(ReviewEvent.field_name)
        ).all()
    assert [tuple(row) for row in told] == [
        ("grade", "5", None),
        ("school_name", "Lakeview Elementary", "Lakeview Elementary School"),
        (None, "resolved", "suggested"),
    ]
    with pytest.raises(ConflictError, match="undone by Ben Okoro"):
        undo_decision(context, reviewers.ana, decided.decision_id)
    with pytest.raises(ConflictError, match="changed since"):
        decide_suggestion(context, reviewers.ana, proposal.suggestion.id, 1, answers)


def test_an_escalation_that_a_decision_made_is_superseded(
    context: Context, reviewers: Reviewers, proposal: desk.Entry
) -> None:
    assert proposal.suggestion
    decided = decide_suggestion(context, reviewers.ana, proposal.suggestion.id, 1, {})
    assert decided.status == "escalated"
    undo_decision(context, reviewers.ana, decided.decision_id)
    again = decide_suggestion(context, reviewers.ana, proposal.suggestion.id, 3, {})
    assert again.status == "escalated"
    assert context.database.scalars(select(Escalation.status)) == ["pending"]


@pytest.mark.parametrize("resumed", [False, True])
def test_an_escalation_waits_again(
    context: Context, reviewers: Reviewers, escalated: desk.Entry, resumed: bool
) -> None:
    assert escalated.escalation
    before = picture(context)
    resolve_escalation(context, reviewers.ana, escalated.escalation.id, 1, "settle", {"grade": "4"})
    if resumed:
        assert resume_run(context, escalated.escalation.id)
    undo_decision(context, reviewers.ana, last(context, reviewers.ana))
    after = picture(context)
    for row in (*before, *after):
        # How often the run was begun, and when, is no part of the decision.
        for name in ("attempts", "started_at"):
            row.pop(name, None)
    assert after == before
    assert not resume_run(context, escalated.escalation.id), "there is nothing to carry out"
    resolve_escalation(context, reviewers.ben, escalated.escalation.id, 3, "reject", {})
    assert resume_run(context, escalated.escalation.id)
    run = context.database.one(select(Run))
    assert (run.status, run.outcome) == ("settled", "rejected")


def test_one_after_the_other(context: Context, reviewers: Reviewers, proposal: desk.Entry) -> None:
    """Each decision can be undone once those after it are."""
    assert proposal.suggestion
    entry = proposal.submission.id
    edited = edit_record(context, reviewers.ana, entry, 1, {"student_name": "Marisol Paz"})
    answers = dict.fromkeys(("grade", "school_name"), FieldAnswer("approve"))
    decided = decide_suggestion(context, reviewers.ana, proposal.suggestion.id, 1, answers)
    reopen_record(context, reviewers.ana, entry, edited.version + 1)
    with pytest.raises(ConflictError, match="Reopened by Ana Ruiz"):
        undo_decision(context, reviewers.ana, decided.decision_id)
    for _ in range(3):
        undo_decision(context, reviewers.ana, last(context, reviewers.ana, entry))
    assert last_decision(context, reviewers.ana) is None
    found = context.database.get_one(Submission, entry)
    assert (found.student_name, found.grade, found.status) == ("Marisol Quintero", None, "suggested")


def test_not_while_somebody_has_it_open(context: Context, reviewers: Reviewers, proposal: desk.Entry) -> None:
    assert proposal.suggestion
    decide_suggestion(context, reviewers.ana, proposal.suggestion.id, 1, {})
    escalation = context.database.one(select(Escalation.id))
    take_hold(context, reviewers.ben, "escalation", escalation)
    with pytest.raises(ConflictError, match="Ben Okoro"):
        undo_decision(context, reviewers.ana, last(context, reviewers.ana))


def test_there_is_none(context: Context, reviewers: Reviewers) -> None:
    assert last_decision(context, reviewers.ana) is None
    with pytest.raises(NotFoundError):
        undo_decision(context, reviewers.ana, uuid.uuid4())


def last(context: Context, who: uuid.UUID, entry: uuid.UUID | None = None) -> uuid.UUID:
    found = last_decision(context, who, entry)
    assert found is not None
    return found
