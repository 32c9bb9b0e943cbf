"""Find sections that say or cite much less than the others, and those with claims that have no source."""

from __future__ import annotations

import re
from statistics import median

from core.messages import Message
from research.citations import uncited_claims
from research.document import MARKER, ReportDocument, Section
from research.supervision.codes import RationaleCode
from research.supervision.plain_text import plain
from research.supervision.types import Issue, Severity

_MARKER = re.compile(MARKER)
#: A section with fewer words than this share of the median is thin.
_THIN = 0.3
#: A section with at least this many words is never too short.
LEAST_WORDS = 40
#: Least number of sections to determine what is usual.
_LEAST_SECTIONS = 3
#: Number of claims without a source in a section from which the issue is moderate.
_SEVERAL = 2
#: Largest number in words that is ignored, since it may only structure the text: "three kinds of programme".
_FEW = 12


def thin_sections(document: ReportDocument) -> list[tuple[Issue, float]]:
    """Return issues with their confidence, shortest sections first; sections without text are ignored."""
    sections = [section for section in document.sections if section.required and section.body.strip()]
    if len(sections) < _LEAST_SECTIONS:
        return []
    words = {section.key: len(plain(section.body).split()) for section in sections}
    keys = {section.key: len({found["key"] for found in _MARKER.finditer(section.body)}) for section in sections}
    usual, cited = median(words.values()), median(keys.values())
    found = []
    for section in sections:
        short = words[section.key] < min(_THIN * usual, LEAST_WORDS)
        unsourced = keys[section.key] == 0 and cited >= 2 and words[section.key] >= LEAST_WORDS
        if short or unsourced:
            found.append((_thin(document, section, "moderate" if unsourced else "minor"), 0.5))
    return sorted(found, key=lambda one: words[one[0].section])


def unsupported_claims(document: ReportDocument) -> list[tuple[Issue, float]]:
    """Return an issue with its confidence for each section with sentences that need a citation and have none."""
    found = []
    for section in document.sections:
        alone = document.model_copy(update={"sections": (section,)})
        claims = uncited_claims(alone, above=_FEW)
        if claims:
            found.append((_unsupported(section, claims), 0.6))
    return found


def _thin(document: ReportDocument, section: Section, severity: Severity) -> Issue:
    return Issue(
        topic=section.heading[:200] or document.title[:200],
        section=section.key,
        issue_type="thin_section",
        severity=severity,
        grounds=Message.of(RationaleCode.SECTION_THIN),
        suggested_queries=(f"{section.heading} {document.title}"[:200],),
    )


def _unsupported(section: Section, claims: list[str]) -> Issue:
    return Issue(
        topic=claims[0][:200],
        section=section.key,
        issue_type="unsupported_claim",
        severity="moderate" if len(claims) >= _SEVERAL else "minor",
        grounds=Message.of(RationaleCode.CLAIMS_UNSUPPORTED, heading=section.heading, count=len(claims)),
        suggested_queries=tuple(claim[:200] for claim in claims[:3]),
    )
