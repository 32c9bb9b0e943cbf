"""Combine the hits of several searches: merge by rank, remove duplicates, spread over domains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

from research.citations import registrable_domain
from research.citations.same_reference import Identity, identity_of, same_work
from research.meaning import fused
from research.sources.base import Hit

T = TypeVar("T")

#: Hosts that only redirect or catalogue; `domain_of` does not take them as the domain of a work.
_RESOLVERS = frozenset({"doi.org", "openalex.org", "openlibrary.org"})


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
    distinct: dict[Hit, Identity] = {}
    rankings: list[dict[Hit, None]] = []
    for hits in lists:
        rankings.append({})
        for hit in hits:
            own = identity_of(vars(hit))
            known = next(
                (
                    other
                    for other, its in distinct.items()
                    if (hit.provider, hit.locator) == (other.provider, other.locator) or same_work(own, its)
                ),
                hit,
            )
            distinct.setdefault(known, own)
            # Once in a list, though a provider may name a page twice.
            rankings[-1].setdefault(known)
    unwanted = {domain.casefold() for domain in avoided}
    return [hit for hit in fused(map(list, rankings)) if domain_of(hit) not in unwanted]


def choose_diverse(items: Sequence[T], domain_of: Callable[[T], Hashable], k: int, max_share: float) -> list[T]:
    """Choose at most `k` items, in the given order (best first), with at most `max_share` of them from one domain.

    The best item of every domain is preferred to the second best of any. Fewer than `k` are chosen if the limit
    requires it; with too few domains to meet the limit at all, the items are spread as evenly as possible.
    """
    held: Counter[Hashable] = Counter()
    #: For each item, how many earlier items have the same domain, and its place.
    ranked: list[tuple[int, int]] = []
    for place, item in enumerate(items):
        ranked.append((held[domain_of(item)], place))
        held[domain_of(item)] += 1
    ranked.sort()
    are_too_few = len(held) * max_share < 1
    for count in range(min(k, len(items)), 0, -1):
        cap = -(-count // len(held)) if are_too_few else max(1, int(count * max_share + 1e-9))
        chosen = [place for rank, place in ranked if rank < cap][:count]
        if are_too_few or len(chosen) == count:
            return [items[place] for place in sorted(chosen)]
    return []
