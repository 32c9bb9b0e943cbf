"""What a change would do to the entries that were read: as reading them again would count."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import update

from core.errors import InvalidInputError, NotFoundError
from core.models import PolicyChange, Season
from pipeline.orchestrator.decisions import recorded_reading
from pipeline.orchestrator_routing import route_after_pipeline
from pipeline.pages.page_model import Source
from pipeline.schema import Agreement, SecondReading, SubmissionRecord
from pipeline.validation.policy import Policy
from services.context import Context
from services.policy import PastReading, compare_policies, preview_policy
from tests.pipeline.orchestrator.test_recorded import BOTH, ONE, after_reading, logged, policies, records
from tests.support import factories
from tests.support.long import examples
from tests.support.reading.orchestration import entry, read


@given(
    raw=st.lists(st.tuples(records(), st.booleans()), max_size=8), then=policies, before=policies, after=policies
)
@settings(max_examples=examples(40, 1000), deadline=None)
def test_the_counts_are_those_of_reading_everything_again(
    raw: list[tuple[dict[str, Any], bool]], then: Policy, before: Policy, after: Policy
) -> None:
    past = [
        PastReading(uuid.uuid4(), "", None, recorded_reading(logged(one, then), None, then), held)
        for one, held in raw
    ]

    def way(one: dict[str, Any], held: bool, policy: Policy) -> str:
        rules = policy.model_copy(update={"auto_complete": False}) if held else policy
        return route_after_pipeline(after_reading(one, rules), rules)

    both = [(way(one, held, before), way(one, held, after)) for one, held in raw]
    found = compare_policies(past, before, after)
    assert sorted(found.routes.elements()) == sorted(both)
    assert [(one.before, one.after) for one in found.changed] == [ways for ways in both if ways[0] != ways[1]]
    assert (found.checked, found.unchecked) == (len(raw), 0)
    assert found.completed_before == sum(ways[0] == "complete" for ways in both)
    assert found.completed_after == sum(ways[1] == "complete" for ways in both)


def add(context: Context, record: SubmissionRecord, run: dict[str, Any] | None = None, **values: Any) -> uuid.UUID:
    """An entry that was read like this, by the rules of the settings."""
    with context.database.session() as session:
        submission = factories.make_submission(session, **{"status": "completed", **values})
        row = factories.make_run(session, submission, **(run or {}))
        factories.make_log(session, row, trace_json=logged(record, Policy()))
        return submission.id


@pytest.fixture
def season_id(context: Context) -> uuid.UUID:
    with context.database.session() as session:
        return factories.make_season(session).id


def test_the_entries_that_would_go_another_way(context: Context, season_id: uuid.UUID) -> None:
    surest = entry()
    less_sure = entry(student_name=read("Marisol Vega", 0.95))
    add(context, surest)
    changes = add(context, less_sure)
    add(context, less_sure, {"reopened": True}, status="suggested")
    add(context, less_sure, {"status": "superseded"})
    add(context, less_sure, status="superseded")
    with context.database.session() as session:
        factories.make_log(session, trace_json=None)
    found, after = preview_policy(context, season_id, {"complete_confidence": "0.98"})
    assert after == {"complete_confidence": 0.98}
    assert (found.checked, found.unchecked, found.completed_before, found.completed_after) == (3, 1, 2, 1)
    assert [(one.submission_id, one.before, one.after) for one in found.changed] == [
        (changes, "complete", "review")
    ]


def test_required_fields_and_words(context: Context, season_id: uuid.UUID) -> None:
    add(context, entry())
    add(context, entry(phone=read("555-0142")))
    required = {"default_required": ["student_name", "school_name", "grade", "essay_text", "phone"]}
    found, _ = preview_policy(context, season_id, required)
    assert (found.completed_before, found.completed_after, len(found.changed)) == (2, 1, 1)
    words, _ = preview_policy(context, season_id, {"min_essay_words": 500})
    assert (words.completed_after, len(words.changed)) == (0, 2)


def test_what_agreement_of_two_readers_completed(context: Context, season_id: uuid.UUID) -> None:
    """It is counted from the step of the second reader; the first reading alone left the entry to a person."""
    first = entry(student_name=read("Marisol Vega", 0.7, Source.OCR))
    agreements = {Agreement.AGREE: "complete", Agreement.DIFFER: "review"}
    for agreement in agreements:
        reading = first.readings["student_name"].model_copy(update={"second": SecondReading(agreement=agreement)})
        seen = first.model_copy(update={"readings": {**first.readings, "student_name": reading}})
        with context.database.session() as session:
            row = factories.make_run(session, factories.make_submission(session, status="completed"))
            factories.make_log(session, row, trace_json=logged(first, Policy()), tools_used=ONE)
            looked = {"step": 2, "action_taken": "second_reader", "tools_used": BOTH}
            factories.make_log(session, row, trace_json=logged(seen, Policy()), **looked)
    off, _ = preview_policy(context, season_id, {"agreed_completes": "false"})
    assert (off.checked, off.completed_before, off.completed_after) == (2, 1, 0)
    assert [(one.before, one.after) for one in off.changed] == [("complete", "review")]
    context.database.execute(update(Season).values(policy={"agreed_completes": False}))
    on, _ = preview_policy(context, season_id, {"agreed_completes": "true"})
    assert (on.completed_before, on.completed_after) == (0, 1)


def test_the_newest_of_many(context: Context, season_id: uuid.UUID) -> None:
    for _ in range(3):
        add(context, entry())
    found, _ = preview_policy(context, season_id, {"auto_complete": False}, last=2)
    assert (found.checked, found.completed_after) == (2, 0)


def test_nothing_is_written_and_nonsense_is_refused(context: Context, season_id: uuid.UUID) -> None:
    assert preview_policy(context, season_id, {"min_essay_words": 3})[0].checked == 0
    with context.database.session() as session:
        assert session.query(PolicyChange).count() == 0
    with pytest.raises(InvalidInputError):
        preview_policy(context, season_id, {"complete_confidence": 7})
    with pytest.raises(NotFoundError):
        preview_policy(context, uuid.uuid4(), {})
