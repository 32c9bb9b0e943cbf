"""A plan that waits for a person, a report that is stopped, taken up again, or runs out of its budget."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import func, select, update

from core.config import load_settings
from core.errors import ConflictError, InvalidInputError, NotFailedError
from core.messages import keys_of
from core.models import LibraryDocument, Report, ReportCall, ReportRound, ReportSource, ReportTask, ReportVersion
from research.document import ReportDocument
from research.labels import Skipped
from research.questions.catalog_fields import columns_of, named_fields
from services.context import Context
from services.reconcile import prune_checkpoints, requeue
from services.recovery.research_kinds import REPORTS
from services.reports.request import ReportRequest, approve_plan, cancel_report, request_report, retry_report
from services.reports.run import run_report
from tests.support.boundaries import named_by_round, of_report
from tests.support.moments import watching
from tests.support.office import make_person
from tests.support.research.research_library import put_papers
from tests.support.servers.answering_model import AnsweringModel
from tests.support.site import tidy_context

QUESTION = "What do school programmes do that bring fathers in, and what do they cost?"


def asked(context: Context, query: str = QUESTION, **values: Any) -> uuid.UUID:
    return request_report(
        context, make_person(context, "officer"), ReportRequest(query, **{"tier": "quick", **values})
    )


def of(context: Context, report_id: uuid.UUID) -> Report:
    return context.database.get_one(Report, report_id)


def document(context: Context, report_id: uuid.UUID) -> ReportDocument:
    return ReportDocument.model_validate(context.database.get_one(ReportVersion, (report_id, 1)).document)


def count(context: Context, model: Any) -> int:
    with context.database.session() as session:
        found: int = session.scalar(select(func.count()).select_from(model))
        return found


def test_nothing_is_fetched_before_the_plan_is_approved(context: Context) -> None:
    report_id = asked(context, approve_plan=True)
    assert run_report(context, report_id)
    waiting = of(context, report_id)
    assert (waiting.status, waiting.phase) == ("awaiting_plan", "awaiting_plan")
    assert waiting.plan and waiting.plan["questions"]
    assert count(context, ReportSource) == count(context, ReportTask) == 0
    assert not run_report(context, report_id), "it waits"

    person = make_person(context, "officer")
    changed = {"questions": ["What do programmes for fathers cost?"], "allocation": "110"}
    approve_plan(context, person, report_id, waiting.version, changed)
    assert of(context, report_id).plan_resumed_at is None
    assert run_report(context, report_id)
    done = of(context, report_id)
    assert (done.status, done.ended_because) == ("done", "complete")
    assert done.plan_resumed_at is not None
    with context.database.session() as session:
        tasks = session.execute(
            select(ReportTask.kind, ReportTask.question).where(ReportTask.round_index == 1)
        ).all()
    assert {tuple(task) for task in tasks} == {
        ("web", changed["questions"][0]),
        ("academic", changed["questions"][0]),
    }


def test_one_of_two_approves(context: Context) -> None:
    report_id = asked(context, approve_plan=True)
    run_report(context, report_id)
    version = of(context, report_id).version
    people = [make_person(context, "officer") for _ in range(2)]

    def approve(person: uuid.UUID) -> str:
        try:
            approve_plan(context, person, report_id, version)
        except ConflictError as error:
            return error.detail
        return "won"

    with ThreadPoolExecutor(2) as threads:
        said = sorted(threads.map(approve, people))
    assert said == ["The plan was approved by Officer.", "won"]
    with pytest.raises(ConflictError):
        approve_plan(context, people[0], report_id, of(context, report_id).version)


@pytest.mark.parametrize(
    "plan",
    [
        {"questions": []},
        {"questions": [" "]},
        {"questions": "why"},
        {"questions": ["why?"] * 1 + [f"and {n}?" for n in range(9)]},
        {"questions": ["w" * 600]},
        {"allocation": "444"},
        {"allocation": 210},
    ],
)
def test_a_plan_that_cannot_be_followed_is_refused(context: Context, plan: dict[str, Any]) -> None:
    report_id = asked(context, approve_plan=True)
    run_report(context, report_id)
    with pytest.raises(InvalidInputError):
        approve_plan(context, make_person(context, "officer"), report_id, of(context, report_id).version, plan)
    assert of(context, report_id).plan_approved_at is None


def test_an_approval_that_was_not_queued_is_found(context: Context) -> None:
    report_id = asked(context, approve_plan=True)
    run_report(context, report_id)
    approve_plan(context, make_person(context, "officer"), report_id, of(context, report_id).version)
    context.redis.flushdb()
    assert requeue(context, REPORTS) == 0, "it was queued a moment ago"
    context.database.execute(update(Report).values(enqueued_at=None))
    assert requeue(context, REPORTS) == 1


def test_a_report_that_is_stopped_keeps_what_it_found(context: Context) -> None:
    report_id, person = asked(context), make_person(context, "officer")

    def stop(name: str) -> None:
        if name == "join_round_1:done":
            cancel_report(context, person, report_id)

    with watching(of_report(stop), named_by_round):
        assert run_report(context, report_id)
    stopped = of(context, report_id)
    assert (stopped.status, stopped.ended_because, stopped.current_version) == ("cancelled", "cancelled", None)
    assert stopped.cancel_requested_by == person
    found = count(context, ReportSource)
    assert found > 0
    boundaries: list[str] = []
    with watching(of_report(boundaries.append), named_by_round):
        assert not run_report(context, report_id)
        assert not boundaries
        retry_report(context, person, report_id)
        assert run_report(context, report_id)
    assert of(context, report_id).status == "done"
    assert "plan:start" not in boundaries and "join_round_1:start" not in boundaries
    with pytest.raises(NotFailedError):
        retry_report(context, person, report_id)
    with pytest.raises(ConflictError):
        cancel_report(context, person, report_id)


def test_a_report_that_nobody_works_on_stops_at_once(context: Context) -> None:
    report_id = asked(context)
    cancel_report(context, make_person(context, "officer"), report_id)
    assert of(context, report_id).status == "cancelled"


def test_without_any_checkpoint_the_tables_are_enough(context: Context) -> None:
    undisturbed, forgotten = asked(context), asked(context)
    run_report(context, undisturbed)

    def fail(name: str) -> None:
        if name == "plan_round_2:done":
            raise RuntimeError("the worker is out of order")

    with pytest.raises(RuntimeError), watching(of_report(fail), named_by_round):
        run_report(context, forgotten)
    context.database.execute(update(Report).where(Report.id == forgotten).values(status="done"))
    assert prune_checkpoints(context, REPORTS) == 2
    context.database.execute(update(Report).where(Report.id == forgotten).values(status="running"))
    assert run_report(context, forgotten)
    assert document(context, forgotten) == document(context, undisturbed)


def test_nothing_found_is_said(context: Context) -> None:
    report_id = asked(context, query="How do glaciers in Patagonia calve icebergs?")
    run_report(context, report_id)
    report = of(context, report_id)
    assert (report.status, report.ended_because) == ("done", "no_evidence")
    written = document(context, report_id)
    assert written.limits
    assert not written.references


def test_a_library_without_documents_is_said(context: Context) -> None:
    context.database.execute(update(LibraryDocument).values(status="removed"))
    report_id = asked(context)
    run_report(context, report_id)
    report = of(context, report_id)
    assert (report.status, report.ended_because) == ("done", "no_evidence")
    handed = [note for note in report.allocation["notes"] if note["code"] == "allocation_no_source"]
    assert "web" in [note["params"]["kind"] for note in handed]
    reasons = context.database.scalars(select(ReportRound.skipped_because))
    assert list(reasons) == ["no_sources"] * 3
    assert "no_sources" in keys_of(Skipped)


class TestWithAModel:
    @pytest.fixture
    def model(self) -> Iterator[AnsweringModel]:
        with AnsweringModel() as server:
            yield server

    @pytest.fixture
    def context(self, chosen: dict[str, Any], model: AnsweringModel) -> Iterator[Context]:
        keys = {"groq_api_key": model.key, "groq_base_url": model.url}
        with tidy_context(load_settings(**chosen, **keys, llm_price_in=1.0, llm_price_out=2.0)) as opened:
            put_papers(opened.database)
            yield opened

    def test_what_it_cost_is_shown(self, context: Context, model: AnsweringModel) -> None:
        report_id = asked(context)
        run_report(context, report_id)
        spent = of(context, report_id).spent
        calls = len(model.requests)
        assert spent["calls"] == calls > 3
        assert (spent["tokens_in"], spent["tokens_out"]) == (120 * calls, 15 * calls)
        assert spent["usd"] == pytest.approx(calls * (120 + 2 * 15) / 1_000_000)
        assert count(context, ReportCall) <= calls

    def test_no_calls_means_no_model(self, context: Context, model: AnsweringModel) -> None:
        report_id = asked(context, budget={"calls": 0})
        run_report(context, report_id)
        report = of(context, report_id)
        assert (report.status, report.ended_because) == ("done", "complete")
        assert not model.requests

    @pytest.mark.parametrize("budget", [{"calls": 3}, {"tokens": 400}, {"usd": 0.0004}])
    def test_a_spent_budget_ends_in_a_truthful_report(
        self, context: Context, model: AnsweringModel, budget: dict[str, float]
    ) -> None:
        report_id = asked(context, budget=budget)
        run_report(context, report_id)
        report = of(context, report_id)
        assert (report.status, report.ended_because) == ("done", "budget")
        assert report.spent["exhausted"] == next(iter(budget))
        assert len(model.requests) == 3
        written = document(context, report_id)
        assert written.extractive
        assert any("budget" in limit for limit in written.limits)
        rounds = context.database.scalars(select(ReportRound))
        assert {one.round_index: one.skipped_because for one in rounds} == {1: None, 2: "budget", 3: "budget"}

    def test_no_minutes_no_search(self, context: Context, model: AnsweringModel) -> None:
        report_id = asked(context, budget={"minutes": 0})
        run_report(context, report_id)
        assert of(context, report_id).ended_because == "budget"
        assert count(context, ReportSource) == 0
        assert not model.requests

    def test_it_reads_the_fields_of_a_question_that_no_person_chose(
        self, context: Context, model: AnsweringModel
    ) -> None:
        query = "Identify 3 programmes for fathers with prices"
        report_id = asked(context, query, approve_plan=True)
        assert of(context, report_id).fields == columns_of(named_fields(query))
        run_report(context, report_id)
        read, planned = (body["messages"][1]["content"] for body in model.bodies)
        assert read == f"Request: {query}"
        fields = of(context, report_id).fields
        assert fields != columns_of(named_fields(query)) and fields[-1] in planned
        approve_plan(context, make_person(context, "officer"), report_id, of(context, report_id).version)
        run_report(context, report_id)
        assert of(context, report_id).fields == fields
        assert not model.repeated

    def test_the_fields_that_a_person_chose_stay(self, context: Context, model: AnsweringModel) -> None:
        report_id = asked(context, "Identify 3 programmes for fathers", fields=["Who pays"], approve_plan=True)
        run_report(context, report_id)
        assert of(context, report_id).fields == ["Who pays"]
        [body] = model.bodies
        assert "Fields of each: Who pays" in body["messages"][1]["content"]
