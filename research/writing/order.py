"""Order chosen sentences: definitions first, a source's sentences together, similar ones next to each other."""

from __future__ import annotations

import re
from collections.abc import Sequence

from research.writing.relevance import Scale, Scored

#: Most sentences in a paragraph joined from several sources.
_PARAGRAPH = 4

_DEFINES = re.compile(
    r"\b(?:is|are)\s+(?:defined\s+as|understood\s+as|called|known\s+as|an?\s+(?:\w+\s+){0,4}(?:that|which|in\s+which|where|of|for))\b"
    r"|\brefers?\s+to\b|\bconsists?\s+(?:of|in)\b|\bmeans\s+(?:that|the)\b|\bdescribes\s+(?:a|an|the)\b"
    r"|\bse\s+(?:define|definen|entiende|entienden|llama|llaman|denomina|denominan|refiere|conoce|conocen)\b|\bconsisten?\s+en\b"
    r"|\bes\s+una?\s+(?:\w+\s+){0,4}(?:que|en\s+(?:la|el)\s+que|de|para)\b|\bsignifica\b",
    re.IGNORECASE,
)


def defines(text: str) -> bool:
    """Return whether the sentence is a definition."""
    return bool(_DEFINES.search(text[:160]))


def paragraphs(chosen: Sequence[Scored], scale: Scale) -> list[list[Scored]]:
    """Return the chosen sentences as paragraphs, in reading order."""
    units = _units(chosen)
    ordered: list[list[Scored]] = []
    while units:
        following = units[0] if not ordered else max(units, key=lambda unit: _nearness(ordered[-1], unit, scale))
        units.remove(following)
        ordered.append(following)
    return _packed(ordered)


def _units(chosen: Sequence[Scored]) -> list[list[Scored]]:
    """Group sentences by source in text order; groups that begin with a definition first, then by best score."""
    by_source: dict[str, list[Scored]] = {}
    for item in chosen:
        by_source.setdefault(item.sentence.key, []).append(item)
    units = [sorted(unit, key=lambda item: item.sentence.start) for unit in by_source.values()]
    return sorted(units, key=lambda unit: (not defines(unit[0].sentence.text), -max(i.score for i in unit)))


def _nearness(last: list[Scored], unit: list[Scored], scale: Scale) -> float:
    return scale.alike(last[-1].sentence.stems, unit[0].sentence.stems)


def _packed(units: Sequence[list[Scored]]) -> list[list[Scored]]:
    packed: list[list[Scored]] = []
    for unit in units:
        if packed and len(packed[-1]) + len(unit) <= _PARAGRAPH:
            packed[-1].extend(unit)
        else:
            packed.append(list(unit))
    return packed
