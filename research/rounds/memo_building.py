"""Build the memo after a round from its results and the previous memo."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import zip_longest

from research.citations.quantities import quantities_in
from research.config import ResearchConfig
from research.gap_detection import detect_gaps
from research.gaps.catalog_gaps import candidates_after, required_fields, wanted_items
from research.gaps.gap_closing import topic_evidence
from research.meaning import Meaning, NoMeaning
from research.memo.sources import domains_after, summarised_sources
from research.memo.types import CatalogMemo, KnownFinding, ResearchMemo, SourceEntry
from research.memo.worker_result import WorkerResult, useful
from research.plan.claim_choice import choose_claims, is_on_money
from research.report_type import ReportType

MAX_THEMES = 5
#: Findings that the memo tells, and most characters of one.
MAX_FINDINGS, _FINDING_CHARS = 24, 300
#: Claims are chosen after Round 2, when gaps have been filled, for Round 3 to verify.
_CLAIMS_AFTER = 2


def build_round_memo(
    query: str,
    report_type: ReportType,
    round_index: int,
    worker_results: Sequence[WorkerResult],
    previous_memo: ResearchMemo | None,
    config: ResearchConfig,
    *,
    earlier_results: Sequence[WorkerResult] = (),
    aspects: Sequence[str] = (),
    meaning: Meaning | None = None,
    verifies: bool = True,
) -> ResearchMemo:
    """Return the memo of a round.

    `worker_results`: the results of this round only, failed ones included; a failed task does not count towards
    the limit of tasks. `earlier_results`: those of earlier rounds, from which claims may also be chosen.
    `aspects`: those of the plan. `meaning`: orders claims by nearness to the question; the default is by words.
    `verifies`: whether Round 3 verifies claims; a reading list claims nothing.
    """
    results, is_catalog = useful(worker_results), report_type == ReportType.CATALOG
    nothing = (CatalogMemo if is_catalog else ResearchMemo)(
        query, report_type, 0, 0, config.max_tasks_total, 0, 0, 0
    )
    before = previous_memo or nothing
    sources = [*before.sources_summary, *_relevant(results)]
    open_before = list(aspects) if previous_memo is None else before.not_found
    covered = [topic for topic in open_before if topic_evidence(topic, results)]
    completed = before.tasks_completed + len(results)
    memo = replace(
        before,
        round_index=round_index,
        tasks_completed=completed,
        tasks_remaining=max(config.max_tasks_total - completed, 0),
        unique_citations=before.unique_citations + _new_citations(results, before.sources_summary),
        unique_domains=domains_after(results, previous_memo),
        pages_extracted=before.pages_extracted + _pages(results),
        themes_covered=list(dict.fromkeys([*before.themes_covered, *covered]))[:MAX_THEMES],
        sources_summary=summarised_sources(sources),
        gaps=detect_gaps(
            report_type, round_index, worker_results, previous_memo, config, query=query, aspects=aspects
        ),
        claims_to_verify=[],
        tasks_failed=before.tasks_failed + len(worker_results) - len(results),
        findings=_known_findings(before.findings, results, sources),
        not_found=[topic for topic in open_before if topic not in covered],
    )
    if isinstance(memo, CatalogMemo):
        memo.required_fields, memo.target_items = required_fields(config, query), wanted_items(config, query)
        memo.candidates = candidates_after(results, previous_memo, config, query)
    if round_index == _CLAIMS_AFTER and verifies:
        every = [*useful(earlier_results), *results]
        candidates = memo.candidates if isinstance(memo, CatalogMemo) else []
        memo.claims_to_verify = choose_claims(query, every, candidates, config.max_claims, meaning or NoMeaning())
    return memo


def _relevant(results: Sequence[WorkerResult]) -> list[SourceEntry]:
    """Return the sources of a round with what was found in each: prices, other figures, words or nothing."""
    quotes: dict[str, list[str]] = {}
    for finding in (finding for result in results for finding in result.findings):
        quotes.setdefault(finding.source_key, []).append(finding.quote)
    sources = [one for result in results for one in result.sources]
    return [replace(one, relevance=_relevance(quotes.get(one.key, ()))) for one in sources]


def _relevance(quotes: Iterable[str]) -> str:
    told = list(quotes)
    if any(map(is_on_money, told)):
        return "pricing"
    if any(map(quantities_in, told)):
        return "case_study"
    return "overview" if told else "other"


def _new_citations(results: Iterable[WorkerResult], before: Iterable[SourceEntry]) -> int:
    known = {source.key or source.url for source in before if source.has_evidence}
    read = {source.key or source.url for result in results for source in result.sources if source.has_evidence}
    return len(read - known)


def _pages(results: Iterable[WorkerResult]) -> int:
    """Return the number of pages with findings; a source without pages counts as one."""
    return len({(finding.source_key, finding.page_no) for result in results for finding in result.findings})


def _known_findings(
    before: Sequence[KnownFinding], results: Iterable[WorkerResult], sources: Iterable[SourceEntry]
) -> list[KnownFinding]:
    """Return the best findings so far, one of each question before the second of any."""
    titles = {source.key: source.title for source in sources}
    new = [
        KnownFinding(
            result.question,
            " ".join(finding.quote.split())[:_FINDING_CHARS],
            titles.get(finding.source_key, ""),
            finding.source_key,
        )
        for result in results
        for finding in result.findings
    ]
    by_question: dict[str, list[KnownFinding]] = {}
    for one in {finding.text: finding for finding in [*new, *before]}.values():
        by_question.setdefault(one.question, []).append(one)
    in_turns = zip_longest(*by_question.values())
    return [one for turn in in_turns for one in turn if one is not None][:MAX_FINDINGS]
