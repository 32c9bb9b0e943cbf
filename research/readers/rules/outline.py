"""Divide the evidence of a narrative into sections by the aspects of its plan."""

from __future__ import annotations

from collections.abc import Sequence

from research.meaning import Meaning
from research.meaning.ranking import Text, rank_texts
from research.readers.protocol import Asked, Evidence, Plan, SectionOutline

#: Most findings of a section.
_MOST = 12


def outline_of(asked: Asked, plan: Plan, evidence: Sequence[Evidence], meaning: Meaning) -> list[SectionOutline]:
    """Return a section per aspect, each with the evidence that is nearest to it and to no earlier aspect."""
    left, sections = list(evidence), list[SectionOutline]()
    for aspect in plan.aspects or (asked.query,):
        texts = [Text(one.finding.quote, one.language) for one in left]
        scores = rank_texts(aspect, texts, meaning)
        ranked = sorted(zip(scores, range(len(left)), strict=True), key=lambda pair: (-pair[0], pair[1]))
        chosen = [left[place] for score, place in ranked[:_MOST] if score > 0]
        if chosen:
            ids = tuple(one.evidence_id for one in chosen)
            sections.append(SectionOutline(aspect, aspect, ids, (aspect,)))
            left = [one for one in left if one.evidence_id not in ids]
    return sections
