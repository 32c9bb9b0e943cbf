"""A run for its page: the numbers of its log, and nothing of the entry."""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta

import pytest

from core.clock import utcnow
from core.errors import NotFoundError
from pipeline.orchestrator.decisions import TableRule
from services.context import Context
from services.replays.run_detail import run_detail
from tests.support import factories
from tests.support.past_run import make_past_run
from tests.support.reading.orchestration import ENTRIES, VALUES, FakeModel


def test_the_steps_with_the_rules_that_chose_them(context: Context) -> None:
    with context.database.session() as session:
        run = make_past_run(context, session, ENTRIES["hardly_read"](), model=FakeModel({}))
    found = run_detail(context, run.run_id)
    assert [step.action for step in found.steps][:3] == ["run_pipeline", "retry_with_llm", "review_agent"]
    assert found.routes[:2] == [("run_pipeline", "retry"), ("retry_with_llm", "review")]
    first, second, third = found.steps[:3]
    assert [row.rule for row in first.table] == [TableRule.LIMIT, TableRule.COMPLETE, TableRule.RETRY]
    assert second.table[-1].rule == TableRule.REVIEW and third.table == []
    assert first.missing == ("school_name", "grade") and first.confidence is not None
    assert {field.name for field in first.fields} >= {"student_name", "essay_text"}
    told = str(asdict(found))
    assert not any(value in told for value in VALUES.values() if len(value) > 2)


def test_calls_that_no_step_names_are_told(context: Context) -> None:
    call = {
        "purpose": "missing_fields",
        "provider": "groq",
        "model": "small",
        "tokens_in": 5,
        "tokens_out": 1,
        "latency_ms": 9,
        "attempt": 2,
        "error_code": None,
    }
    with context.database.session() as session:
        run = factories.make_run(session)
        factories.make_log(session, run, trace_json={"model_calls": [call]})
        factories.make_model_call(session, run, tokens_in=5, tokens_out=1, latency_ms=9)
        factories.make_model_call(session, run, tokens_in=7, status="failed", error_code="model_unavailable")
    found = run_detail(context, run.run_id)
    assert found.steps[0].calls[0].attempt == 2
    assert [(one.tokens_in, one.error_code) for one in found.other_calls] == [(7, "model_unavailable")]


def test_what_people_decided_while_it_was_the_run(context: Context) -> None:
    now = utcnow()
    with context.database.session() as session:
        submission = factories.make_submission(session)
        first = factories.make_run(session, submission, run_no=1, created_at=now - timedelta(hours=2))
        second = factories.make_run(session, submission, run_no=2, created_at=now - timedelta(hours=1))
        times = [now - timedelta(hours=1.5), now - timedelta(hours=0.5)]
        for number, at in enumerate(times, start=1):
            factories.make_decision(session, submission, version=number, created_at=at)
    assert [one.at for one in run_detail(context, first.run_id).decisions] == times[:1]
    assert [one.at for one in run_detail(context, second.run_id).decisions] == times[1:]
    assert run_detail(context, second.run_id).other_runs == [1]


def test_a_run_that_does_not_exist(context: Context) -> None:
    with pytest.raises(NotFoundError):
        run_detail(context, "no-such-run:1")
