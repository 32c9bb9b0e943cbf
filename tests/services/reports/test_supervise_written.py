"""A report of a thorough tier is deepened once it is written, whatever happens in between."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import select, update

from core.models import Report, ReportSupervision
from core.queue import job_ids
from services.context import Context
from services.reconcile import requeue
from services.recovery.research_kinds import SUPERVISIONS
from services.reports.request import ReportRequest, request_report
from services.reports.run import run_report
from tests.support.office import make_person
from tests.support.servers.answering_model import AnsweringModel

QUESTION = "What do school programmes do that bring fathers in, and what do they cost?"


@pytest.fixture
def modelled(context: Context) -> Iterator[Context]:
    """The office with a model."""
    with AnsweringModel() as model:
        chosen = {"groq_api_key": model.key, "groq_base_url": model.url, "llm_max_attempts": 1}
        context.settings = context.settings.model_copy(update=chosen)
        yield context


def asked(context: Context, **values: Any) -> uuid.UUID:
    return request_report(context, make_person(context, "officer"), ReportRequest(QUESTION, **values))


def loops(context: Context) -> list[ReportSupervision]:
    return context.database.scalars(select(ReportSupervision))


@pytest.mark.parametrize(
    ("tier", "supervise", "wanted"),
    [
        ("standard", None, False),
        ("comprehensive", None, True),
        ("high_quality", None, True),
        ("high_quality", False, False),
        ("quick", True, True),
    ],
)
def test_the_tier_decides_unless_a_person_does(
    context: Context, tier: str, supervise: bool | None, wanted: bool
) -> None:
    report_id = asked(context, tier=tier, supervise=supervise)
    assert context.database.get_one(Report, report_id).supervise is wanted


def test_the_loop_begins_with_the_reports_end(modelled: Context) -> None:
    report_id = asked(modelled, tier="quick", supervise=True, budget={"minutes": 60, "calls": 99})
    assert run_report(modelled, report_id)
    (loop,) = loops(modelled)
    report = modelled.database.get_one(Report, report_id)
    assert (loop.report_id, loop.requested_by) == (report_id, report.requested_by)
    assert (loop.tier, loop.mode, loop.status, loop.first_version) == ("quick", "supervised", "queued", 1)
    assert loop.budget["calls"] == 99 - report.spent["calls"]
    assert 0 < loop.budget["minutes"] <= 60 - report.spent["minutes"]
    assert f"supervision-{loop.id}" in job_ids(modelled.redis).queued


def test_a_loop_that_was_not_queued_is_found(modelled: Context) -> None:
    run_report(modelled, asked(modelled, tier="quick", supervise=True))
    modelled.redis.flushdb()
    modelled.database.execute(update(ReportSupervision).values(enqueued_at=None))
    assert requeue(modelled, SUPERVISIONS) == 1
    assert f"supervision-{loops(modelled)[0].id}" in job_ids(modelled.redis).queued


def test_a_reading_list_is_not_deepened(modelled: Context) -> None:
    run_report(modelled, asked(modelled, tier="quick", supervise=True, budget={"calls": 0}))
    assert loops(modelled) == []


@pytest.mark.parametrize("budget", [{"minutes": 0}, {"calls": 0, "minutes": 0.000001}])
def test_what_is_spent_is_not_spent_again(context: Context, budget: dict[str, float]) -> None:
    run_report(context, asked(context, tier="quick", supervise=True, budget=budget))
    assert loops(context) == []


def test_where_nothing_was_found_nothing_is_deepened(context: Context) -> None:
    request = ReportRequest("Wie tief ist der Zürichsee?", tier="quick", language="en", supervise=True)
    report_id = request_report(context, make_person(context, "officer"), request)
    run_report(context, report_id)
    assert context.database.get_one(Report, report_id).ended_because == "no_evidence"
    assert loops(context) == []
