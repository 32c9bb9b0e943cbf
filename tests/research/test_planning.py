"""Plans of the three rounds; the flow from "Identify 5 …" to verification."""

from __future__ import annotations

from research.allocation import parse_allocation
from research.config import ResearchConfig
from research.memo import (
    CatalogCandidate,
    CatalogMemo,
    Claim,
    FieldStatus,
    Gap,
    GapState,
    KnownFinding,
    ResearchMemo,
    SourceEntry,
    WorkerResult,
)
from research.queries import plan_round
from research.report_type import ReportType
from research.rounds.memo_building import build_round_memo
from tests.research.round_results import item, proven, result

CONFIG = ResearchConfig()
CATALOG, NARRATIVE = ReportType.CATALOG, ReportType.NARRATIVE
MIXED = parse_allocation("111")
QUERY = "Why do night markets close early, and what do stalls cost?"


def memo_with(
    gaps: list[Gap] | None = None, claims: list[Claim] | None = None, remaining: int = 9
) -> ResearchMemo:
    source = SourceEntry("https://a.example", "a.example", "A", True, "other", "a")
    return ResearchMemo(QUERY, NARRATIVE, 1, 3, remaining, 1, 1, 1, [], [source], gaps or [], claims or [])


def topic(name: str, priority: int = 2, state: GapState = GapState.OPEN) -> Gap:
    gap = Gap("missing_topic", f"Missing coverage: {name}", priority, missing_topic=name, id=f"g_{name}")
    gap.state = state
    return gap


def test_round_one_gives_every_question_to_a_researcher() -> None:
    tasks = plan_round(1, None, MIXED, CONFIG, ["One?", "Two?", "Three?"])
    assert [(task.task_id, task.kind, task.question) for task in tasks] == [
        ("r1_1", "web", "One?"),
        ("r1_2", "academic", "Two?"),
        ("r1_3", "book", "Three?"),
    ]


def test_round_two_fills_the_most_urgent_gaps_first_and_leaves_room_for_verification() -> None:
    gaps = [topic("trends", 3), topic("closed", 1, GapState.UNFILLABLE), *(topic(f"t{n}", 1) for n in range(9))]
    tasks = plan_round(2, memo_with(gaps, remaining=6), MIXED, CONFIG)
    assert [task.gap_id for task in tasks] == ["g_t0", "g_t1", "g_t2", "g_t3"]


def test_nothing_is_planned_without_gaps_claims_or_tasks_left() -> None:
    assert plan_round(2, memo_with(), MIXED, CONFIG) == []
    assert plan_round(3, memo_with(), MIXED, CONFIG) == []
    assert plan_round(2, memo_with([topic("a")], remaining=0), MIXED, CONFIG) == []


def test_more_candidates_are_looked_for_however_many_gaps_there_are() -> None:
    gaps = [Gap("missing_field", f"X{n}", 1, f"X{n}", ["pricing_model"], id=f"g{n}") for n in range(9)]
    gaps.append(Gap("missing_candidates", "Need more", 1, id="more"))
    tasks = plan_round(2, memo_with(gaps, remaining=6), MIXED, CONFIG)
    assert [task.gap_id for task in tasks] == ["g0", "g1", "g2", "more"]


def test_verification_looks_elsewhere_for_both_sides() -> None:
    claim = Claim("Stalls cost $40", "https://b.example/x", "medium", "stall price", "b.example", "c1")
    (task,) = plan_round(3, memo_with(claims=[claim]), MIXED, CONFIG)
    assert (task.task_id, task.kind) == ("v_1", "web")
    assert task.avoid_domains == ("b.example", "a.example")
    assert "confirm" in task.instructions and "contradict" in task.instructions
    assert task.queries == ("stall price", "stall price criticism contradicts")


def test_a_kind_that_nobody_works_in_is_never_sent() -> None:
    tasks = plan_round(2, memo_with([topic("effects"), topic("costs")]), parse_allocation("003"), CONFIG)
    assert {task.kind for task in tasks} == {"book"}


def test_a_task_s_instructions_tell_what_is_known_and_what_is_missing() -> None:
    memo = memo_with([topic("stall costs")])
    memo.findings = [
        KnownFinding(QUERY, "Stalls in Marlow close at ten.", "Night markets", "a"),
        KnownFinding(QUERY, "Glaciers calve icebergs.", "Ice", "b"),
    ]
    (task,) = plan_round(2, memo, MIXED, CONFIG)
    assert "Missing coverage: stall costs" in task.instructions
    assert "Known: Stalls in Marlow close at ten." in task.instructions
    assert "Glaciers" not in task.instructions


def test_further_candidates_are_asked_for_by_the_names_that_are_known() -> None:
    memo = CatalogMemo(**vars(memo_with([Gap("missing_candidates", "", 1, have=1, wanted=5, id="more")])))
    memo.candidates = [item("Harbour")]
    (task,) = plan_round(2, memo, MIXED, CONFIG)
    assert task.question == f"Which others, besides Harbour, answer this: {QUERY}"


FLOW = "Identify 5 AI business models with pricing and case studies"


def filled(name: str, price: str) -> CatalogCandidate:
    """What Round 2 brings of an item."""
    return item(
        name, known={"pricing_model": [proven(price, "pages2025")], "proof_links": [proven("a case", "cases2024")]}
    )


def test_the_flow_of_three_rounds() -> None:
    """Structurely lacks price and proof, Siena proof; Round 2 finds both; Round 3 verifies what is claimed."""
    others = [item(f"Bot{n}") for n in range(8)]
    found = [
        item("Structurely", pricing_model=FieldStatus.MISSING, proof_links=FieldStatus.MISSING),
        item("Siena", proof_links=FieldStatus.MISSING),
    ]
    round_one: list[WorkerResult] = [
        result("r1_1", candidates=[*found, *others]),
        *(result(f"r1_{n}") for n in range(2, 6)),
    ]
    first = build_round_memo(FLOW, CATALOG, 1, round_one, None, CONFIG)
    assert isinstance(first, CatalogMemo)
    assert (first.target_items, first.tasks_completed, first.tasks_remaining) == (5, 5, 10)
    assert [(gap.candidate_name, gap.missing_fields, gap.priority) for gap in first.gaps] == [
        ("Structurely", ["pricing_model", "proof_links"], 1),
        ("Siena", ["proof_links"], 2),
    ]

    tasks = plan_round(2, first, MIXED, CONFIG)
    assert [(task.task_id, task.queries[0]) for task in tasks] == [
        ("r2_1", '"Structurely" pricing cost plans'),
        ("r2_2", '"Structurely" case study customer testimonial review'),
        ("r2_3", '"Siena" case study customer testimonial review'),
    ]
    assert [task.gap_id for task in tasks] == [first.gaps[0].id, first.gaps[0].id, first.gaps[1].id]

    brought = [
        filled("Structurely", "$149-$449 a month"),
        item("Siena", known={"proof_links": [proven("a case")]}),
    ]
    round_two = [
        result("r2_1", candidates=brought[:1], gap_id=tasks[0].gap_id),
        result("r2_2", candidates=brought[:1], gap_id=tasks[1].gap_id),
        result("r2_3", candidates=brought[1:], gap_id=tasks[2].gap_id),
    ]
    second = build_round_memo(FLOW, CATALOG, 2, round_two, first, CONFIG)
    assert [gap.state for gap in second.gaps] == [GapState.CLOSED, GapState.CLOSED]
    assert all(gap.evidence_ids for gap in second.gaps)

    verification = plan_round(3, second, MIXED, CONFIG)
    assert [task.task_id for task in verification] == ["v_1"]
    assert verification[0].queries[0] == "Structurely pricing review comparison"
