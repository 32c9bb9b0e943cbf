"""The sources of a memo: which of them it names, and the domains that a report used over all rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from research.citations import registrable_domain
from research.memo.types import ResearchMemo, SourceEntry
from research.memo.worker_result import WorkerResult

MAX_SOURCES = 20
MAX_PER_DOMAIN = 3


def summarised_sources(sources: Iterable[SourceEntry]) -> list[SourceEntry]:
    """Return each source once, at most `MAX_SOURCES`: read ones first, one of each domain first."""
    kept: dict[str, SourceEntry] = {}
    for source in sources:
        place = source.key or source.url or source.title
        if place not in kept or (source.has_evidence and not kept[place].has_evidence):
            kept[place] = source
    seen: Counter[str] = Counter()
    ranked = []
    for source in sorted(kept.values(), key=lambda source: not source.has_evidence):
        seen[domain_of(source)] += 1
        ranked.append((not source.has_evidence, seen[domain_of(source)], source))
    ranked.sort(key=lambda item: item[:2])
    return [source for _, nth, source in ranked if nth <= MAX_PER_DOMAIN][:MAX_SOURCES]


def domain_of(source: SourceEntry) -> str:
    """Return a source's domain for comparison: the registrable domain of a host, or a publisher's name."""
    told = source.domain.strip().casefold()
    if told and ("." not in told or " " in told):
        return told
    return registrable_domain(told or source.url)


def used_domains(memo: ResearchMemo | None) -> list[str]:
    """Return the distinct domains of a memo's read sources."""
    read = [source for source in memo.sources_summary if source.has_evidence] if memo else []
    return list(dict.fromkeys(filter(None, map(domain_of, read))))


def new_domains(results: Iterable[WorkerResult], memo: ResearchMemo | None) -> dict[str, list[str]]:
    """Return the domains that this round read first, each with the ids of its sources."""
    before = used_domains(memo)
    found: dict[str, list[str]] = {}
    for source in (source for result in results for source in result.sources if source.has_evidence):
        if (domain := domain_of(source)) and domain not in before:
            found.setdefault(domain, []).append(source.key or source.url)
    return found


def domains_after(results: Iterable[WorkerResult], memo: ResearchMemo | None) -> int:
    """Return the number of domains read, earlier rounds included, of which the memo may name only some."""
    return (memo.unique_domains if memo else 0) + len(new_domains(results, memo))
