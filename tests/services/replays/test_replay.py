"""A replay without changes is the run again; with changes it shows what differs; it never writes anything."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from core.errors import ConflictError, InvalidInputError, NotFoundError
from core.graphs import open_saver
from core.models import Run, SubmissionField
from pipeline.orchestrator.run import run_entry
from pipeline.orchestrator_graph import create_orchestrator_graph
from services.context import Context
from services.messages.entries import ReplaySource
from services.replays import replay as module
from services.replays.replay import Replay, replay
from tests.support import factories
from tests.support.past_run import make_past_run
from tests.support.reading.orchestration import ENTRIES, FakeModel, FakeSecondLook, entry, first_state, read
from tests.support.reading.orchestration import context as fakes

MODELS: dict[str, Any] = {
    "no model": {},
    "a model that finds nothing": {"model": FakeModel({})},
    "a model that knows the grade": {"model": FakeModel({"grade": "4"})},
    "a page that reads otherwise": {"read_again": FakeSecondLook({"student_name": [read("Marisol Vera", 0.9)]})},
}


def done(context: Context, kind: str = "complete", **changes: Any) -> str:
    with context.database.session() as session:
        return make_past_run(context, session, ENTRIES[kind](), **changes).run_id


def ways(found: Replay) -> list[tuple[str | None, str | None]]:
    return [(pair.before and pair.before.action, pair.after and pair.after.action) for pair in found.pairs]


@pytest.mark.parametrize("changes", MODELS.values(), ids=MODELS)
@pytest.mark.parametrize("kind", ENTRIES)
def test_without_changes_it_is_the_run_again(context: Context, kind: str, changes: dict[str, Any]) -> None:
    run_id = done(context, kind, **changes)
    found = replay(context, run_id)
    assert not found.differs, found
    assert (found.source, found.rules, found.calls) == (ReplaySource.STORED_READING, {}, 0)
    for step in {pair.before.action for pair in found.pairs if pair.before}:
        again = replay(context, run_id, from_step=step)
        assert not any(pair.differs for pair in again.pairs), again


def test_a_higher_threshold_sends_it_to_a_person(context: Context) -> None:
    with context.database.session() as session:
        run_id = make_past_run(context, session, entry(student_name=read("Marisol Vega", 0.95))).run_id
    found = replay(context, run_id, {"complete_confidence": "0.99"})
    assert ways(found) == [("run_pipeline", "run_pipeline"), ("save_complete", "review_agent")]
    assert found.pairs[0].before != found.pairs[0].after
    assert (found.outcome_before, found.outcome_after) == ("completed", "suggested")
    assert found.rules == {"complete_confidence": (0.9, 0.99)} and found.proposed_after == ("student_name",)


def test_the_rules_are_those_of_the_run_not_those_of_today(context: Context) -> None:
    from services.policy import change_policy

    run_id = done(context)
    season_id = context.database.get_one(Run, run_id).season_id
    change_policy(context, None, season_id, {"complete_confidence": 1.0, "default_required": ["phone"]})
    assert not replay(context, run_id).differs
    assert replay(context, run_id, {"default_required": ["phone"]}).outcome_after == "escalated"


def test_from_a_step_on(context: Context) -> None:
    run_id = done(context, "weak_name")
    found = replay(context, run_id, {"weak_field_confidence": 0.1, "complete_confidence": 0.1}, "review_agent")
    assert ways(found)[0] == ("run_pipeline", "run_pipeline") and not found.pairs[0].differs
    assert replay(context, run_id, {"weak_field_confidence": 0.1, "complete_confidence": 0.1}).outcome_after == (
        "completed"
    )
    with pytest.raises(InvalidInputError, match="no step retry_with_llm; it has run_pipeline, review_agent"):
        replay(context, run_id, from_step="retry_with_llm")


def test_what_it_is_made_from(context: Context) -> None:
    run_id = done(context, "no_grade")
    with context.database.session() as session:
        run = session.get_one(Run, run_id)
        folder = f"artifacts/{run.submission_id}"
        submission_id = run.submission_id
    context.store.delete_prefix(folder)
    with pytest.raises(ConflictError, match="no longer kept"):
        replay(context, run_id)
    with context.database.session() as session:
        row = {"submission_id": submission_id, "season_id": run.season_id}
        read_as = entry(grade=read(None)).readings
        session.add_all(
            SubmissionField(
                **row, name=name, value=one.value, confidence=one.confidence, source=one.source and str(one.source)
            )
            for name, one in read_as.items()
        )
    assert replay(context, run_id).source == ReplaySource.FIELDS


def test_only_where_it_is_asked_for_a_model_is_asked(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    run_id = done(context, "hardly_read", model=FakeModel({}))
    asked = FakeModel({"grade": "4"})
    monkeypatch.setattr(module, "open_model", lambda settings: asked)
    replay(context, run_id)
    assert asked.asked == []
    with pytest.raises(InvalidInputError, match="No language model"):
        replay(context, run_id, ask_model=True)
    context.settings = context.settings.model_copy(update={"llm_base_url": "http://localhost:1"})
    found = replay(context, run_id, ask_model=True)
    assert asked.asked and "grade" in found.proposed_after


@pytest.mark.parametrize(
    ("changes", "said"), [({"complete_confidence": 3}, "not allowed"), ({"speed": 1}, "no such rule")]
)
def test_rules_that_do_not_fit(context: Context, changes: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidInputError, match=said):
        replay(context, done(context), changes)


def test_what_cannot_be_replayed(context: Context) -> None:
    with pytest.raises(NotFoundError):
        replay(context, "nothing:1")
    with context.database.session() as session:
        run_id = factories.make_run(session).run_id
    with pytest.raises(ConflictError, match="has no step"):
        replay(context, run_id)


def everything(context: Context) -> dict[str, Any]:
    """The rows of every table of the app and of LangGraph, and the files."""
    found: dict[str, Any] = {}
    with context.database.session() as session:
        tables = session.execute(
            text("select schemaname, tablename from pg_tables where schemaname in ('public', 'langgraph')")
        ).all()
        for schema, table in tables:
            rows = session.scalars(text(f'select t::text from {schema}."{table}" t order by 1')).all()
            found[f"{schema}.{table}"] = rows
    files = sorted(path for path in Path(context.settings.var_dir).rglob("*") if path.is_file())
    found["files"] = [(str(path), hashlib.sha256(path.read_bytes()).hexdigest()) for path in files]
    found["queue"] = sorted(context.redis.keys())
    return found


def test_it_writes_nothing(context: Context) -> None:
    """Not even where the run waits at its interrupt, with its checkpoints."""
    run_id = done(context, "no_grade")
    graph = create_orchestrator_graph(open_saver(context.database))
    nodes = fakes(entry(grade=read(None)), Path(context.settings.var_dir))
    run_entry(graph, first_state(run_id), nodes, run_id)
    before = everything(context)
    assert len(before["langgraph.checkpoints"]) > 0 and len(before["public.orchestrator_logs"]) > 1
    for changes in ({}, {"default_required": ["student_name"]}, {"auto_complete": False}):
        for step in (None, "review_agent"):
            assert replay(context, run_id, changes, step).source == ReplaySource.CHECKPOINTS
    assert everything(context) == before
