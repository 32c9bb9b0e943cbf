"""Select the sources of a memo: at most 20, from as many domains as possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from research.memo.domain_use import domain_of
from research.memo.types import SourceEntry

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
    """Return read sources first, with one of each domain before the second of any."""
    seen: Counter[str] = Counter()
    ranked = []
    read_first = sorted(distinct_sources(sources), key=lambda source: not source.has_evidence)
    for place, source in enumerate(read_first):
        domain = domain_of(source)
        seen[domain] += 1
        if seen[domain] <= MAX_PER_DOMAIN:
            ranked.append((not source.has_evidence, seen[domain], place, source))
    return [source for *_, source in sorted(ranked, key=lambda item: item[:3])[:MAX_SOURCES]]
