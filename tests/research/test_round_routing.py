"""The table of the round loop, row by row."""

from types import SimpleNamespace
from typing import Any

import pytest
from langgraph.types import Send

from research.allocation import RoundState, route_after_join
from research.memo import PlannedTask, WorkerResult
from research.round_loop import plan_round_node, route_after_plan, tasks_to_send
from research.storage import StoredTask


@pytest.mark.parametrize(("wanted", "to"), [(True, "approve_plan"), (False, "plan_round")])
def test_after_the_plan(wanted: bool, to: str) -> None:
    brief = SimpleNamespace(approve_plan=wanted)
    runtime: Any = SimpleNamespace(context=SimpleNamespace(brief=brief))
    assert route_after_plan(RoundState(), runtime) == to


@pytest.mark.parametrize(
    ("index", "ended", "to"),
    [
        (1, "", "plan_round"),
        (2, "", "plan_round"),
        (3, "", "synthesise"),
        (1, "budget", "synthesise"),
        (4, "", "synthesise"),
    ],
)
def test_after_a_round(index: int, ended: str, to: str) -> None:
    assert route_after_join(RoundState(round_index=index, ended_because=ended)) == to


def test_every_task_is_sent() -> None:
    tasks = {f"r1_{place}": "web" for place in (1, 3)}
    sent = tasks_to_send(RoundState(round_index=1, tasks=tasks))  # type: ignore[typeddict-item]
    assert [(one.node, one.arg) for one in sent if isinstance(one, Send)] == [
        ("web_researcher", {"task_id": "r1_1"}),
        ("web_researcher", {"task_id": "r1_3"}),
    ]
    assert tasks_to_send(RoundState(round_index=1, tasks={})) == "join_round"


def test_only_what_is_not_done_is_planned() -> None:
    done = WorkerResult("r1_2", "web", "Why?")
    stored = [
        StoredTask(PlannedTask(f"r1_{place}", "web", "Why?"), 1, done if place == 2 else None)
        for place in (1, 2, 3)
    ]
    store = SimpleNamespace(
        progress=SimpleNamespace(say=lambda phase: None), rounds=SimpleNamespace(tasks=lambda index: stored)
    )
    context: Any = SimpleNamespace(store=store)
    planned = plan_round_node(RoundState(round_index=0), context)
    assert planned["tasks"] == {"r1_1": "web", "r1_3": "web"}
