"""Write the section on which claims other sources confirm."""

from __future__ import annotations

from collections.abc import Mapping

from research.document import Section
from research.material import ReportMaterial
from research.writing.claims import ClaimBook, Verification
from research.writing.narrative import Evidence
from research.writing.quoting import side_by_side
from research.writing.verification import verdicts
from research.writing.wording import WORDING, Wording

KEY = "how-far-this-holds"


def how_far_section(material: ReportMaterial, evidence: Evidence, book: ClaimBook) -> list[Section]:
    """Return a section with each claim that Round 3 verified and the result; an empty list without claims."""
    words, language = WORDING[material.config.language], material.config.language
    parts = []
    for verdict in verdicts(material, evidence.whole, evidence.scale):
        said = [verdict.sentence, *([verdict.other] if verdict.other else [])]
        parts.append(side_by_side(_leads(words)[verdict.verification], said, book, language))
        book.verified_as(verdict.sentence, verdict.verification)
    return [Section(key=KEY, heading=words.how_far, body="\n\n".join(parts))] if parts else []


def _leads(words: Wording) -> Mapping[Verification, str]:
    return {"confirmed": words.confirmed, "contradicted": words.contradicted, "not_found": words.not_confirmed}
