"""Build the memo after a round from its results and the previous memo."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from research.config import ResearchConfig
from research.gap_detection import detect_gaps
from research.gaps.catalog_gaps import candidates_after, required_fields_after, target_after
from research.memo.domain_use import domains_after
from research.memo.memo_reading import read_memo
from research.memo.result_reading import read_results, useful
from research.memo.source_summary import distinct_sources, summarised_sources
from research.memo.types import CatalogMemo, Claim, ResearchMemo, SourceEntry
from research.memo.worker_result import WorkerResult
from research.plan.claim_choice import choose_claims
from research.questions.angles import angles_of, covers, names_angle
from research.report_type import ReportType
from research.text import detect_language

MAX_THEMES = 5
_MAX_THEME_CHARS = 120
#: Claims are chosen after Round 2, when gaps have been filled, for Round 3 to verify.
_CLAIMS_AFTER = 2


def build_round_memo(
    query: str,
    report_type: ReportType,
    round_index: int,
    worker_results: Iterable[object],
    previous_memo: ResearchMemo | Mapping[str, object] | None,
    config: ResearchConfig,
    *,
    earlier_results: Iterable[object] = (),
    angles: Sequence[str] | None = None,
) -> ResearchMemo:
    """Return the memo of a round.

    `worker_results`: the results of this round only, failed ones included; a failed task does not count towards
    the limit of tasks. `earlier_results`: those of earlier rounds, from which claims may also be chosen. `angles`:
    those of the plan.
    """
    previous = None if previous_memo is None else read_memo(previous_memo)
    every = read_results(worker_results)
    results = useful(every)
    before = previous.sources_summary if previous else []
    sources = distinct_sources([*before, *(source for result in results for source in result.sources)])
    language = detect_language(query) if query.strip() else config.language
    followed = list(angles) if angles is not None else angles_of(query, language)
    memo = ResearchMemo(
        query=query,
        report_type=report_type,
        round_index=round_index,
        tasks_completed=_before(previous, "tasks_completed") + len(results),
        tasks_remaining=max(config.max_tasks_total - _before(previous, "tasks_completed") - len(results), 0),
        unique_citations=_before(previous, "unique_citations") + _new_citations(results, before),
        unique_domains=domains_after(results, previous),
        pages_extracted=_before(previous, "pages_extracted") + _pages(results),
        themes_covered=_themes(results, previous, followed, language),
        sources_summary=summarised_sources(sources),
        gaps=detect_gaps(report_type, round_index, every, previous, config, query=query, angles=followed),
        tasks_failed=_before(previous, "tasks_failed") + len(every) - len(results),
    )
    of_all_rounds = [*useful(read_results(earlier_results)), *results]
    if report_type != ReportType.CATALOG:
        memo.claims_to_verify = _claims(memo, of_all_rounds, config, sources)
        return memo
    catalog = _as_catalog(memo, results, previous, config)
    catalog.claims_to_verify = _claims(catalog, of_all_rounds, config, sources)
    return catalog


def _as_catalog(
    memo: ResearchMemo, results: Sequence[WorkerResult], previous: ResearchMemo | None, config: ResearchConfig
) -> CatalogMemo:
    required, target = required_fields_after(previous, memo.query), target_after(previous, config, memo.query)
    return CatalogMemo(
        **vars(memo),
        target_items=target,
        candidates=candidates_after(results, previous, required, target),
        required_fields=required,
    )


def _claims(
    memo: ResearchMemo, results: Sequence[WorkerResult], config: ResearchConfig, sources: Iterable[SourceEntry]
) -> list[Claim]:
    if memo.round_index != _CLAIMS_AFTER:
        return []
    candidates = memo.candidates if isinstance(memo, CatalogMemo) else []
    known = distinct_sources([*sources, *(source for result in results for source in result.sources)])
    return choose_claims(results, candidates, known, config.max_claims)


def _before(memo: ResearchMemo | None, count: str) -> int:
    return int(getattr(memo, count)) if memo else 0


def _new_citations(results: Iterable[WorkerResult], before: Iterable[SourceEntry]) -> int:
    known = {source.key or source.url for source in before if source.has_evidence}
    read = {source.key or source.url for result in results for source in result.sources if source.has_evidence}
    return len(read - known)


def _pages(results: Iterable[WorkerResult]) -> int:
    """Return the number of pages with findings; a read source without findings counts as one."""
    found = {(finding.source_key, finding.page_no) for result in results for finding in result.findings}
    told = {key for key, _ in found}
    read = {source.key for result in results for source in result.sources if source.has_evidence}
    return len(found) + len(read - told)


def _themes(
    results: Sequence[WorkerResult], previous: ResearchMemo | None, angles: Sequence[str], language: str
) -> list[str]:
    """Return the angles covered so far, then the most frequent topics of findings."""
    findings = [finding for result in results for finding in result.findings]
    named = [
        topic for result in results for topic in [*result.topics, *(t for f in result.findings for t in f.topics)]
    ]
    covered = [
        angle
        for angle in angles
        if names_angle(named, angle) or any(covers(angle, finding.quote, language) for finding in findings)
    ]
    topics = sorted(dict.fromkeys(named), key=lambda topic: -named.count(topic))
    before = previous.themes_covered if previous else []
    themes = dict.fromkeys(theme.strip()[:_MAX_THEME_CHARS] for theme in [*before, *covered, *topics])
    return [theme for theme in themes if theme][:MAX_THEMES]
