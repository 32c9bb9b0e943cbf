"""Tell by trained models which of the names on a request's pages are items that it asks for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path

from research.readers.rules.named import Named
from research.readers.rules.signs import Pages, signs_among, signs_of
from research.text.linear_model import LinearModel, stored_models

#: Written by `scripts/items/train.py`.
FILE = Path(__file__).with_name("items.json.gz")
#: Most sources that are judged together: the models are trained with so many.
_TOGETHER = 4


@cache
def models() -> Mapping[str, LinearModel]:
    """Return the models "alone" and "among"."""
    return stored_models(FILE)


def chances_of(names: Sequence[Named], pages: Pages, trained: Mapping[str, LinearModel]) -> list[float]:
    """Return of each name the probability that it is a requested item, from 0 to 1.

    Of many sources those that share names are judged together, and the best chance counts.
    """
    best = [0.0] * len(names)
    for within, some in judged_together(names, pages):
        for at, chance in zip(within, _chances(list(within.values()), some, trained), strict=True):
            best[at] = max(best[at], chance)
    return best


def judged_together(names: Sequence[Named], pages: Pages) -> Iterator[tuple[dict[int, Named], Pages]]:
    """Yield groups of the sources, each with the names that it has, by their place among all."""
    for group in groups_of(names, list(pages.sources)):
        told = ((at, one.within(group)) for at, one in enumerate(names))
        yield {at: one for at, one in told if one.places or one.entries}, pages.within(group)


def _chances(names: Sequence[Named], pages: Pages, trained: Mapping[str, LinearModel]) -> list[float]:
    signs = [signs_of(one, pages, len(names)) for one in names]
    alone = [trained["alone"].probability(one) for one in signs]
    return [trained["among"].probability(one) for one in signs_among(signs, names, alone)]


def groups_of(names: Sequence[Named], keys: Sequence[str]) -> Iterator[list[str]]:
    """Yield the sources, each with those that share most names with it; a name in few sources counts for more."""
    if len(keys) <= _TOGETHER:
        yield list(keys)
        return
    shared: dict[tuple[str, str], float] = defaultdict(float)
    for one in names:
        sources = sorted({place.source_key for place in one.places})
        for pair in combinations(sources, 2):
            shared[pair] += 1 / len(sources)
    left = list(keys)
    while left:
        group = [left.pop(0)]
        while left and len(group) < _TOGETHER:
            near = [sum(shared[min(key, own), max(key, own)] for own in group) for key in left]
            group.append(left.pop(near.index(max(near))))
        yield group
