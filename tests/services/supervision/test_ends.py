"""How loops end, over a model that misbehaves, budgets that run out, and people who stop them."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import select

from core.config import load_settings
from core.errors import ConflictError, NotFailedError, StorageError
from core.models import Report, ReportClaim, ReportRevision, ReportSupervision
from research.supervision.types import ExaminedCode
from services.context import Context
from services.supervision.request import cancel_supervision, retry_supervision, start_supervision
from services.supervision.run import fail_supervision, run_supervision
from tests.support.moments import watching
from tests.support.research.research_library import put_papers
from tests.support.research.theory_library import THEORY_PAPERS
from tests.support.servers.groq_server import refusal
from tests.support.servers.supervising_model import SupervisingModel, unusable
from tests.support.site import tidy_context


@pytest.fixture
def model() -> Iterator[SupervisingModel]:
    with SupervisingModel() as server:
        yield server


@pytest.fixture
def context(chosen: dict[str, Any], model: SupervisingModel) -> Iterator[Context]:
    settings = load_settings(
        **chosen,
        groq_api_key=model.key,
        groq_base_url=model.url,
        llm_max_attempts=1,
        llm_price_in=1.0,
        llm_price_out=2.0,
    )
    with tidy_context(settings) as opened:
        opened.redis.flushdb()
        put_papers(opened.database, THEORY_PAPERS)
        yield opened


def ran(context: Context, officer: uuid.UUID, report_id: uuid.UUID, **values: Any) -> ReportSupervision:
    given = {"tier": "comprehensive", "mode": "automatic", **values}
    supervision_id = start_supervision(context, officer, report_id, **given)
    assert run_supervision(context, supervision_id)
    return of(context, supervision_id)


def of(context: Context, supervision_id: uuid.UUID) -> ReportSupervision:
    return context.database.get_one(ReportSupervision, supervision_id)


def revisions(context: Context, row: ReportSupervision) -> list[ReportRevision]:
    return list(
        context.database.scalars(
            select(ReportRevision)
            .where(ReportRevision.supervision_id == row.id)
            .order_by(ReportRevision.iteration)
        )
    )


def current(context: Context, report_id: uuid.UUID) -> int | None:
    return context.database.get_one(Report, report_id).current_version


def test_a_model_that_finds_nothing_more_approves(
    context: Context, model: SupervisingModel, officer: uuid.UUID, report_id: uuid.UUID
) -> None:
    row = ran(context, officer, report_id)
    assert (row.status, row.ended_because, row.iterations, row.integrations) == ("done", "approved", 2, 2)
    assert not model.faults
    assert row.spent["calls"] == len(model.requests)
    by_attempt = [one.spent["calls"] for one in revisions(context, row)]
    assert (row.reasoning, round(row.confidence or 0, 2)) == ("It stands.", 0.8)
    assert [(one.reasoning, round(one.confidence or 0, 2)) for one in revisions(context, row)] == [
        ("A gap.", 0.9)
    ] * 2
    assert all(by_attempt) and sum(by_attempt) == len(model.requests) - 1, "the last look is nobody's attempt"
    assert set(context.database.scalars(select(ReportClaim.status))) == {"verified"}


def test_at_once_approved_is_no_attempt(
    context: Context, model: SupervisingModel, officer: uuid.UUID, report_id: uuid.UUID
) -> None:
    model.topics.clear()
    row = ran(context, officer, report_id)
    assert (row.ended_because, row.iterations, row.integrations, row.last_version) == ("approved", 0, 0, 1)
    assert len(model.requests) == 1


def test_research_wanted_and_no_issue_named(
    context: Context, model: SupervisingModel, officer: uuid.UUID, report_id: uuid.UUID
) -> None:
    model.instead["Analysis"] = unusable()
    row = ran(context, officer, report_id)
    assert (row.status, row.ended_because) == ("failed", "invalid_decision")
    assert len(model.requests) == 2, "it was asked to mend it once"
    assert current(context, report_id) == 1


def test_two_failures_in_a_row_break_the_circuit(
    context: Context, model: SupervisingModel, officer: uuid.UUID, report_id: uuid.UUID
) -> None:
    model.instead["Analysis"] = refusal(503, "down")
    row = ran(context, officer, report_id)
    assert (row.status, row.ended_because, row.iterations) == ("failed", "circuit_breaker", 2)
    assert [one.outcome for one in revisions(context, row)] == ["failed", "failed"]
    assert len(model.requests) == 2
    model.instead.clear()
    again = of(context, retry_supervision(context, officer, row.id))
    assert (again.tier, again.mode, again.first_version) == (row.tier, row.mode, 1)
    run_supervision(context, again.id)
    assert of(context, again.id).ended_because == "approved", "the model is asked anew"


def test_a_gap_that_no_source_closes(
    context: Context, model: SupervisingModel, officer: uuid.UUID, report_id: uuid.UUID
) -> None:
    model.topics[:] = ["quantum chromodynamics"]
    row = ran(context, officer, report_id, tier="quick")
    assert (row.status, row.ended_because, row.integrations) == ("done", "no_evidence", 0)
    assert not [body for body in model.bodies if '"title": "Revision"' in body["messages"][0]["content"]]
    assert current(context, report_id) == 1


def test_a_gap_named_again_is_passed_over(
    context: Context, model: SupervisingModel, officer: uuid.UUID, report_id: uuid.UUID
) -> None:
    model.topics[:] = ["attachment theory", "Attachment  Theory", "scaffolding"]
    row = ran(context, officer, report_id)
    assert [one.outcome for one in revisions(context, row)] == ["integrated", "already_explored", "integrated"]


@pytest.mark.parametrize("budget", [{"calls": 1}, {"tokens": 100}, {"usd": 0.0001}, {"minutes": 0}])
def test_a_spent_budget_ends_it(
    context: Context, model: SupervisingModel, officer: uuid.UUID, report_id: uuid.UUID, budget: dict[str, float]
) -> None:
    row = ran(context, officer, report_id, budget=budget)
    assert (row.status, row.ended_because, row.last_version) == ("done", "budget", 1)
    assert row.spent["exhausted"] == next(iter(budget))
    assert len(model.requests) == (0 if "minutes" in budget else 1)


def test_without_a_model_none_is_begun_and_one_that_was_begun_examines_nothing(
    context: Context, model: SupervisingModel, officer: uuid.UUID, report_id: uuid.UUID
) -> None:
    with pytest.raises(ConflictError, match="needs a language model"):
        start_supervision(context, officer, report_id, budget={"calls": 0})
    supervision_id = start_supervision(context, officer, report_id)
    context.settings = context.settings.model_copy(update={"groq_api_key": None})
    with pytest.raises(ConflictError, match="needs a language model"):
        start_supervision(context, officer, report_id)
    assert run_supervision(context, supervision_id)
    row = of(context, supervision_id)
    assert (row.status, row.ended_because, row.integrations) == ("done", "nothing_to_compare", 0)
    assert row.ended_note is not None and row.ended_note.code == ExaminedCode.MODEL_WANTED
    assert not model.requests


@pytest.mark.parametrize("place", ["analyze_review:done", "committed report_tasks", "expand_topic:done"])
def test_stopped_while_it_works_it_ends_after_the_step(
    context: Context, officer: uuid.UUID, report_id: uuid.UUID, place: str
) -> None:
    supervision_id = start_supervision(context, officer, report_id, "standard", "automatic")

    def stop(name: str) -> None:
        if name == place and of(context, supervision_id).cancel_requested_at is None:
            cancel_supervision(context, officer, supervision_id)

    with watching(stop):
        run_supervision(context, supervision_id)
    row = of(context, supervision_id)
    assert (row.status, row.ended_because, row.cancel_requested_by) == ("cancelled", "cancelled", officer)
    assert current(context, report_id) == 1


def test_stopped_before_it_began(context: Context, officer: uuid.UUID, report_id: uuid.UUID) -> None:
    supervision_id = start_supervision(context, officer, report_id)
    cancel_supervision(context, officer, supervision_id)
    assert not run_supervision(context, supervision_id)
    assert of(context, supervision_id).ended_because == "cancelled"


def test_one_loop_at_a_time(context: Context, officer: uuid.UUID, report_id: uuid.UUID) -> None:
    supervision_id = start_supervision(context, officer, report_id)
    with pytest.raises(ConflictError, match="Officer") as refused:
        start_supervision(context, officer, report_id)
    assert refused.value.who == "Officer"
    with pytest.raises(NotFailedError):
        retry_supervision(context, officer, supervision_id)
    fail_supervision(context, supervision_id, StorageError())
    row = of(context, supervision_id)
    assert (row.status, row.ended_because, row.error_code) == ("failed", "error", "storage_error")
    assert retry_supervision(context, officer, supervision_id) != supervision_id
