"""Starting, continuing and resuming a run; each may be called again."""

from pathlib import Path
from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver

from core.errors import InvalidInputError, RecognitionError
from pipeline.orchestrator.context import MemoryRecorder
from pipeline.orchestrator.run import resume_entry, run_entry
from pipeline.orchestrator_graph import create_orchestrator_graph
from tests.support.moments import watching
from tests.support.reading.orchestration import (
    ENTRIES,
    RUN_ID,
    FakeModel,
    FakeReader,
    complete,
    context,
    first_state,
    no_grade,
)

SETTLE = {"action": "settle", "escalation_id": "1"}


def test_an_ended_run_is_only_reported(tmp_path: Path) -> None:
    graph = create_orchestrator_graph(InMemorySaver())
    reader = FakeReader(complete())
    given = context(complete(), tmp_path, read=reader)
    first, second = (run_entry(graph, first_state(), given, RUN_ID) for _ in range(2))
    assert first == second
    assert first.tools_used == ["run_pipeline"]
    assert len(reader.calls) == 1


def test_a_run_that_waits_is_only_reported(tmp_path: Path) -> None:
    graph = create_orchestrator_graph(InMemorySaver())
    visited: list[str] = []
    given = context(no_grade(), tmp_path)
    with watching(visited.append):
        first, second = (run_entry(graph, first_state(), given, RUN_ID) for _ in range(2))
    assert first == second
    assert visited.count("mark_for_human:start") == 1


def test_a_run_goes_on_where_it_failed(tmp_path: Path) -> None:
    graph = create_orchestrator_graph(InMemorySaver())
    reader = FakeReader(no_grade())

    def broken(*_: object, **__: object) -> dict[str, list[Any]]:
        raise ConnectionError("the file store is away")

    with pytest.raises(ConnectionError):
        run_entry(graph, first_state(), context(no_grade(), tmp_path, read=reader, read_again=broken), RUN_ID)
    result = run_entry(graph, first_state(), context(no_grade(), tmp_path, read=reader), RUN_ID)
    assert result.tools_used == ["run_pipeline", "review_agent"]
    assert len(reader.calls) == 1


def test_a_run_that_failed_at_once_starts_again(tmp_path: Path) -> None:
    graph = create_orchestrator_graph(InMemorySaver())

    def broken(*_: object, **__: object) -> tuple[Any, Any]:
        raise RecognitionError("no engine")

    with pytest.raises(RecognitionError):
        run_entry(graph, first_state(), context(complete(), tmp_path, read=broken), RUN_ID)
    result = run_entry(graph, first_state(), context(complete(), tmp_path), RUN_ID)
    assert (result.outcome, result.tools_used) == ("completed", ["run_pipeline"])


def test_a_run_that_was_killed_before_its_first_step_is_done(tmp_path: Path) -> None:
    class Dying(InMemorySaver):
        died = False

        def put(self, *given: Any) -> RunnableConfig:
            done = super().put(*given)
            if not self.died:
                self.died = True
                raise KeyboardInterrupt
            return done

    graph = create_orchestrator_graph(Dying())
    reader = FakeReader(complete())
    given = context(complete(), tmp_path, read=reader, model=FakeModel({}))
    with pytest.raises(KeyboardInterrupt):
        run_entry(graph, first_state(), given, RUN_ID)
    assert not reader.calls
    assert run_entry(graph, first_state(), given, RUN_ID).outcome == "completed"


def test_steps_are_kept_where_a_model_was_paid_for_them_else_the_end(tmp_path: Path) -> None:
    kept = {}
    for name, model in (("rules", None), ("model", FakeModel({"grade": "4"}))):
        saver = InMemorySaver()
        result = run_entry(
            create_orchestrator_graph(saver),
            first_state(),
            context(ENTRIES["hardly_read"](), tmp_path, model=model),
            RUN_ID,
        )
        kept[name] = list(saver.list({"configurable": {"thread_id": RUN_ID}}))
        assert kept[name][0].checkpoint["channel_values"]["tools_used"] == result.tools_used
    steps = [len(at.checkpoint["channel_values"].get("tools_used", [])) for at in kept["model"]]
    assert len(kept["rules"]) == 1
    assert {1, 2, 3} <= set(steps)


@pytest.mark.parametrize(("action", "outcome"), [("settle", "resolved"), ("reject", "rejected")])
def test_a_decision_resumes_the_run_once(action: str, outcome: str, tmp_path: Path) -> None:
    graph = create_orchestrator_graph(InMemorySaver())
    recorder = MemoryRecorder()
    given = context(no_grade(), tmp_path, recorder)
    run_entry(graph, first_state(), given, RUN_ID)
    results = [resume_entry(graph, {"action": action}, given, RUN_ID) for _ in range(2)]
    assert [result.outcome for result in results if result] == [outcome, outcome]
    written = [(entry.action, entry.final_outcome) for entry in recorder.steps.values()]
    assert written[2:] == [("mark_for_human", "escalated"), ("mark_for_human", outcome)]


def test_what_was_decided_first_stays(tmp_path: Path) -> None:
    graph = create_orchestrator_graph(InMemorySaver())
    given = context(no_grade(), tmp_path)
    run_entry(graph, first_state(), given, RUN_ID)
    resume_entry(graph, {"action": "settle"}, given, RUN_ID)
    later = resume_entry(graph, {"action": "reject"}, given, RUN_ID)
    assert later is not None
    assert later.outcome == "resolved"


def test_a_resume_without_a_checkpoint_starts_nothing(tmp_path: Path) -> None:
    saver = InMemorySaver()
    graph = create_orchestrator_graph(saver)
    reader = FakeReader(no_grade())
    given = context(no_grade(), tmp_path, read=reader)
    assert resume_entry(graph, SETTLE, given, RUN_ID) is None
    assert not reader.calls
    run_entry(graph, first_state(), given, RUN_ID)
    saver.delete_thread(RUN_ID)
    assert resume_entry(graph, SETTLE, given, RUN_ID) is None
    assert len(reader.calls) == 1


@pytest.mark.parametrize("kind", ["complete", "weak_name"])
def test_a_run_that_does_not_wait_is_not_resumed(kind: str, tmp_path: Path) -> None:
    graph = create_orchestrator_graph(InMemorySaver())
    given = context(ENTRIES[kind](), tmp_path)
    run_entry(graph, first_state(), given, RUN_ID)
    assert resume_entry(graph, SETTLE, given, RUN_ID) is None


def test_an_unknown_decision_is_refused(tmp_path: Path) -> None:
    graph = create_orchestrator_graph(InMemorySaver())
    given = context(no_grade(), tmp_path)
    run_entry(graph, first_state(), given, RUN_ID)
    with pytest.raises(InvalidInputError):
        resume_entry(graph, {"action": "maybe"}, given, RUN_ID)


def test_pruning_twice_is_fine(tmp_path: Path) -> None:
    saver = InMemorySaver()
    run_entry(create_orchestrator_graph(saver), first_state(), context(complete(), tmp_path), RUN_ID)
    saver.delete_thread(RUN_ID)
    saver.delete_thread(RUN_ID)
    assert not list(saver.list({"configurable": {"thread_id": RUN_ID}}))
