"""Measure how diverse the domains of a report's sources are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable


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
