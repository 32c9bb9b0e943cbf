"""Names that share words: of those the pages write, at most one is the item."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from research.catalog.candidate_names import is_version
from research.readers.rules.named import Named


def chosen(names: Sequence[Named], chances: Sequence[float], least: float) -> list[int]:
    """Return the names with at least this chance, the likeliest first; of those that share words the likeliest."""
    overlaps, kept = overlapping(names), list[int]()
    for at in sorted(range(len(names)), key=lambda at: -chances[at]):
        if chances[at] < least:
            break
        longer, shorter = overlaps[at]
        beside = {other: (names[other], names[at]) for other in longer}
        beside |= {other: (names[at], names[other]) for other in shorter}
        if all(is_version_of(*beside[other]) for other in kept if other in beside):
            kept.append(at)
    return kept


def is_version_of(longer: Named, shorter: Named) -> bool:
    """Return whether a name is another one with the word for a version: "BrightVan Plus" is not "BrightVan"."""
    plain = {word for core in shorter.cores for word in core}
    return any(all(map(is_version, set(core) - plain)) for core in longer.cores)


def overlapping(names: Sequence[Named]) -> list[tuple[list[int], list[int]]]:
    """Return for each name those that contain its words, and those whose words it contains."""
    by_word: dict[str, list[tuple[int, tuple[str, ...]]]] = defaultdict(list)
    for at, one in enumerate(names):
        for core in one.cores:
            for word in set(core):
                by_word[word].append((at, core))
    found: list[tuple[list[int], list[int]]] = [([], []) for _ in names]
    for at, one in enumerate(names):
        longer = {
            other
            for core in one.cores
            if core
            for other, longer_core in min((by_word[word] for word in core), key=len)
            if other != at and _contains(longer_core, core)
        }
        found[at][0].extend(sorted(longer))
        for other in longer:
            found[other][1].append(at)
    return found


def _contains(longer: tuple[str, ...], core: tuple[str, ...]) -> bool:
    size = len(core)
    return size < len(longer) and any(longer[at : at + size] == core for at in range(len(longer) - size + 1))
