"""Combine the hits of several searches: merge by rank, remove duplicates, spread over domains."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import TypeAdapter

from research.citations import choose_diverse, registrable_domain, same_reference
from research.sources.base import Hit

_HIT = TypeAdapter(Hit)
#: Hosts that only redirect or catalogue; `domain_of` does not take them as the domain of a work.
_RESOLVERS = frozenset({"doi.org", "openalex.org", "openlibrary.org"})
#: The usual constant of reciprocal rank fusion (Cormack, Clarke & Büttcher 2009).
_RANK_OFFSET = 60


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


def merged(lists: Iterable[Sequence[Hit]]) -> list[Hit]:
    """Merge lists by reciprocal rank fusion, best first: scores of different providers are not comparable."""
    kept: list[tuple[float, int, Hit]] = []
    for hits in lists:
        for rank, hit in enumerate(hits):
            gain = 1 / (_RANK_OFFSET + rank)
            place = next(
                (place for place, (_, _, other) in enumerate(kept) if _same(hit, other)),
                None,
            )
            if place is None:
                kept.append((gain, len(kept), hit))
            else:
                score, order, first = kept[place]
                kept[place] = (score + gain, order, first)
    return [hit for _, _, hit in sorted(kept, key=lambda item: (-item[0], item[1]))]


def without(hits: Iterable[Hit], avoided: Iterable[str]) -> list[Hit]:
    """Return the hits outside the avoided domains."""
    unwanted = {domain.casefold() for domain in avoided}
    return [hit for hit in hits if domain_of(hit) not in unwanted]


def spread(hits: Sequence[Hit], k: int, max_share: float) -> list[Hit]:
    """Return at most `k` hits, with at most `max_share` of them from one domain."""
    return choose_diverse(hits, domain_of, k, max_share)


def to_json(hit: Hit) -> dict[str, object]:
    """Serialise a hit for the graph's state, without its snippet."""
    kept: dict[str, object] = _HIT.dump_python(hit, mode="json")
    return {**kept, "snippet": ""}


def from_json(kept: dict[str, object]) -> Hit:
    """Restore a hit from the graph's state."""
    return _HIT.validate_python(kept)


def _same(one: Hit, other: Hit) -> bool:
    if one.provider == other.provider and one.locator == other.locator:
        return True
    return same_reference(identity(one), identity(other))
