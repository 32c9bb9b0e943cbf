"""Gaps: found by candidate and field or by aspect, the same over the rounds, closed by evidence alone."""

from __future__ import annotations

import pytest

from core.messages import Message
from research.config import ResearchConfig
from research.gap_detection import RoundFacts, detect_gaps, gap_id, merged_gaps, shown_gaps
from research.memo import (
    DIVERSE_SOURCES,
    CatalogMemo,
    FieldStatus,
    FieldValue,
    Finding,
    Gap,
    GapCode,
    GapState,
    ResearchMemo,
    SourceEntry,
    WorkerResult,
    gap_message,
)
from research.report_type import ReportType
from research.rounds.memo_building import build_round_memo
from tests.research.round_results import entry, item, proven, result

CONFIG = ResearchConfig(catalog_target_items=1, min_total_domains=3)
CATALOG, NARRATIVE = ReportType.CATALOG, ReportType.NARRATIVE
MISSING, PARTIAL = FieldStatus.MISSING, FieldStatus.PARTIAL


def open_ones(gaps: list[Gap]) -> list[Gap]:
    return [gap for gap in gaps if gap.state == GapState.OPEN]


def after_round_one(*candidates: object, config: ResearchConfig = CONFIG) -> CatalogMemo:
    memo = build_round_memo("Identify 1 tool", CATALOG, 1, [result(candidates=list(candidates))], None, config)
    assert isinstance(memo, CatalogMemo)
    return memo


def test_a_missing_price_is_the_most_urgent() -> None:
    results = [result(candidates=[item("Alder", proof_links=MISSING), item("Birch", pricing_model=MISSING)])]
    first, second = open_ones(detect_gaps(CATALOG, 1, results, None, CONFIG))
    assert (first.candidate_name, first.priority, first.missing_fields) == ("Birch", 1, ["pricing_model"])
    assert (second.candidate_name, second.priority, second.missing_fields) == ("Alder", 2, ["proof_links"])
    assert first.suggested_query == '"Birch" pricing cost plans'


def test_no_search_is_made_for_an_address_alone() -> None:
    found = item("Alder", provider_url=MISSING)
    assert not [
        gap for gap in detect_gaps(CATALOG, 1, [result(candidates=[found])], None, CONFIG) if gap.missing_fields
    ]


def test_a_value_without_a_verified_quotation_is_weak() -> None:
    unproven = item("Alder", known={"pricing_model": [FieldValue("$9", quote="It costs $9.", source_key="a")]})
    gaps = open_ones(detect_gaps(CATALOG, 1, [result(candidates=[unproven, item("Birch")])], None, CONFIG))
    assert [(gap.gap_type, gap.missing_fields) for gap in gaps] == [("weak_evidence", ["pricing_model"])]


def test_a_price_of_round_two_closes_the_gap_of_round_one() -> None:
    memo = after_round_one(item("Alder", pricing_model=MISSING), item("Birch"))
    later = item("The Alder Programme", known={"pricing_model": [proven("$9 a month", "lee2021")]})
    (gap,) = detect_gaps(CATALOG, 2, [result("r2_1", candidates=[later])], memo, CONFIG)
    assert (gap.state, gap.evidence_ids, gap.closed_round) == (GapState.CLOSED, ["lee2021"], 2)
    assert gap.id == memo.gaps[0].id


def test_an_unproven_price_closes_nothing() -> None:
    memo = after_round_one(item("Alder", pricing_model=MISSING), item("Birch"))
    later = item("Alder", known={"pricing_model": [FieldValue("$9")]})
    (gap,) = detect_gaps(CATALOG, 2, [result("r2_1", candidates=[later])], memo, CONFIG)
    assert (gap.id, gap.state, gap.gap_type) == (memo.gaps[0].id, GapState.OPEN, "weak_evidence")


def test_what_is_found_of_several_fields_leaves_the_others() -> None:
    memo = after_round_one(item("Alder", pricing_model=MISSING, proof_links=MISSING), item("Birch"))
    later = item("Alder", known={"pricing_model": [proven("$9")]}, proof_links=MISSING)
    (gap,) = detect_gaps(CATALOG, 2, [result("r2_1", candidates=[later])], memo, CONFIG)
    assert (gap.id, gap.missing_fields, gap.priority) == (memo.gaps[0].id, ["proof_links"], 2)


def test_a_failed_task_brings_nothing_and_gives_nothing_up() -> None:
    memo = after_round_one(item("Alder", pricing_model=MISSING), item("Birch"))
    later = item("Alder", known={"pricing_model": [proven("$9")]})
    failed = result("r2_1", candidates=[later], status="failed", gap_id=memo.gaps[0].id)
    (gap,) = detect_gaps(CATALOG, 2, [failed], memo, CONFIG)
    assert gap.state == GapState.OPEN


def test_what_was_looked_for_in_vain_is_unfillable() -> None:
    memo = after_round_one(item("Alder", pricing_model=MISSING), item("Birch"))
    (gap,) = detect_gaps(
        CATALOG, 2, [result("r2_1", status="nothing_found", gap_id=memo.gaps[0].id)], memo, CONFIG
    )
    assert gap.state == GapState.UNFILLABLE


def test_what_was_given_up_stays_so_until_evidence_comes() -> None:
    first = after_round_one(item("Alder", pricing_model=MISSING), item("Birch"))
    in_vain = [result("r2_1", status="nothing_found", gap_id=first.gaps[0].id)]
    second = build_round_memo(first.query, CATALOG, 2, in_vain, first, CONFIG)
    assert [gap.state for gap in detect_gaps(CATALOG, 3, [], second, CONFIG)] == [GapState.UNFILLABLE]
    late = result("v_1", candidates=[item("Alder", known={"pricing_model": [proven("$9")]})])
    assert [gap.state for gap in detect_gaps(CATALOG, 3, [late], second, CONFIG)] == [GapState.CLOSED]


def test_as_many_candidates_are_wanted_as_were_asked_for() -> None:
    config = ResearchConfig(catalog_target_items=12)
    many = [item(f"Item{n}", pricing_model=MISSING, proof_links=MISSING) for n in range(9)]
    gaps = detect_gaps(CATALOG, 1, [result(candidates=many)], None, config)
    assert len(gaps) == 10, "the gap for more candidates is never cut"
    assert [gap_message(gap) for gap in gaps if gap.gap_type == "missing_candidates"] == [
        Message.of(GapCode.CANDIDATES_MISSING, have=9, wanted=12)
    ]


def test_a_target_of_twelve_can_be_met() -> None:
    config = ResearchConfig(catalog_target_items=12)
    memo = after_round_one(*[item(f"Item{n}") for n in range(9)], config=config)
    more = [item(f"Other{n}") for n in range(4)]
    (gap,) = detect_gaps(CATALOG, 2, [result("r2_1", candidates=more)], memo, config)
    assert (gap.gap_type, gap.state) == ("missing_candidates", GapState.CLOSED)
    assert gap.evidence_ids


def test_a_gap_keeps_its_id_however_its_name_is_written() -> None:
    assert gap_id("missing_field", "The Álamo Programme") == gap_id("missing_field", "alamo")
    assert gap_id("missing_field", "Alamo") != gap_id("missing_field", "Alamo Plus")
    assert gap_id("missing_topic", topic="use_cases") == gap_id("missing_topic", topic="Use cases")


def test_no_gap_is_closed_without_evidence() -> None:
    gap, facts = Gap("missing_topic", "d", 1), RoundFacts(2, [], None, CONFIG, QUERY, "en", [])
    assert facts.closed(gap, ["", ""]) == gap
    with pytest.raises(ValueError, match="evidence"):
        Gap("missing_topic", "d", 1, state=GapState.CLOSED)


def test_each_type_has_its_quota() -> None:
    gaps = [Gap("missing_field", str(n), 1) for n in range(30)] + [Gap("weak_evidence", "w", 3)]
    shown = shown_gaps(gaps)
    assert len(shown) == 10
    assert shown[-1].gap_type == "weak_evidence"


QUERY = "How do street trees affect summer heat in dense cities, and what do they cost?"
ASPECTS = ["summer heat", "yearly costs"]


def narrative(*findings: Finding) -> ResearchMemo:
    return build_round_memo(QUERY, NARRATIVE, 1, [found("r1_1", *findings)], None, CONFIG, aspects=ASPECTS)


def found(task_id: str, *findings: Finding) -> WorkerResult:
    sources = [entry(key) for key in dict.fromkeys(one.source_key for one in findings)]
    return result(task_id, findings=list(findings), sources=sources)


def finding(key: str, quote: str, *topics: str) -> Finding:
    return Finding(key, quote, 0, len(quote), topics=list(topics))


SHADE = finding("a", "Street trees reduced summer heat by 2 degrees.", "summer heat")


def test_aspects_that_nothing_covers_are_gaps() -> None:
    memo = narrative(SHADE)
    assert [gap.missing_topic for gap in open_ones(memo.gaps)] == [DIVERSE_SOURCES, "yearly costs"]
    assert memo.gaps[1].suggested_query == "yearly costs street trees summer heat dense cities"
    assert (memo.themes_covered, memo.not_found) == (["summer heat"], ["yearly costs"])


def test_domains_are_counted_over_all_rounds() -> None:
    memo = narrative(SHADE, finding("b", "Trees cost $90 each."))
    diverse = next(gap for gap in memo.gaps if gap.missing_topic == DIVERSE_SOURCES)
    same = detect_gaps(NARRATIVE, 2, [result("r2_1", sources=[entry("a2", "a.example")])], memo, CONFIG)
    assert next(gap for gap in same if gap.id == diverse.id).state == GapState.OPEN
    other = detect_gaps(NARRATIVE, 2, [result("r2_1", sources=[entry("c")])], memo, CONFIG)
    after = next(gap for gap in other if gap.id == diverse.id)
    assert (after.state, after.evidence_ids) == (GapState.CLOSED, ["c"])


def test_a_source_that_could_not_be_read_is_no_domain() -> None:
    memo = narrative(SHADE, finding("b", "Trees cost $90 each."))
    later = detect_gaps(NARRATIVE, 2, [result("r2_1", sources=[entry("c", read=False)])], memo, CONFIG)
    assert next(gap for gap in later if gap.missing_topic == DIVERSE_SOURCES).state == GapState.OPEN


def test_a_finding_on_the_aspect_closes_it_and_another_does_not() -> None:
    memo = narrative(SHADE)
    costs = next(gap for gap in memo.gaps if gap.missing_topic == "yearly costs")
    off = detect_gaps(NARRATIVE, 2, [found("r2_1", finding("b", "Plane trees are old."))], memo, CONFIG)
    assert next(gap for gap in off if gap.id == costs.id).state == GapState.OPEN
    on = [found("r2_1", finding("b", "Each tree costs the city $410.", "Yearly costs"))]
    assert next(gap for gap in detect_gaps(NARRATIVE, 2, on, memo, CONFIG) if gap.id == costs.id).evidence_ids == [
        "b"
    ]


def test_one_registered_domain_is_one_whatever_host_was_told() -> None:
    hosts = ["acme.com", "www.acme.com", "blog.acme.com", ""]
    sources = [SourceEntry(f"https://blog.acme.com/{at}", host, "", True, "") for at, host in enumerate(hosts)]
    gaps = detect_gaps(ReportType.NARRATIVE, 1, [result("r1_1", sources=sources)], None, ResearchConfig())
    few = [gap_message(gap) for gap in gaps if gap.missing_topic == DIVERSE_SOURCES]
    assert few == [Message.of(GapCode.PUBLISHERS_MISSING, have=1, wanted=ResearchConfig().min_total_domains)]


def test_a_proposed_topic_that_is_nearly_a_known_one_is_no_other_gap() -> None:
    known, proposed = (
        [Gap("missing_topic", "", 2, missing_topic=topic, id=topic) for topic in topics]
        for topics in (["cost of stalls"], ["stall costs", "opening hours", "Opening_hours"])
    )
    assert [gap.id for gap in merged_gaps(known, proposed, "en")] == ["cost of stalls", "opening hours"]
