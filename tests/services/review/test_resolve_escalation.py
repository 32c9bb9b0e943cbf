"""Escalations: settled, rejected, read again; and that a reading again tells what it replaces."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from sqlalchemy import select

from core.config import load_settings
from core.errors import ConflictError, InvalidInputError, NotFoundError
from core.models import Escalation, ReviewDecision, ReviewEvent, Run, Submission
from pipeline.profiles import all_profiles
from services.context import Context
from services.entries.change import edit_record
from services.recovery.kinds import RUNS
from services.recovery.work import take_lease
from services.review.escalations import next_run_options, resolve_escalation
from services.review.item import reading_choices
from services.runs.run import resume_run
from services.runs.settle import settle_run
from tests.services.conftest import Reviewers
from tests.services.review.test_desk_property import reading
from tests.support.review import desk


def test_settling_cleans_and_tells(context: Context, reviewers: Reviewers, escalated: desk.Entry) -> None:
    assert escalated.escalation
    values = {"grade": " 4th ", "teacher_name": "Ms.  Abernathy"}
    assert resolve_escalation(context, reviewers.ana, escalated.escalation.id, 1, "settle", values) == "resolved"
    with context.database.session() as session:
        told = session.execute(
            select(ReviewEvent.field_name, ReviewEvent.after_value).where(ReviewEvent.kind == "edited")
        ).all()
        decision = session.scalars(select(ReviewDecision)).one()
    assert {tuple(row) for row in told} == {("grade", "4"), ("teacher_name", "Ms. Abernathy")}
    assert decision.before["counted"] == {"outcome": "resolved", "reason": "decided_by_person"}
    with pytest.raises(ConflictError, match="resolved by Ana Ruiz"):
        resolve_escalation(context, reviewers.ben, escalated.escalation.id, 1, "reject", {})


def test_what_is_still_missing(context: Context, reviewers: Reviewers, escalated: desk.Entry) -> None:
    assert escalated.escalation
    with pytest.raises(InvalidInputError, match="still missing: Grade"):
        resolve_escalation(context, reviewers.ana, escalated.escalation.id, 1, "settle", {"grade": " "})
    with context.database.session() as session:
        assert session.scalars(select(Escalation.status)).one() == "pending"
        assert session.scalars(select(Submission.version)).one() == 1


def test_reading_again_tells_what_it_replaces(
    context: Context, reviewers: Reviewers, escalated: desk.Entry
) -> None:
    assert escalated.escalation
    entry = escalated.submission.id
    edit_record(context, reviewers.ana, entry, 1, {"student_name": "Marisol Quintero Paz"})
    options = {"ocr_provider": "none", "profile": next(iter(all_profiles()))}
    status = resolve_escalation(
        context, reviewers.ana, escalated.escalation.id, 2, "read_again", {}, options=options
    )
    assert status == "queued"
    runs = context.database.scalars(select(Run).order_by(Run.run_no))
    assert [(run.run_no, run.status) for run in runs] == [(1, "superseded"), (2, "queued")]
    assert runs[1].options == options and runs[1].enqueued_at is not None
    assert not resume_run(context, escalated.escalation.id)
    lease = take_lease(context, RUNS, runs[1].run_id)
    assert lease is not None
    settle_run(context, lease, reading(entry, runs[1].run_id, None))
    with context.database.session() as session:
        told = session.execute(
            select(ReviewEvent.before_value, ReviewEvent.after_value, ReviewEvent.run_no).where(
                ReviewEvent.kind == "read", ReviewEvent.field_name == "student_name"
            )
        ).all()
    assert [tuple(row) for row in told] == [("Marisol Quintero Paz", "Marisol Quintero", 2)]


@pytest.mark.parametrize(
    ("action", "options"),
    [
        ("read_again", {"ocr_provider": "crystal ball"}),
        ("read_again", {"ocr_provider": "google"}),
        ("read_again", {"profile": "none such"}),
        ("read_again", {"pages": "1"}),
        ("ask_model", {}),
    ],
)
def test_what_is_not_to_be_had(
    context: Context, reviewers: Reviewers, escalated: desk.Entry, action: Any, options: dict[str, str]
) -> None:
    assert escalated.escalation
    with pytest.raises(InvalidInputError):
        resolve_escalation(context, reviewers.ana, escalated.escalation.id, 1, action, {}, options=options)
    assert context.database.one(select(Escalation.status)) == "pending"


@pytest.mark.parametrize(
    ("name", "key"), [("groq", {"groq_api_key": "key"}), ("google", {"google_vision_api_key": "key"})]
)
def test_pages_go_to_a_service_only_where_the_settings_name_it(name: str, key: dict[str, str]) -> None:
    """A key alone, as one that was set for the language model, lets no reviewer send pages away."""
    with pytest.raises(InvalidInputError):
        next_run_options(load_settings(_env_file=None, **key), "read_again", {"ocr_provider": name})
    assert name not in reading_choices(load_settings(_env_file=None, **key)).providers
    named = load_settings(_env_file=None, ocr_provider=name, **key)
    assert next_run_options(named, "read_again", {"ocr_provider": name}) == {"ocr_provider": name}
    assert name in reading_choices(named).providers


def test_there_is_none(context: Context, reviewers: Reviewers) -> None:
    with pytest.raises(NotFoundError):
        resolve_escalation(context, reviewers.ana, uuid.uuid4(), 1, "reject", {})


def test_asking_the_model_is_routed_to_it() -> None:
    settings = load_settings(_env_file=None, groq_api_key="key")
    assert next_run_options(settings, "ask_model", {"ocr_provider": ""}) == {"ask_model": True}
