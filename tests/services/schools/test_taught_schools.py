"""Settled entries teach how schools are written, as long as they are settled."""

from __future__ import annotations

import pytest

from core.models import Submission
from lab.bench.statements import listed
from pipeline.schema import SubmissionRecord
from pipeline.validate import validate_record
from pipeline.validation.policy import Policy
from services.context import Context
from services.entries.change import edit_record
from services.recovery.kinds import RUNS
from services.recovery.work import take_lease
from services.review.decisions import FieldAnswer, decide_suggestion
from services.review.escalations import resolve_escalation
from services.review.undo import last_decision, reopen_record, undo_decision
from services.runs.run import run_context
from services.schools import add_school
from services.seasons import TaughtSchool, current_season, season_policy, taught_schools
from tests.services.conftest import Reviewers
from tests.support import factories
from tests.support.review import desk


def settled(context: Context, school: str, status: str = "completed") -> None:
    """An entry that the machine completed."""
    with context.database.session() as session:
        entry: Submission = factories.make_submission(session, status=status, school_name=school)
        factories.make_field(session, entry, name="school_name", value=school)


def taught(context: Context) -> list[TaughtSchool]:
    with context.database.session() as session:
        return taught_schools(session, current_season(session).id)


def policy(context: Context) -> Policy:
    with context.database.session() as session:
        return season_policy(session, current_season(session).id, context.settings)


def test_two_completed_entries_make_a_school_known(context: Context) -> None:
    settled(context, "Foxglove School")
    assert taught(context) == [TaughtSchool("Foxglove School", 1, by_person=False)]
    assert policy(context).schools == {}
    settled(context, "Foxglove  SCHOOL")
    settled(context, "Foxglove School")
    assert taught(context) == [TaughtSchool("Foxglove School", 3, by_person=False)]
    assert policy(context).schools == {"Foxglove School": []}


@pytest.mark.parametrize("status", ["suggested", "escalated", "rejected", "superseded", "failed"])
def test_what_is_not_settled_teaches_nothing(context: Context, status: str) -> None:
    settled(context, "Foxglove School", status)
    settled(context, "Foxglove School", status)
    assert taught(context) == []


def test_one_decision_of_a_person_is_enough_until_it_is_undone(
    context: Context, reviewers: Reviewers, proposal: desk.Entry
) -> None:
    assert proposal.suggestion
    answers = {"grade": FieldAnswer("edit", "5"), "school_name": FieldAnswer("edit", "Foxglove School")}
    decided = decide_suggestion(context, reviewers.ana, proposal.suggestion.id, 1, answers)
    assert taught(context) == [TaughtSchool("Foxglove School", 1, by_person=True)]
    assert policy(context).schools == {"Foxglove School": []}
    undo_decision(context, reviewers.ana, decided.decision_id)
    assert taught(context) == [] and policy(context).schools == {}


def test_a_person_who_did_not_touch_the_school_has_not_decided_it(
    context: Context, reviewers: Reviewers, escalated: desk.Entry
) -> None:
    assert escalated.escalation
    resolve_escalation(context, reviewers.ana, escalated.escalation.id, 1, "settle", {"grade": "4"})
    [only] = taught(context)
    assert (only.settled, only.by_person, only.counts) == (1, False, False)


def test_a_correction_moves_what_was_taught_and_undo_moves_it_back(
    context: Context, reviewers: Reviewers, escalated: desk.Entry
) -> None:
    assert escalated.escalation
    values = {"grade": "4", "school_name": "Foxglove School"}
    resolve_escalation(context, reviewers.ana, escalated.escalation.id, 1, "settle", values)
    version = context.database.get_one(Submission, escalated.submission.id).version
    edited = edit_record(
        context, reviewers.ana, escalated.submission.id, version, {"school_name": "Quail Run School"}
    )
    assert [one.name for one in taught(context)] == ["Quail Run School"]
    undo_decision(context, reviewers.ana, edited.decision_id)
    assert [one.name for one in taught(context)] == ["Foxglove School"]
    version = context.database.get_one(Submission, escalated.submission.id).version
    reopen_record(context, reviewers.ana, escalated.submission.id, version)
    assert taught(context) == []
    last = last_decision(context, reviewers.ana)
    assert last
    undo_decision(context, reviewers.ana, last)
    assert [one.name for one in taught(context)] == ["Foxglove School"]


def test_a_taught_school_is_not_unknown_and_without_a_list_none_is(context: Context) -> None:
    record = SubmissionRecord(submission_id="s", school_name="Foxglove School", readings={})
    for _ in range(2):
        settled(context, "Quail Run School")
    assert "UNKNOWN_SCHOOL" not in validate_record(record, policy(context))[0].review_reason_codes
    add_school(context, "Juniper Hill School")
    assert "UNKNOWN_SCHOOL" in validate_record(record, policy(context))[0].review_reason_codes
    for _ in range(2):
        settled(context, "Foxglove School")
    assert "UNKNOWN_SCHOOL" not in validate_record(record, policy(context))[0].review_reason_codes


@pytest.mark.parametrize(("times", "is_unknown"), [(0, True), (2, False)])
def test_a_decision_asks_what_was_taught_of_a_school_that_is_not_on_the_list(
    context: Context, reviewers: Reviewers, escalated: desk.Entry, times: int, is_unknown: bool
) -> None:
    add_school(context, "Quail Run School")
    school = context.database.get_one(Submission, escalated.submission.id).school_name
    assert escalated.escalation and school
    for _ in range(times):
        settled(context, school)
    resolve_escalation(context, reviewers.ana, escalated.escalation.id, 1, "settle", {"grade": "4"})
    codes = context.database.get_one(Submission, escalated.submission.id).review_reason_codes
    assert ("UNKNOWN_SCHOOL" in codes) is is_unknown


def test_a_taught_spelling_of_a_listed_school_is_no_school_of_its_own(context: Context) -> None:
    add_school(context, "Juniper Hill Elementary School")
    for school in ("Janiper Hill Elem", "Juniper Hill Elementary School", "juniper hill elementary school"):
        for _ in range(2):
            settled(context, school)
    assert policy(context).schools == {"Juniper Hill Elementary School": ["Janiper Hill Elem"]}


def test_a_run_reads_with_what_was_taught(context: Context) -> None:
    for _ in range(2):
        settled(context, "Foxglove School")
    with context.database.session() as session:
        entry: Submission = factories.make_submission(session, status="queued")
        run_id = factories.make_run(session, entry, status="queued").run_id
    lease = take_lease(context, RUNS, run_id)
    assert lease
    known = run_context(context, lease)
    assert known.policy.schools == {"Foxglove School": []}


def test_another_season_learns_nothing(context: Context) -> None:
    for _ in range(2):
        settled(context, "Foxglove School")
    with context.database.session() as session:
        other = factories.make_season(session, name="Next season")
        assert taught_schools(session, other.id) == []


def test_they_are_not_counted_anew_each_time(context: Context) -> None:
    with context.database.session() as session:
        season_id = factories.make_submission(session, school_name="Juniper", status="resolved").season_id
        factories.make_submission(session, school_name="Juniper", status="completed")
        other = factories.make_submission(session, school_name="Ashgrove", status="completed")
        with listed(context.database.engine) as statements:
            of_all = taught_schools(session, season_id)
            but_batch = taught_schools(session, season_id, other.batch_id)
    assert [(one.name, one.settled) for one in of_all] == [("Juniper", 2), ("Ashgrove", 1)]
    assert [one.name for one in but_batch] == ["Juniper"]
    counted = [one for one in statements if "count(" in one and "FROM submissions" in one]
    assert len(counted) == 1 and "batch_id" in counted[0], "only the entries of the batch are counted"
