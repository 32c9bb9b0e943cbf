"""The table of the round loop, row by row."""

from types import SimpleNamespace
from typing import Any

import pytest
from langgraph.types import Send

from research.round_loop import route_after_plan, tasks_to_send
from research.rounds.routing import route_after_join
from research.running.state import RoundState, united


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


def test_only_what_is_not_done_is_sent() -> None:
    tasks = [{"task_id": f"r1_{place}", "kind": "web"} for place in (1, 2, 3)]
    state = RoundState(round_index=1, tasks=tasks, finished=["r1_2"])  # type: ignore[typeddict-item]
    sent = tasks_to_send(state)
    assert [(one.node, one.arg) for one in sent if isinstance(one, Send)] == [
        ("web_researcher", {"task_id": "r1_1", "round_index": 1}),
        ("web_researcher", {"task_id": "r1_3", "round_index": 1}),
    ]
    assert tasks_to_send(RoundState(round_index=1, finished=["r1_2"])) == "join_round"


def test_researchers_may_come_back_in_any_order() -> None:
    assert united(["r1_2"], ["r1_1"]) == united(["r1_1"], ["r1_2"]) == ["r1_1", "r1_2"]
