"""Domains used by a report so far, over all rounds."""

from __future__ import annotations

from collections.abc import Iterable

from research.citations import registrable_domain
from research.memo.types import ResearchMemo, SourceEntry
from research.memo.worker_result import WorkerResult


def domain_of(source: SourceEntry) -> str:
    """Return a source's domain for comparison: the registrable domain of a host, or a publisher's name."""
    told = source.domain.strip().casefold()
    if told and ("." not in told or " " in told):
        return told
    return registrable_domain(told or source.url)


def used_domains(memo: ResearchMemo | None) -> list[str]:
    """Return the distinct domains of a memo's read sources."""
    read = [domain_of(source) for source in memo.sources_summary if source.has_evidence] if memo else []
    return list(dict.fromkeys(domain for domain in read if domain))


def domains_after(results: Iterable[WorkerResult], memo: ResearchMemo | None) -> int:
    """Return the number of domains read, earlier rounds included, of which the memo may name only some."""
    before = used_domains(memo)
    new = {domain for domain, _ in _read(results)} - set(before)
    return max(memo.unique_domains if memo else 0, len(before)) + len(new)


def evidence_of_new_domains(results: Iterable[WorkerResult], memo: ResearchMemo | None) -> list[str]:
    """Return ids of this round's sources from domains not used before."""
    before = set(used_domains(memo))
    return list(dict.fromkeys(one for domain, one in _read(results) if domain not in before and one))


def _read(results: Iterable[WorkerResult]) -> list[tuple[str, str]]:
    sources = [source for result in results for source in result.sources if source.has_evidence]
    return [(domain_of(source), source.key or source.url) for source in sources if domain_of(source)]
