from __future__ import annotations

import pytest

from core.errors import InvalidInputError
from research.supervision.loop import routing
from research.supervision.loop.routing import SupervisionState
from research.supervision.types import TIERS, AttemptOutcome, Ended, tier_of

STANDARD = TIERS["standard"]


@pytest.mark.parametrize(
    ("state", "edges"),
    [
        ({}, ("proceed", "continue")),
        ({"revision_id": "r"}, ("proceed", "continue")),
        ({"outcome": "failed"}, ("settle", "continue")),
        ({"ended_because": "budget", "revision_id": "r"}, ("finalize", "complete")),
    ],
)
def test_after_each_step(state: SupervisionState, edges: tuple[str, str]) -> None:
    assert edges == (routing.route_after_analysis(state), routing.should_continue(state))


@pytest.mark.parametrize(
    ("state", "ended"),
    [
        ({"iteration": 1}, None),
        ({"iteration": 2}, Ended.MAX_ITERATIONS),
        ({"iteration": 2, "without_evidence": 2}, Ended.NO_EVIDENCE),
        ({"iteration": 2, "without_evidence": 1}, Ended.MAX_ITERATIONS),
        ({"iteration": 2, "failures": 2}, Ended.CIRCUIT_BREAKER),
        ({"iteration": 1, "failures": 1}, None),
        ({"iteration": 2, "failures": 1, "outcome": "failed", "integrations": 1}, Ended.MAX_ITERATIONS),
    ],
)
def test_why_it_ends(state: SupervisionState, ended: Ended | None) -> None:
    assert routing.loop_end(state, STANDARD) is ended


def test_the_only_attempt_failed() -> None:
    state: SupervisionState = {"iteration": 1, "failures": 1, "outcome": AttemptOutcome.FAILED.value}
    assert routing.loop_end(state, TIERS["quick"]) is Ended.ERROR


def test_tiers_drive_iterations_and_depth() -> None:
    assert [(tier.max_iterations, tier.depth) for tier in TIERS.values()] == [
        (1, "quick"),
        (2, "standard"),
        (3, "standard"),
        (5, "comprehensive"),
    ]


def test_a_tier_that_is_none() -> None:
    with pytest.raises(InvalidInputError, match="quick, standard"):
        tier_of("thorough")
