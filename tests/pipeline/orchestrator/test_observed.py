"""What a run leaves behind: model calls with their cost on its step, and the trace that it belongs to."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from sqlalchemy import select

from core.config import Settings
from core.database import Database
from core.llm.providers import open_model
from core.models import ModelCallRow, OrchestratorLog
from core.models.leases import RUN_LEASES
from core.tracing.traces import flush_traces, trace_callbacks
from pipeline.orchestrator.context import MemoryRecorder
from pipeline.orchestrator.run import run_entry, run_in_memory
from pipeline.orchestrator_db import DatabaseRecorder
from pipeline.orchestrator_graph import create_orchestrator_graph
from tests.support.reading.orchestration import RUN_ID, context, first_state, hardly_read, insert_run
from tests.support.servers.groq_server import GroqServer, answer, refusal, too_many
from tests.support.servers.langsmith_server import LangSmithServer


@pytest.fixture
def groq() -> Iterator[GroqServer]:
    """Answers the retry, then the review agent."""
    replies = [answer(values, tokens=(100, 20)) for values in ({"grade": "4"}, {"student_name": "Marisol Vega"})]
    with GroqServer(*replies) as server:
        yield server


def test_a_retried_call_is_counted_in_the_trace(groq: GroqServer, tmp_path: Path) -> None:
    groq.script.insert(0, too_many("0"))
    settings = settings_for(groq).model_copy(update={"llm_max_attempts": 2})
    recorder = MemoryRecorder()
    run_in_memory(
        first_state(), context(hardly_read(), tmp_path, recorder, settings=settings, model=open_model(settings))
    )
    trace = recorder.steps[2].trace
    assert ([call["attempt"] for call in trace["model_calls"]], trace["retries"]) == ([1, 2], 1)
    assert "Marisol" not in str(trace)


def settings_for(groq: GroqServer, **more: object) -> Settings:
    return Settings(
        _env_file=None,
        groq_api_key=groq.key,
        groq_base_url=groq.url,
        llm_max_attempts=1,
        llm_price_in=1.0,
        llm_price_out=2.0,
        **more,
    )


def test_a_step_has_the_cost_of_its_own_calls(groq: GroqServer, database_url: str, tmp_path: Path) -> None:
    database = Database(database_url)
    run_id = insert_run(database)
    settings = settings_for(groq)
    recorder = DatabaseRecorder(database, RUN_LEASES.held_by(run_id, "worker-1"))
    given = context(hardly_read(), tmp_path, recorder, settings=settings, model=open_model(settings))
    run_entry(create_orchestrator_graph(InMemorySaver()), first_state(run_id), given, run_id)
    with database.session() as session:
        steps = session.scalars(
            select(OrchestratorLog).where(OrchestratorLog.run_id == run_id).order_by(OrchestratorLog.step)
        ).all()
        calls = session.scalars(select(ModelCallRow).where(ModelCallRow.run_id == run_id)).all()
    database.dispose()
    assert [(step.action_taken, step.tokens_in, step.tokens_out) for step in steps] == [
        ("run_pipeline", 0, 0),
        ("retry_with_llm", 100, 20),
        ("review_agent", 100, 20),
    ]
    assert [step.model for step in steps] == [None, settings.groq_model, settings.groq_model]
    assert float(steps[1].cost_usd) == pytest.approx((100 + 20 * 2) / 1_000_000)
    assert [call.purpose for call in calls] == ["missing_fields"] * 2
    assert [[call["tokens_in"] for call in (step.trace_json or {})["model_calls"]] for step in steps] == [
        [],
        [100],
        [100],
    ]


def test_a_model_that_fails_is_in_the_ledger_and_the_run_goes_on(groq: GroqServer, tmp_path: Path) -> None:
    groq.script = [refusal(500, "down")] * 2
    settings = settings_for(groq)
    recorder = MemoryRecorder()
    given = context(hardly_read(), tmp_path, recorder, settings=settings, model=open_model(settings))
    assert run_in_memory(first_state(), given).outcome == "suggested"
    assert [call.error_code for call in recorder.ledger.calls] == ["http_500"] * 2
    assert [call["error_code"] for call in recorder.steps[2].trace["model_calls"]] == ["http_500"]
    assert recorder.steps[2].reason.code == "model_failed"


def test_every_step_names_the_trace(groq: GroqServer, tmp_path: Path) -> None:
    with LangSmithServer() as langsmith:
        settings = settings_for(
            groq, langsmith_tracing=True, langsmith_api_key=langsmith.key, langsmith_endpoint=langsmith.url
        )
        recorder = MemoryRecorder()
        given = context(hardly_read(), tmp_path, recorder, settings=settings, model=open_model(settings))
        graph = create_orchestrator_graph(InMemorySaver())
        run_entry(graph, first_state(), given, RUN_ID, trace_callbacks(settings))
        flush_traces(settings)
        [trace_id] = {step.trace_id for step in recorder.steps.values()}
        assert trace_id
        assert trace_id in langsmith.text
        assert RUN_ID in langsmith.text
        assert "Marisol" not in langsmith.text


def test_without_tracing_there_is_no_trace(groq: GroqServer, tmp_path: Path) -> None:
    recorder = MemoryRecorder()
    run_in_memory(first_state(), context(hardly_read(), tmp_path, recorder))
    assert {step.trace_id for step in recorder.steps.values()} == {None}
