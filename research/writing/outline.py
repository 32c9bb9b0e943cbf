"""Make a reader's outline fit to be written: known evidence, each once, short headings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from research.config import Language
from research.readers.protocol import Evidence, SectionOutline
from research.writing.headings import short_heading

#: Most evidence of a section.
_EVIDENCE = 12


def settled(
    outline: Sequence[SectionOutline],
    evidence: Sequence[Evidence],
    together: Sequence[tuple[str, str]],
    language: Language,
) -> list[SectionOutline]:
    """Return the sections that have evidence; a piece of evidence stays where it comes first.

    `together`: ids of evidence that contradicts each other; both go where the first one is.
    """
    outline = [replace(one, evidence_ids=_joined(one.evidence_ids, together)) for one in outline]
    taken: set[str] = set()
    known = {one.evidence_id for one in evidence}
    found: list[SectionOutline] = []
    for section in outline:
        ids = [one for one in dict.fromkeys(section.evidence_ids) if one in known and one not in taken][:_EVIDENCE]
        taken.update(ids)
        if ids:
            heading = short_heading(section.heading, section.question, language)
            found.append(replace(section, heading=heading, evidence_ids=tuple(ids)))
    return found


def _joined(ids: Sequence[str], together: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    partners = {one: other for pair in together for one, other in (pair, pair[::-1])}
    return tuple(each for one in ids for each in (one, partners.get(one, one)))
