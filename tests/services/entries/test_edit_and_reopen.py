"""Corrections outside of proposals, and entries that wait again."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from core.errors import ConflictError, InvalidInputError, NotFoundError
from core.models import Escalation, ReviewSuggestion, ReviewSuggestionField, Submission, SubmissionField
from services.context import Context
from services.entries.change import edit_record
from services.review.escalations import resolve_escalation
from services.review.undo import reopen_record
from tests.services.conftest import Reviewers
from tests.support.review import desk


def settle(context: Context, reviewers: Reviewers, entry: desk.Entry) -> None:
    assert entry.escalation
    resolve_escalation(context, reviewers.ana, entry.escalation.id, 1, "settle", {"grade": "4"})


def test_an_edited_proposal_goes_on_waiting(context: Context, reviewers: Reviewers, proposal: desk.Entry) -> None:
    entry = proposal.submission.id
    edited = edit_record(context, reviewers.ana, entry, 1, {"school_name": "  Juniper   School "})
    assert (edited.status, edited.version, edited.missing) == ("suggested", 2, ["grade"])
    with context.database.session() as session:
        assert session.scalars(select(ReviewSuggestion.version)).one() == 2
        shown = session.scalars(
            select(ReviewSuggestionField.current_value).where(ReviewSuggestionField.name == "school_name")
        ).one()
    assert shown == "Juniper School"
    with pytest.raises(ConflictError, match="Value changed by Ana Ruiz"):
        edit_record(context, reviewers.ben, entry, 1, {"grade": "4"})


def test_an_essay_brings_its_count(context: Context, reviewers: Reviewers, escalated: desk.Entry) -> None:
    edited = edit_record(context, reviewers.ana, escalated.submission.id, 1, {"essay_text": "Too few words."})
    assert "essay_text" in edited.missing
    with context.database.session() as session:
        count = select(SubmissionField.value).where(SubmissionField.name == "word_count")
        assert session.scalars(count).one() == "3"
        assert session.scalars(select(Submission.word_count)).one() == 3
        assert session.scalars(select(Escalation.version)).one() == 2


def test_a_settled_entry_that_loses_a_value_waits(
    context: Context, reviewers: Reviewers, escalated: desk.Entry
) -> None:
    settle(context, reviewers, escalated)
    edited = edit_record(context, reviewers.ana, escalated.submission.id, 2, {"grade": ""})
    assert (edited.status, edited.missing) == ("escalated", ["grade"])
    assert context.database.scalars(select(Escalation.status)) == ["pending"]


@pytest.mark.parametrize("values", [{}, {"shoe_size": "40"}, {"grade": "13"}, {"student_name": "n" * 301}])
def test_what_does_not_fit(
    context: Context, reviewers: Reviewers, escalated: desk.Entry, values: dict[str, str]
) -> None:
    with pytest.raises(InvalidInputError):
        edit_record(context, reviewers.ana, escalated.submission.id, 1, values)


@pytest.mark.parametrize("action", ["settle", "reject"])
def test_a_settled_entry_waits_again(
    context: Context, reviewers: Reviewers, escalated: desk.Entry, action: str
) -> None:
    assert escalated.escalation
    entry = escalated.submission.id
    if action == "settle":
        settle(context, reviewers, escalated)
    else:
        resolve_escalation(context, reviewers.ana, escalated.escalation.id, 1, "reject", {})
    waiting = reopen_record(context, reviewers.ben, entry, 2, "the wrong child")
    assert waiting == escalated.escalation.id
    found = context.database.get_one(Submission, entry)
    assert (found.status, found.version, found.needs_review) == ("escalated", 3, True)
    with pytest.raises(ConflictError, match="Reopened by Ben Okoro"):
        reopen_record(context, reviewers.ana, entry, 2)
    with pytest.raises(ConflictError, match="not settled"):
        reopen_record(context, reviewers.ana, entry, 3)


def test_there_is_none(context: Context, reviewers: Reviewers) -> None:
    with pytest.raises(NotFoundError):
        reopen_record(context, reviewers.ana, reviewers.ana, 1)
