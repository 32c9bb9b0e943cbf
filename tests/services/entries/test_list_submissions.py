from __future__ import annotations

import pytest
from sqlalchemy import text

from core.models import Profile
from lab.bench.statements import listed
from services.accounts.person import person_of
from services.context import Context
from services.entries import listing as module
from services.entries.listing import FilterCount, SubmissionFilter, count_found, list_submissions
from tests.support import factories


@pytest.fixture
def reviewer(context: Context) -> Profile:
    """Somebody who sees all of three entries, one of which is not shown to its neighbours."""
    with context.database.session() as session:
        upload = factories.make_upload(session)
        rows = (
            {"student_name": "María López", "school_name": "Lakeview", "grade": "4", "status": "completed"},
            {"student_name": "Theo Okafor", "school_name": "Juniper", "grade": "K", "status": "failed"},
            {"student_name": None, "review_reason_codes": ["MISSING_STUDENT_NAME"], "status": "escalated"},
        )
        for number, row in enumerate(rows):
            factories.make_submission(session, upload, chunk_index=number, **row)
        return factories.make_profile(session, "reviewer")


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        (SubmissionFilter(status="failed"), {"Theo Okafor"}),
        (SubmissionFilter(reason="MISSING_STUDENT_NAME"), {None}),
        (SubmissionFilter(school="Lakeview"), {"María López"}),
        (SubmissionFilter(grade="K"), {"Theo Okafor"}),
        (SubmissionFilter(needs_review=False), {"María López"}),
        (SubmissionFilter(needs_review=True), {"Theo Okafor", None}),
        (SubmissionFilter(text="lóp mar"), {"María López"}),
        (SubmissionFilter(text="JUNI"), {"Theo Okafor"}),
        (SubmissionFilter(text="' | & !"), {"María López", "Theo Okafor", None}),
        (SubmissionFilter(text="lopez okafor"), set()),
    ],
)
def test_filters(context: Context, reviewer: Profile, wanted: SubmissionFilter, names: set[str | None]) -> None:
    found = list_submissions(context, person_of(reviewer), wanted)
    assert {row.student_name for row in found.rows} == names


def test_of_one_batch(context: Context, reviewer: Profile) -> None:
    with context.database.session() as session:
        other = factories.make_submission(session, student_name="Ana Ruiz")
    found = list_submissions(context, person_of(reviewer), SubmissionFilter(batch_id=other.batch_id))
    assert [row.student_name for row in found.rows] == ["Ana Ruiz"]


def test_an_uploader_sees_their_own(context: Context, reviewer: Profile) -> None:
    with context.database.session() as session:
        own = factories.make_profile(session, "uploader")
        upload = factories.make_upload(session, factories.make_batch(session, own))
        factories.make_submission(session, upload, student_name="Ana Ruiz")
    found = list_submissions(context, person_of(own), SubmissionFilter())
    assert [row.student_name for row in found.rows] == ["Ana Ruiz"]


def test_other_seasons_are_left_out(context: Context, reviewer: Profile) -> None:
    with context.database.session() as session:
        season = factories.make_season(session, name="Last year", is_current=False)
        batch = factories.make_batch(session)
        batch.season_id = season.id
        factories.make_submission(session, factories.make_upload(session, batch), student_name="Old Entry")
    names = {row.student_name for row in list_submissions(context, person_of(reviewer), SubmissionFilter()).rows}
    assert "Old Entry" not in names


def test_a_season_that_is_asked_for(context: Context, reviewer: Profile) -> None:
    with context.database.session() as session:
        last = factories.make_season(session, name="Last year", is_current=False)
        batch = factories.make_batch(session)
        batch.season_id = last.id
        factories.make_submission(session, factories.make_upload(session, batch), student_name="Old Entry")
    found = list_submissions(context, person_of(reviewer), SubmissionFilter(), season_id=last.id)
    assert [row.student_name for row in found.rows] == ["Old Entry"]
    assert count_found(context, person_of(reviewer), SubmissionFilter(), last.id) == FilterCount(1)


def test_the_number_found_is_counted_no_further_than_matters(
    context: Context, reviewer: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert count_found(context, person_of(reviewer), SubmissionFilter()) == FilterCount(3)
    assert count_found(context, person_of(reviewer), SubmissionFilter(grade="K")) == FilterCount(1)
    monkeypatch.setattr(module, "MOST_COUNTED", 2)
    assert count_found(context, person_of(reviewer), SubmissionFilter()) == FilterCount(2, more=True)


def test_counting_ends_when_it_takes_long(
    context: Context, reviewer: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = text("set local statement_timeout = 1; select pg_sleep(1)")
    monkeypatch.setattr(module, "_COUNTED_WITHIN", slow)
    assert count_found(context, person_of(reviewer), SubmissionFilter()) is None


def test_few_queries_and_none_that_counts(context: Context, reviewer: Profile) -> None:
    with listed(context.database.engine) as seen:
        list_submissions(context, person_of(reviewer), SubmissionFilter())
    assert len(seen) == 2
    assert not any("count(" in statement.lower() or "distinct" in statement.lower() for statement in seen)
