"""Combine the hits of several searches: merge by rank, remove duplicates, spread over domains."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from research.citations import registrable_domain, same_reference
from research.meaning import fused
from research.sources.base import Hit

#: Hosts that only redirect or catalogue; `domain_of` does not take them as the domain of a work.
_RESOLVERS = frozenset({"doi.org", "openalex.org", "openlibrary.org"})


def identity(hit: Hit) -> dict[str, str | None]:
    """Return the fields by which `same_reference` compares hits."""
    return {"title": hit.title, "url": hit.url, "doi": hit.doi, "isbn": hit.isbn}


def domain_of(hit: Hit) -> str:
    """Return the registrable domain of a web page; for other works the publisher, else domain or provider."""
    domain = registrable_domain(hit.url) if hit.url else ""
    if hit.kind == "web" and hit.provider != "library" and domain:
        return domain
    if hit.publisher:
        return " ".join(hit.publisher.casefold().split())
    return hit.provider if not domain or domain in _RESOLVERS else domain


def merged(lists: Iterable[Sequence[Hit]], avoided: Iterable[str] = ()) -> list[Hit]:
    """Merge lists by their ranks, best first, without the avoided domains; scores of providers do not compare."""
    distinct: list[Hit] = []
    rankings: list[list[Hit]] = []
    for hits in lists:
        rankings.append([])
        for hit in hits:
            known = next((other for other in distinct if _same(hit, other)), None)
            if known is None:
                distinct.append(hit)
            rankings[-1].append(known or hit)
    unwanted = {domain.casefold() for domain in avoided}
    return [hit for hit in fused(rankings) if domain_of(hit) not in unwanted]


def _same(one: Hit, other: Hit) -> bool:
    if one.provider == other.provider and one.locator == other.locator:
        return True
    return same_reference(identity(one), identity(other))
