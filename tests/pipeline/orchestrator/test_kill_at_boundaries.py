"""Kill −9 at every boundary of the graph: whoever takes over ends with one result and one row of each."""

import signal
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from sqlalchemy import select

from core.database import Database
from core.models import OrchestratorLog, ReviewSuggestion, ReviewSuggestionField
from tests.support.boundaries import NODE_BOUNDARIES, REVIEW_AGENT_BOUNDARIES
from tests.support.long import some
from tests.support.reading.orchestration import insert_run
from tests.support.reading.orchestration_process import Work, in_a_process


@dataclass(frozen=True)
class Scenario:
    """One way through the graph, and what it must leave."""

    kind: str
    outcome: str
    actions: tuple[str, ...]
    #: Fields of the proposal.
    proposed: tuple[str, ...] = ()
    says: tuple[tuple[str, str], ...] | None = None
    #: What a second reader reads.
    seen: tuple[tuple[str, str], ...] | None = None
    #: Wait for a person first, and be killed while their decision is carried out.
    resumed: bool = False


COMPLETE = Scenario("complete", "completed", ("run_pipeline", "save_complete"))
LOOK = Scenario(
    "weak_name",
    "completed",
    ("run_pipeline", "second_reader", "save_complete"),
    seen=(("student_name", "Marisol Vega"),),
)
RETRY = Scenario(
    "hardly_read",
    "suggested",
    ("run_pipeline", "retry_with_llm", "review_agent"),
    ("grade", "school_name", "student_name"),
    (("grade", "4"),),
)
REVIEW = Scenario("weak_name", "suggested", ("run_pipeline", "review_agent"), ("student_name",))
ESCALATE = Scenario("no_grade", "escalated", ("run_pipeline", "review_agent", "mark_for_human"))
RESUME = Scenario(
    "no_grade", "resolved", ("run_pipeline", "review_agent", "mark_for_human", "mark_for_human"), resumed=True
)

#: Which way to go to come by a node; the last two happen in two processes.
WAYS = {
    "run_pipeline": (COMPLETE,),
    "save_complete": (COMPLETE,),
    "second_reader": (LOOK,),
    "retry_with_llm": (RETRY,),
    "review_agent": (REVIEW,),
    "mark_for_human": (ESCALATE, RESUME),
}
#: After the interrupt: only a resumed run comes by.
AFTER_A_DECISION = ("mark_for_human:work_done", "mark_for_human:logged")


def cases() -> Iterator[tuple[str, Scenario]]:
    for boundary in (*NODE_BOUNDARIES, *REVIEW_AGENT_BOUNDARIES):
        node = boundary.partition(":")[0].partition(".")[0]
        for way in WAYS[node]:
            if way.resumed or boundary not in AFTER_A_DECISION:
                yield boundary, way


def test_every_boundary_is_tried() -> None:
    assert {boundary for boundary, _ in cases()} == {*NODE_BOUNDARIES, *REVIEW_AGENT_BOUNDARIES}


@pytest.mark.long
@pytest.mark.parametrize(
    ("boundary", "way"),
    [pytest.param(*case, id=f"{case[0]}-{case[1].outcome}") for case in some(list(cases()), every=2)],
)
def test_a_killed_run_ends_as_if_nothing_had_happened(
    boundary: str, way: Scenario, database_url: str, tmp_path: Path
) -> None:
    database = Database(database_url)
    run_id = insert_run(database)
    says = None if way.says is None else dict(way.says)
    seen = None if way.seen is None else dict(way.seen)
    task = Work(database_url, run_id, way.kind, tmp_path, says, seen)
    if way.resumed:
        assert in_a_process(task)[0] == 0
        task = replace(task, decision={"action": "settle"})

    killed, _ = in_a_process(replace(task, kill_at=boundary))
    assert killed == -signal.SIGKILL, "the boundary was not visited"
    code, result = in_a_process(replace(task, owner="worker-2"))

    assert code == 0
    assert result is not None
    assert result.outcome == way.outcome
    assert result.record.student_name == "Marisol Vega"
    assert result.tools_used == [action for action in way.actions if action in TOOLS]
    with database.session() as session:
        steps = session.execute(
            select(OrchestratorLog.step, OrchestratorLog.action_taken)
            .where(OrchestratorLog.run_id == run_id)
            .order_by(OrchestratorLog.step)
        ).all()
        suggestions = session.scalars(select(ReviewSuggestion.id).where(ReviewSuggestion.run_id == run_id)).all()
        fields = session.scalars(
            select(ReviewSuggestionField.name)
            .where(ReviewSuggestionField.suggestion_id.in_(suggestions))
            .order_by(ReviewSuggestionField.name)
        ).all()
    database.dispose()
    assert [tuple(step) for step in steps] == list(enumerate(way.actions, start=1))
    assert len(suggestions) == bool(way.proposed)
    assert tuple(fields) == way.proposed


TOOLS = ("run_pipeline", "second_reader", "retry_with_llm", "review_agent")
