"""Analysis without a model: find missing concepts and weak sections, and choose the most severe gap."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

from core.messages import Message
from research.citations import uncited_claims
from research.document import ReportDocument, Section
from research.storage.progress import LibraryState
from research.supervision.analysis.missing_concepts import LEAST_SOURCES, missing_concepts
from research.supervision.analysis.related_sources import Related, unread
from research.supervision.codes import ExaminedCode, RationaleCode
from research.supervision.outline import cited_in, plain
from research.supervision.types import WEIGHT, Issue, SupervisionTier, SupervisorDecision, was_explored

#: A section with fewer words than this share of the median is thin.
_THIN = 0.3
#: A section with at least this many words is never too short.
_LEAST_WORDS = 40
#: Least number of sections to determine what is usual.
_LEAST_SECTIONS = 3
#: Number of claims without a source in a section from which the issue is moderate.
_SEVERAL = 2
#: Largest number in words that is ignored, since it may only structure the text: "three kinds of programme".
_FEW = 12


@dataclass(frozen=True)
class RuleAnalyst:
    """Analyses by rule."""

    related: Related
    library: Callable[[], LibraryState]
    #: Concepts named in the report's plan.
    planned: Sequence[str] = ()

    def analyse(
        self, document: ReportDocument, explored: Sequence[str], iteration: int, tier: SupervisionTier
    ) -> SupervisorDecision:
        """See `SupervisionContext.analyse`. Explored issues are skipped; the reasoning is empty.

        Without an issue, the document was examined if it has enough text, and sources in its language.
        """
        sources = self.related(document)
        concepts = missing_concepts(document, sources, self.planned)
        found = [*concepts, *unsupported_claims(document), *thin_sections(document)]
        least = WEIGHT[tier.least_severity]
        left = [one for one in found if WEIGHT[one.severity] >= least and not was_explored(one, explored)]
        if left:
            return SupervisorDecision(max(left, key=lambda issue: WEIGHT[issue.severity]))
        if short := too_short(document):
            return SupervisorDecision(examined=False, note=short)
        compared = sum(one.language == document.language for one in sources.values())
        if compared >= LEAST_SOURCES:
            satisfied = ExaminedCode.NOTHING_FURTHER if found else ExaminedCode.RULES_SATISFIED
            return SupervisorDecision(note=Message.of(satisfied, sources=compared))
        too_few = Message.of(ExaminedCode.TOO_FEW_SOURCES, found=compared, least=LEAST_SOURCES)
        return SupervisorDecision(examined=False, note=unread(self.library()) or too_few)


def too_short(document: ReportDocument) -> Message | None:
    """Return a message if no section has enough words to be examined."""
    if any(len(plain(section.body).split()) >= _LEAST_WORDS for section in document.sections):
        return None
    return Message.of(ExaminedCode.DOCUMENT_TOO_SHORT, least=_LEAST_WORDS)


def thin_sections(document: ReportDocument) -> list[Issue]:
    """Return an issue for each section that says or cites too little, shortest first; empty ones are ignored."""
    sections = [section for section in document.sections if section.required and section.body.strip()]
    if len(sections) < _LEAST_SECTIONS:
        return []
    words = {section.key: len(plain(section.body).split()) for section in sections}
    keys = {section.key: len(cited_in(section.body)) for section in sections}
    usual, cited = median(words.values()), median(keys.values())
    found = []
    for section in sorted(sections, key=lambda section: words[section.key]):
        short = words[section.key] < min(_THIN * usual, _LEAST_WORDS)
        unsourced = keys[section.key] == 0 and cited >= 2 and words[section.key] >= _LEAST_WORDS
        if short or unsourced:
            issue = Issue(
                topic=section.heading[:200] or document.title[:200],
                section=section.key,
                issue_type="thin_section",
                severity="moderate" if unsourced else "minor",
                grounds=Message.of(RationaleCode.SECTION_THIN),
                suggested_queries=(_subject(section, document), document.title[:200]),
            )
            found.append(issue)
    return found


def unsupported_claims(document: ReportDocument) -> list[Issue]:
    """Return an issue for each section with sentences that need a citation and have none."""
    found = []
    for section in document.sections:
        claims = uncited_claims(document.model_copy(update={"sections": (section,)}), above=_FEW)
        if claims:
            issue = Issue(
                topic=claims[0][:200],
                section=section.key,
                issue_type="unsupported_claim",
                severity="moderate" if len(claims) >= _SEVERAL else "minor",
                grounds=Message.of(RationaleCode.CLAIMS_UNSUPPORTED, heading=section.heading, count=len(claims)),
                # No source contains all words of a statement.
                suggested_queries=(_subject(section, document), *(claim[:200] for claim in claims[:2])),
            )
            found.append(issue)
    return found


def _subject(section: Section, document: ReportDocument) -> str:
    return f"{section.heading} {document.title}".strip()[:200]
