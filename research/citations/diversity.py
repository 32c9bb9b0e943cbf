"""Choose sources with a limit per domain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

T = TypeVar("T")


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
    count, cap = _size(held, min(k, len(items)), max_share)
    chosen = sorted(one for one in ranked if one[0] < cap)[:count]
    return [items[place] for place in sorted(place for _, place in chosen)]


def _size(held: Counter[Hashable], k: int, max_share: float) -> tuple[int, int]:
    """Return the number of items to choose and the most to take from one domain."""
    if len(held) * max_share < 1:
        return k, max(1, -(-k // max(1, len(held))))
    for count in range(k, 0, -1):
        cap = int(count * max_share + 1e-9)
        if cap and sum(min(number, cap) for number in held.values()) >= count:
            return count, cap
    return min(k, len(held)), 1
