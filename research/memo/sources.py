"""The sources of a memo: which of them it names, and the domains that a report used over all rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from research.citations import registrable_domain
from research.memo.types import ResearchMemo, SourceEntry
from research.memo.worker_result import WorkerResult

MAX_SOURCES = 20
MAX_PER_DOMAIN = 3


def distinct_sources(sources: Iterable[SourceEntry]) -> list[SourceEntry]:
    """Return each source once, preferring an entry that was read."""
    kept: dict[str, SourceEntry] = {}
    for source in sources:
        place = source.key or source.url or source.title
        if place not in kept or (source.has_evidence and not kept[place].has_evidence):
            kept[place] = source
    return list(kept.values())


def summarised_sources(sources: Iterable[SourceEntry]) -> list[SourceEntry]:
    """Return at most `MAX_SOURCES`: read ones first, with one of each domain before the second of any."""
    seen: Counter[str] = Counter()
    ranked = []
    for source in sorted(distinct_sources(sources), key=lambda source: not source.has_evidence):
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
    return list(_read(memo.sources_summary)) if memo else []


def domains_after(results: Iterable[WorkerResult], memo: ResearchMemo | None) -> int:
    """Return the number of domains read, earlier rounds included, of which the memo may name only some."""
    before = used_domains(memo)
    new = _of_results(results).keys() - set(before)
    return max(memo.unique_domains if memo else 0, len(before)) + len(new)


def evidence_of_new_domains(results: Iterable[WorkerResult], memo: ResearchMemo | None) -> list[str]:
    """Return ids of this round's sources from domains not used before."""
    before = used_domains(memo)
    return [one for domain, ids in _of_results(results).items() if domain not in before for one in ids]


def _of_results(results: Iterable[WorkerResult]) -> dict[str, list[str]]:
    return _read(source for result in results for source in result.sources)


def _read(sources: Iterable[SourceEntry]) -> dict[str, list[str]]:
    """Return the distinct ids of the sources that were read, by domain."""
    found: dict[str, list[str]] = {}
    for source in sources:
        if source.has_evidence and (domain := domain_of(source)):
            found.setdefault(domain, [])
            one = source.key or source.url
            if one and one not in found[domain]:
                found[domain].append(one)
    return found
