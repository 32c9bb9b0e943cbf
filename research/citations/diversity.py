"""How many domains a report really rests on, and choosing sources so that none carries it alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")


def effective_domains(domains: Iterable[str]) -> float:
    """1 / Σ p², p being a domain's share of the sources: so many domains of equal share would be as diverse.

    The inverse of Simpson's index, Hill's number of order 2 (Hill 1973, "Diversity and evenness", Ecology 54,
    427–432): of the orders in use the one that counts domains with a single source least. 0 for no sources.
    """
    counts = Counter(domains)
    total = counts.total()
    return total**2 / sum(count**2 for count in counts.values()) if total else 0.0


def top_domain_share(domains: Iterable[str]) -> float:
    """The share of the sources that the most frequent domain has; 0 for no sources."""
    counts = Counter(domains)
    return max(counts.values()) / counts.total() if counts else 0.0


def choose_diverse(items: Sequence[T], domain_of: Callable[[T], Hashable], k: int, max_share: float) -> list[T]:
    """At most `k` items in their order (best first), none of whose domains has more than `max_share` of them.

    Each domain's best come before any domain's second best. Fewer than `k` are chosen where the share demands it;
    where there are too few domains to keep to it at all, they share as evenly as they can.
    """
    depths = _depths(items, domain_of)
    per_domain = Counter(domain_of(item) for item in items)
    count, cap = _size(per_domain, min(k, len(items)), max_share)
    ranked = sorted((depth, index) for index, depth in enumerate(depths) if depth < cap)
    return [items[index] for index in sorted(index for _, index in ranked[:count])]


def _depths(items: Sequence[T], domain_of: Callable[[T], Hashable]) -> list[int]:
    """How many of its domain stand before each item."""
    seen: Counter[Hashable] = Counter()
    depths = []
    for item in items:
        depths.append(seen[domain_of(item)])
        seen[domain_of(item)] += 1
    return depths


def _size(per_domain: Counter[Hashable], k: int, max_share: float) -> tuple[int, int]:
    """How many items can be had, and how many of one domain."""
    if len(per_domain) * max_share < 1:
        return k, max(1, -(-k // max(1, len(per_domain))))
    for count in range(k, 0, -1):
        cap = int(count * max_share + 1e-9)
        if cap and sum(min(held, cap) for held in per_domain.values()) >= count:
            return count, cap
    return min(k, len(per_domain)), 1
