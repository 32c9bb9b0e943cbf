"""The loop from its first analysis to its end: each reason that it can end for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from langgraph.types import Command

from core.errors import ConflictError
from research.document import ReportDocument
from research.supervision.loop.graph import SupervisionResult, run_supervision
from research.supervision.types import TIERS, AttemptOutcome, Depth, Ended, Expansion, Issue
from tests.support.research.supervised import Actors, MemoryStore, document, loop


def script(**steps: Sequence[str]) -> Callable[[str], str]:
    """Words for each step in turn, then "well"."""
    left = {step: list(words) for step, words in steps.items()}
    return lambda step: left[step].pop(0) if left.get(step) else "well"


def run(
    words: Callable[[str], str], tier: str = "standard", store: MemoryStore | None = None, **given: str
) -> tuple[SupervisionResult, Actors, MemoryStore]:
    graph, context, actors, store = loop(words, TIERS[tier], store=store, **given)  # type: ignore[arg-type,index]
    return run_supervision(graph, "loop", {"version_no": 1}, context), actors, store


def test_approved_at_once() -> None:
    result, actors, store = run(script(analyse=["approves"]))
    assert (result.ended, result.iterations, actors.analyses, result.integrations) == (Ended.APPROVED, 0, 1, 0)
    assert store.document(result.version_no) == document() and actors.integrations == 0


def test_only_minor_issues_are_left() -> None:
    assert run(script(analyse=["minor"]))[0].ended is Ended.APPROVED
    assert run(script(analyse=["minor"] * 3), "comprehensive")[0].integrations == 3


@pytest.mark.parametrize(
    ("tier", "iterations"), [("quick", 1), ("standard", 2), ("comprehensive", 3), ("high_quality", 5)]
)
def test_as_many_iterations_as_the_tier_allows(tier: str, iterations: int) -> None:
    result, actors, _ = run(script(), tier)
    assert (result.ended, result.iterations, actors.analyses) == (Ended.MAX_ITERATIONS, iterations, iterations)
    assert (result.integrations, result.version_no) == (iterations, 1 + iterations)


def test_two_failures_in_a_row() -> None:
    result, _, store = run(script(analyse=["fails"], expand=["fails"]), "high_quality")
    assert (result.ended, result.iterations, result.version_no) == (Ended.CIRCUIT_BREAKER, 2, 1)
    assert [attempt.outcome for attempt in store.attempts.values()] == [AttemptOutcome.FAILED] * 2


def test_each_issue_is_noted_once() -> None:
    graph, context, *_ = loop(script(), TIERS["high_quality"])
    run_supervision(graph, "loop", {"version_no": 1}, context)
    explored = graph.get_state({"configurable": {"thread_id": "loop"}}).values["explored"]
    assert len(explored) == len(set(explored)) == 5


@pytest.mark.parametrize(
    ("tier", "depth"), [("quick", "quick"), ("standard", "standard"), ("high_quality", "comprehensive")]
)
def test_the_tier_says_how_far_an_expansion_goes(tier: str, depth: str) -> None:
    graph, context, *_ = loop(script(), TIERS[tier])  # type: ignore[index]
    depths: list[str] = []

    def expand(document: ReportDocument, issue: Issue, iteration: int, depth: Depth) -> Expansion:
        depths.append(depth)
        return Expansion()

    run_supervision(graph, "loop", {"version_no": 1}, replace(context, expand=expand))
    assert set(depths) == {depth} and len(depths) == TIERS[tier].max_iterations  # type: ignore[index]


def test_a_success_in_between_resets_the_breaker() -> None:
    result, *_ = run(script(analyse=["fails", "well", "fails"]), "high_quality")
    assert (result.ended, result.integrations) == (Ended.MAX_ITERATIONS, 3)


def test_nothing_was_found() -> None:
    result, actors, store = run(script(expand=["nothing"] * 2))
    assert (result.ended, result.version_no, actors.integrations) == (Ended.NO_EVIDENCE, 1, 0)
    assert {attempt.outcome for attempt in store.attempts.values()} == {AttemptOutcome.NO_EVIDENCE}


def test_what_was_found_closes_nothing() -> None:
    result, actors, store = run(script(integrate=["skips"]), "quick")
    assert (result.ended, result.version_no, actors.integrations) == (Ended.NO_EVIDENCE, 1, 1)
    assert store.attempts[1].outcome is AttemptOutcome.NO_EVIDENCE


def test_the_guard_lets_the_third_go_pass() -> None:
    result, actors, _ = run(script(integrate=["loses", "invents"]), "quick")
    assert (result.integrations, actors.integrations) == (1, 3)


def test_what_the_guard_refuses_three_times_is_dropped() -> None:
    result, actors, store = run(script(integrate=["loses"] * 3), "quick")
    assert (result.integrations, result.version_no, actors.integrations) == (0, 1, 3)
    assert "citations_lost" in [reason.code for reason in store.attempts[1].reasons]


def test_the_same_issue_again_is_not_looked_into() -> None:
    result, _, store = run(script(analyse=["again", "again"]))
    assert [attempt.outcome for attempt in store.attempts.values()] == [
        AttemptOutcome.INTEGRATED,
        AttemptOutcome.ALREADY_EXPLORED,
    ]
    assert (result.ended, result.iterations) == (Ended.MAX_ITERATIONS, 2)


@pytest.mark.parametrize(
    ("word", "ended"), [("invalid", Ended.INVALID_DECISION), ("budget", Ended.BUDGET), ("cancel", Ended.CANCELLED)]
)
def test_stops_in_an_analysis(word: str, ended: Ended) -> None:
    result, *_ = run(script(analyse=["well", word]))
    assert (result.ended, result.integrations, result.version_no) == (ended, 1, 2)


@pytest.mark.parametrize("step", ["expand", "integrate"])
def test_a_budget_that_ends_within_an_attempt(step: str) -> None:
    result, *_ = run(script(**{step: ["budget"]}))
    assert (result.ended, result.version_no) == (Ended.BUDGET, 1)


def test_a_revision_waits_for_its_decision() -> None:
    said = ["waits"]
    store = MemoryStore(decide=lambda _: said[0])
    graph, context, actors, _ = loop(script(), TIERS["quick"], "supervised", store)
    waiting = run_supervision(graph, "loop", {"version_no": 1}, context)
    assert (waiting.ended, waiting.waiting_revision, waiting.version_no) == (None, "1", 1)
    assert run_supervision(graph, "loop", {"version_no": 1}, context) == waiting
    said[0] = "edited"
    result = run_supervision(graph, "loop", {"version_no": 1}, context)
    assert (result.ended, result.version_no, actors.integrations) == (Ended.MAX_ITERATIONS, 2, 1)
    assert run_supervision(graph, "loop", {"version_no": 1}, context) == result
    assert len(store.finished) == 1


def test_a_rejected_issue_is_not_come_back_to() -> None:
    store = MemoryStore(decide=lambda _: "rejected")
    graph, context, _, _ = loop(script(analyse=["again", "again"]), TIERS["standard"], "supervised", store)
    for _ in range(3):
        result = run_supervision(graph, "loop", {"version_no": 1}, context)
    assert (result.ended, result.integrations, result.version_no) == (Ended.MAX_ITERATIONS, 0, 1)
    assert store.attempts[2].outcome is AttemptOutcome.ALREADY_EXPLORED


def test_a_thread_that_is_gone_goes_on_from_the_rows() -> None:
    graph, context, *_ = loop(script(), TIERS["standard"], store=MemoryStore(versions=[document(), document()]))
    result = run_supervision(graph, "new", {"version_no": 2, "iteration": 1, "integrations": 1}, context)
    assert (result.iterations, result.integrations, result.version_no) == (2, 2, 3)


def test_a_resume_without_a_decision_is_refused() -> None:
    store = MemoryStore(decide=lambda _: "waits")
    graph, context, *_ = loop(script(), TIERS["quick"], "supervised", store)
    run_supervision(graph, "loop", {"version_no": 1}, context)
    with pytest.raises(ConflictError):
        graph.invoke(Command(resume=True), {"configurable": {"thread_id": "loop"}}, context=context)
