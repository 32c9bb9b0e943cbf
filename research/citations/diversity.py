"""Measure the diversity of domains among a report's sources, and choose sources with a limit per domain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")


def effective_domains(domains: Iterable[str]) -> float:
    """Return the effective number of domains, 1 / Σ p², where p is a domain's share of the sources.

    The inverse of Simpson's index, Hill's number of order 2 (Hill 1973, "Diversity and evenness", Ecology 54,
    427–432): of the orders in use, it gives domains with a single source the least weight. 0 for no sources.
    """
    counts = Counter(domains)
    total = counts.total()
    return total**2 / sum(count**2 for count in counts.values()) if total else 0.0


def top_domain_share(domains: Iterable[str]) -> float:
    """Return the share of sources from the most frequent domain; 0 for no sources."""
    counts = Counter(domains)
    return max(counts.values()) / counts.total() if counts else 0.0


def choose_diverse(items: Sequence[T], domain_of: Callable[[T], Hashable], k: int, max_share: float) -> list[T]:
    """Choose at most `k` items, in the given order (best first), with at most `max_share` of them from one domain.

    The best item of every domain is preferred to the second best of any. Fewer than `k` are chosen if the limit
    requires it; with too few domains to meet the limit at all, the items are spread as evenly as possible.
    """
    depths = _depths(items, domain_of)
    per_domain = Counter(domain_of(item) for item in items)
    count, cap = _size(per_domain, min(k, len(items)), max_share)
    ranked = sorted((depth, index) for index, depth in enumerate(depths) if depth < cap)
    return [items[index] for index in sorted(index for _, index in ranked[:count])]


def _depths(items: Sequence[T], domain_of: Callable[[T], Hashable]) -> list[int]:
    """Return, for each item, how many earlier items have the same domain."""
    seen: Counter[Hashable] = Counter()
    depths = []
    for item in items:
        depths.append(seen[domain_of(item)])
        seen[domain_of(item)] += 1
    return depths


def _size(per_domain: Counter[Hashable], k: int, max_share: float) -> tuple[int, int]:
    """Return the number of items to choose and the most to take from one domain."""
    if len(per_domain) * max_share < 1:
        return k, max(1, -(-k // max(1, len(per_domain))))
    for count in range(k, 0, -1):
        cap = int(count * max_share + 1e-9)
        if cap and sum(min(held, cap) for held in per_domain.values()) >= count:
            return count, cap
    return min(k, len(per_domain)), 1
