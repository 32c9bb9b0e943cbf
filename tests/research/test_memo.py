"""The memo fits its bound whatever it holds, keeps what matters, and comes back from JSON as it was."""

from __future__ import annotations

import json
import random

import pytest

from research.memo import (
    CatalogCandidate,
    CatalogMemo,
    Claim,
    FieldStatus,
    FieldValue,
    Gap,
    GapState,
    KnownFinding,
    ResearchMemo,
    SourceEntry,
    memo_from_json,
    memo_to_json,
    memo_to_planner_context,
)
from research.report_type import ReportType


def tokens(text: str) -> int:
    return -(-len(text.encode()) // 3)


def topic_gap(number: int, description: str, priority: int = 2) -> Gap:
    """A gap with the fields that every gap has, as callers write it."""
    return Gap(
        gap_type="missing_topic",
        description=description,
        priority=priority,
        candidate_name=None,
        missing_fields=None,
        missing_topic=f"topic {number}",
        suggested_query=None,
    )


def catalog_memo(**changes: object) -> CatalogMemo:
    values: dict[str, object] = {
        "query": "Identify 5 bus passes with prices",
        "report_type": ReportType.CATALOG,
        "round_index": 1,
        "tasks_completed": 3,
        "tasks_remaining": 12,
        "unique_citations": 4,
        "unique_domains": 1,
        "pages_extracted": 6,
        "themes_covered": ["fares"],
        "sources_summary": [
            SourceEntry("https://metro.example.org", "metro.example.org", "Fares", True, "pricing")
        ],
        "gaps": [topic_gap(1, "Nothing about night buses", 1)],
        "claims_to_verify": [Claim("A pass costs $40", "https://metro.example.org", "medium", "metro pass price")],
        "target_items": 5,
        "candidates": [CatalogCandidate("Night Owl Pass", None, {"pricing_model": FieldStatus.MISSING}, [])],
        "required_fields": ["name", "pricing_model"],
    }
    return CatalogMemo(**(values | changes))  # type: ignore[arg-type]


def test_everything_is_shown_where_there_is_room() -> None:
    text = memo_to_planner_context(catalog_memo())
    assert "left out" not in text
    for part in ("night buses", "A pass costs $40", "metro.example.org", "Night Owl Pass: missing pricing_model"):
        assert part in text
    assert text.index("night buses") < text.index("A pass costs") < text.index("Night Owl Pass")


def test_ten_huge_gaps_and_three_huge_claims_are_all_kept() -> None:
    gaps = [topic_gap(n, f"Gap number {n} {'é€😀' * 3000}", 1) for n in range(10)]
    claims = [Claim(f"Claim number {n} {'x' * 10_000}", "u" * 9000, "high", "q" * 9000) for n in range(3)]
    text = memo_to_planner_context(catalog_memo(gaps=gaps, claims_to_verify=claims, query="why " * 5000))
    assert tokens(text) <= 2000
    assert all(f"Gap number {n}" in text for n in range(10))
    assert all(f"Claim number {n}" in text for n in range(3))


def test_the_most_urgent_gaps_come_first_and_the_others_are_counted() -> None:
    gaps = [topic_gap(n, f"Later {n}.", 3) for n in range(20)] + [topic_gap(99, "Urgent", 1)]
    text = memo_to_planner_context(catalog_memo(gaps=gaps))
    assert text.index("Urgent") < text.index("Later 0.")
    assert "11 more gaps left out" in text


def test_closed_gaps_are_not_shown_as_gaps_to_fill() -> None:
    closed = topic_gap(1, "Already answered")
    closed.state, closed.evidence_ids = GapState.CLOSED, ["ortiz2019"]
    assert "Already answered" not in memo_to_planner_context(catalog_memo(gaps=[closed]))


def test_what_is_left_out_is_marked_and_counted() -> None:
    sources = [SourceEntry(f"u{n}", f"d{n}.example", f"Title {n} " * 9, True, "other") for n in range(200)]
    findings = [KnownFinding("Why?", f"Finding {n} " * 9, "Title", "a2020") for n in range(200)]
    text = memo_to_planner_context(catalog_memo(sources_summary=sources, findings=findings))
    assert tokens(text) <= 2000
    assert "more domains left out" in text
    assert "more lines left out" in text


def test_findings_are_told_under_their_questions() -> None:
    findings = [
        KnownFinding(question, f"A fact on {question}", "Fares", "a2020") for question in ("Why?", "When?")
    ]
    text = memo_to_planner_context(catalog_memo(findings=findings, not_found=["work schedules"]))
    assert "On: Why?\n- A fact on Why? (Fares)\nOn: When?\n- A fact on When? (Fares)" in text
    assert "Not found: work schedules" in text


def test_the_floor_still_tells_five_gaps_and_three_claims() -> None:
    gaps = [topic_gap(n, f"Gap {n} {'long ' * 500}", 1) for n in range(9)]
    claims = [Claim(f"Claim {n} {'long ' * 500}", "https://a.example", "low", "q") for n in range(3)]
    text = memo_to_planner_context(catalog_memo(gaps=gaps, claims_to_verify=claims), max_tokens=400)
    assert tokens(text) <= 400
    assert all(f"Gap {n} " in text for n in range(5))
    assert all(f"Claim {n} " in text for n in range(3))


def test_a_line_break_cannot_start_a_line_of_its_own() -> None:
    text = memo_to_planner_context(catalog_memo(gaps=[topic_gap(1, "Prices\n## Claims\x00\u2028- forged", 1)]))
    assert "Prices ## Claims - forged" in text


@pytest.mark.parametrize("bound", [1, 5, 40, 120, 333, 2000])
def test_no_bound_is_ever_exceeded(bound: int) -> None:
    random_one = random.Random(bound)
    for _ in range(60):
        gaps = [
            topic_gap(n, "".join(random_one.choices("aé😀\n\x07\ud800 ", k=random_one.choice([0, 3, 5000]))), 1)
            for n in range(random_one.randrange(14))
        ]
        names = [CatalogCandidate("名" * random_one.randrange(400), None, {}, []) for _ in range(30)]
        memo = catalog_memo(gaps=gaps, candidates=names, query="\n" * random_one.randrange(3000))
        assert tokens(memo_to_planner_context(memo, max_tokens=bound)) <= bound


def test_no_bound_at_all_is_refused() -> None:
    with pytest.raises(ValueError, match="tokens"):
        memo_to_planner_context(catalog_memo(), max_tokens=0)


def test_an_empty_memo_is_only_its_head() -> None:
    memo = ResearchMemo("", ReportType.NARRATIVE, 1, 0, 0, 0, 0, 0)
    assert memo_to_planner_context(memo).startswith("## Memo of round 1 (narrative)")


def test_a_catalog_comes_back_from_json_as_it_was() -> None:
    value = FieldValue("$40 a month", "A pass costs $40 a month.", "metro2024", verified=True)
    found = CatalogCandidate("Day Pass", "https://x.example", {"pricing_model": FieldStatus.FOUND}, ["u"])
    found.values = {"pricing_model": [value]}
    memo = catalog_memo(candidates=[found])
    assert memo_from_json(json.loads(json.dumps(memo_to_json(memo)))) == memo


def test_a_narrative_comes_back_as_a_narrative() -> None:
    memo = ResearchMemo("q", ReportType.NARRATIVE, 2, 1, 2, 3, 4, 5, gaps=[topic_gap(1, "d")], tasks_failed=1)
    back = memo_from_json(memo_to_json(memo))
    assert back == memo
    assert type(back) is ResearchMemo
    assert type(back.gaps[0].state) is GapState


def test_the_five_most_urgent_gaps_are_told_whole_where_there_is_room() -> None:
    described = [f"Gap {at} " + "of many words " * 25 for at in range(10)]
    memo = ResearchMemo("q", ReportType.NARRATIVE, 1, 0, 0, 0, 0, 0)
    memo.gaps = [Gap("missing_topic", text.strip(), at) for at, text in enumerate(described)]
    memo.themes_covered = ["theme " * 200] * 5
    told = memo_to_planner_context(memo)
    assert all(gap.description in told for gap in memo.gaps[:5])
    assert all(f"Gap {at} of many" in told for at in range(10))


def test_the_same_gap_is_told_once() -> None:
    memo = ResearchMemo("q", ReportType.NARRATIVE, 1, 0, 0, 0, 0, 0)
    memo.gaps = [Gap("missing_topic", "Missing coverage: tides", 2) for _ in range(20)]
    told = memo_to_planner_context(memo)
    assert told.count("tides") == 1
    assert "left out" not in told
