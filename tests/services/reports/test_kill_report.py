"""Kill -9 at boundaries and checkpoints: the report is the same, and no model call is repeated."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from core.config import load_settings
from core.models import Report, ReportCall, ReportGap, ReportRound, ReportSource, ReportTask, ReportVersion
from services.context import Context
from services.reports.request import ReportRequest, approve_plan, request_report
from services.reports.run import run_report
from tests.support.boundaries import APPROVAL_BOUNDARIES, LOOP_BOUNDARIES, RESEARCHER_BOUNDARIES
from tests.support.long import some
from tests.support.office import make_person
from tests.support.research.report_process import places_passed, research_and_die
from tests.support.research.research_library import put_papers
from tests.support.servers.answering_model import AnsweringModel
from tests.support.site import tidy_context

pytestmark = pytest.mark.slow
QUESTION = "What do school programmes do that bring fathers in, and what do they cost?"
KINDS = ("web", "academic", "book")
#: Every one that a report comes by whose plan nobody has to approve.
BOUNDARIES = {*LOOP_BOUNDARIES, *(f"{kind}.{boundary}" for kind in KINDS for boundary in RESEARCHER_BOUNDARIES)}


@pytest.fixture
def model() -> Iterator[AnsweringModel]:
    with AnsweringModel() as server:
        yield server


@pytest.fixture
def context(chosen: dict[str, Any], model: AnsweringModel) -> Iterator[Context]:
    settings = load_settings(**chosen, groq_api_key=model.key, groq_base_url=model.url)
    with tidy_context(settings) as opened:
        put_papers(opened.database)
        yield opened


@pytest.mark.long
def test_a_report_that_was_killed_everywhere_is_the_same(
    context: Context, model: AnsweringModel, tmp_path: Path
) -> None:
    undisturbed = asked(context)
    places = places_passed(context.settings, undisturbed, tmp_path)
    expected, calls = written(context, undisturbed), len(model.requests)
    assert {name for name in places if not name.startswith("checkpoint:")} == BOUNDARIES
    assert len([name for name in places if name.startswith("checkpoint:")]) > 20
    assert calls > 0
    model.requests.clear()

    deadly = some(places, every=18)
    spared = [name for name in places if name not in deadly]
    report_id, died = asked(context), list[str]()
    while (end := research_and_die(context.settings, report_id, tmp_path, spare=[*spared, *died])).at is not None:
        died.append(end.at)
        end_lease(context, report_id)

    assert set(deadly) <= set(died)
    assert written(context, report_id) == expected
    assert len(model.requests) == calls
    assert model.repeated == 0
    assert not model.faults


def test_an_approval_survives_too(context: Context, model: AnsweringModel, tmp_path: Path) -> None:
    undisturbed = asked(context)
    assert run_report(context, undisturbed)
    expected, calls = written(context, undisturbed), len(model.requests)
    model.requests.clear()

    report_id = asked(context, approve_plan=True)
    before, after = APPROVAL_BOUNDARIES
    for place in (before, None, before, after, None):
        assert research_and_die(context.settings, report_id, tmp_path, only=place or "nowhere").at == place
        end_lease(context, report_id)
        report = context.database.get_one(Report, report_id)
        if report.status == "awaiting_plan":
            approve_plan(context, make_person(context, "officer"), report_id, report.version)

    assert report.status == "done"
    assert written(context, report_id) == expected
    assert len(model.requests) == calls
    assert model.repeated == 0


def asked(context: Context, **values: Any) -> uuid.UUID:
    request = ReportRequest(QUESTION, tier="quick", **values)
    return request_report(context, make_person(context, "officer"), request)


def end_lease(context: Context, report_id: uuid.UUID) -> None:
    """What waiting would do."""
    context.database.execute(update(Report).where(Report.id == report_id).values(lease_until=None))


def written(context: Context, report_id: uuid.UUID) -> dict[str, Any]:
    """All that the research left, without times and ids of rows."""
    with context.database.session() as session:

        def rows(model: Any, *columns: Any) -> list[tuple[Any, ...]]:
            found = session.execute(select(*columns).where(model.report_id == report_id).order_by(*columns[:2]))
            return [tuple(row) for row in found]

        return {
            "document": session.get_one(ReportVersion, (report_id, 1)).document,
            "rounds": rows(ReportRound, ReportRound.round_index, ReportRound.skipped_because, ReportRound.memo),
            "tasks": rows(ReportTask, ReportTask.task_id, ReportTask.status, ReportTask.result),
            "gaps": rows(ReportGap, ReportGap.gap_id, ReportGap.state, ReportGap.evidence),
            "sources": rows(ReportSource, ReportSource.key, ReportSource.title, ReportSource.status),
            "calls": rows(ReportCall, ReportCall.call_key, ReportCall.purpose, ReportCall.reply),
        }
