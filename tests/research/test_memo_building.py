"""The memo after a round: counts that hold, claims worth verifying, sources of many domains."""

from __future__ import annotations

from research.config import ResearchConfig
from research.memo import CatalogMemo, FieldStatus
from research.report_type import ReportType
from research.rounds.memo_building import build_round_memo
from tests.research.round_results import entry, item, proven, result

CONFIG = ResearchConfig(max_tasks_total=4)
QUERY = "How do walking buses change the way to school?"
NARRATIVE, CATALOG = ReportType.NARRATIVE, ReportType.CATALOG


def test_a_failed_task_is_no_completed_one() -> None:
    memo = build_round_memo(QUERY, NARRATIVE, 1, [result(), result("r1_2", status="failed")], None, CONFIG)
    assert (memo.tasks_completed, memo.tasks_failed, memo.tasks_remaining) == (1, 1, 3)


def test_tasks_remaining_never_falls_below_nothing() -> None:
    memo = build_round_memo(QUERY, NARRATIVE, 1, [result(f"r1_{n}") for n in range(9)], None, CONFIG)
    assert memo.tasks_remaining == 0


def test_counts_go_on_over_the_rounds() -> None:
    first = build_round_memo(QUERY, NARRATIVE, 1, [result("r1_1", ("a", "One."), ("b", "Two."))], None, CONFIG)
    again = [result("r2_1", ("a", "One more."), ("c", "Three."))]
    second = build_round_memo(QUERY, NARRATIVE, 2, again, first, CONFIG)
    assert (second.tasks_completed, second.unique_citations, second.unique_domains) == (2, 3, 3)


def test_no_claim_before_round_two_and_none_where_nothing_is_claimed() -> None:
    told = [result("r1_1", ("a", "Walking buses cut car trips by 40 percent."))]
    assert build_round_memo(QUERY, NARRATIVE, 1, told, None, CONFIG).claims_to_verify == []
    plain = [result("r2_1", ("a", "Children walk to school."))]
    assert build_round_memo(QUERY, NARRATIVE, 2, plain, None, CONFIG).claims_to_verify == []


def test_claims_of_impact_are_chosen_one_a_domain() -> None:
    quotes = [
        ("a", "Walking buses cut car trips by 40 percent."),
        ("a", "Walking buses cost $12 a child and reduce traffic by 9 percent."),
        ("b", "The Marlow line was the first walking bus in the county."),
        ("d", "This comes to $120."),
        ("c", "Parents met at the corner."),
    ]
    memo = build_round_memo(QUERY, NARRATIVE, 2, [result("r2_1", *quotes)], None, CONFIG)
    assert [claim.source_domain for claim in memo.claims_to_verify] == ["a.example", "b.example"]
    first = memo.claims_to_verify[0]
    assert first.claim_text.startswith("Walking buses cost $12")
    assert first.claim_id and "Walking buses" in first.verification_query


def test_a_claim_is_one_statement_of_a_passage() -> None:
    told = "Walking buses cost the schools $12 a child."
    passage = f"Costs of buses\n\n{told} Parents met at the corner. It comes to $900 in all."
    memo = build_round_memo(QUERY, NARRATIVE, 2, [result("r2_1", ("a", passage))], None, CONFIG)
    assert [claim.claim_text for claim in memo.claims_to_verify] == [told]


def test_claims_bear_on_the_question() -> None:
    on, off = "Walking buses cut car trips by 4 percent.", "Dentures cost $9,000 and reduced pain by 80 percent."
    others = [(f"s{n}", f"Walking buses change the way to school {n}.") for n in range(12)]
    memo = build_round_memo(QUERY, NARRATIVE, 2, [result("r2_1", ("a", on), ("b", off), *others)], None, CONFIG)
    assert off not in [claim.claim_text for claim in memo.claims_to_verify]


def test_claims_of_earlier_rounds_are_considered() -> None:
    early = result("r1_1", ("a", "Walking buses cut car trips by 40 percent."))
    memo = build_round_memo(QUERY, NARRATIVE, 2, [result("r2_1")], None, CONFIG, earlier_results=[early])
    assert [claim.claim_text for claim in memo.claims_to_verify] == ["Walking buses cut car trips by 40 percent."]


def test_sources_of_many_domains_go_before_many_of_one() -> None:
    sources = [entry(f"m{n}", "big.example") for n in range(30)] + [entry(f"s{n}") for n in range(18)]
    memo = build_round_memo(QUERY, NARRATIVE, 1, [result(sources=sources)], None, CONFIG)
    domains = [source.domain for source in memo.sources_summary]
    assert len(domains) == 20
    assert len(set(domains)) == 19


def test_a_catalog_s_candidates_keep_where_each_value_stands() -> None:
    first = item("Alder", known={"pricing_model": [proven("$9", "lee2021")]})
    second = item("Alder Programme", known={"proof_links": [proven("a study", "sesay2020")]})
    memo = build_round_memo("Identify 3 tools", CATALOG, 1, [result(candidates=[first, second])], None, CONFIG)
    assert isinstance(memo, CatalogMemo)
    (one,) = memo.candidates
    assert (memo.target_items, one.name) == (3, "Alder")
    assert one.values["pricing_model"][0].source_key == "lee2021"
    assert one.values["proof_links"][0].source_key == "sesay2020"
    assert one.fields["pricing_model"] == FieldStatus.FOUND


def test_as_many_candidates_are_kept_as_are_wanted() -> None:
    config = ResearchConfig(catalog_target_items=12)
    many = [item(f"Item{n}") for n in range(40)]
    memo = build_round_memo("List tools", CATALOG, 1, [result(candidates=many)], None, config)
    assert isinstance(memo, CatalogMemo)
    assert len(memo.candidates) == 24


def test_a_source_is_told_by_what_was_found_in_it() -> None:
    quotes = [
        ("a", "Walking buses cost $12 a child."),
        ("b", "Walking buses cut car trips by 40 percent."),
        ("c", "Parents met at the corner."),
    ]
    read = result("r1_1", *quotes)
    read.sources.append(entry("d"))
    memo = build_round_memo(QUERY, NARRATIVE, 1, [read], None, CONFIG)
    told = {source.key: source.relevance for source in memo.sources_summary}
    assert told == {"a": "pricing", "b": "case_study", "c": "overview", "d": "other"}


def test_a_claim_is_surer_with_another_publisher_s_figure_and_less_sure_against_it() -> None:
    def confidence(other: str) -> str:
        quotes = [("a", "Walking buses cut car trips by 40 percent in superb Marlow."), ("b", other)]
        memo = build_round_memo(QUERY, NARRATIVE, 2, [result("r2_1", *quotes)], None, CONFIG)
        return next(claim.confidence for claim in memo.claims_to_verify if claim.source_domain == "a.example")

    assert confidence("Walking buses cut car trips by 40 percent in Marlow.") == "high"
    assert confidence("Walking buses cut car trips in Marlow by 9 percent.") == "low"
    assert confidence("Parents met at the corner.") == "medium"
