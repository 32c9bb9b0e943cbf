"""Analysis without a model: concepts that are missing, claims without a source and thin sections."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from core.messages import Message
from research.citations import uncited_claims
from research.document import ReportDocument
from research.material import SourceText
from research.storage.progress import LibraryState
from research.supervision.analysis.concepts import Term, concepts_of, stems_by_sentence, stems_of
from research.supervision.analysis.related_sources import Related, unread
from research.supervision.codes import ExaminedCode, RationaleCode
from research.supervision.outline import cited_in, plain, plain_of
from research.supervision.types import (
    Issue,
    IssueType,
    Severity,
    SupervisionTier,
    SupervisorDecision,
    was_explored,
)

_CONCEPT = IssueType.FOUNDATIONAL_CONCEPTS
#: Least number of sources that a document is compared with.
_LEAST_SOURCES = 2
#: Share of the sources that rest on a concept from which its absence is significant; below, it is moderate.
_SIGNIFICANT = 0.3
#: Number of cited texts from which one must contain the concept.
_ENOUGH_CITED = 3
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
        least = tier.least_severity.weight
        left = [one for one in found if one.severity.weight >= least and not was_explored(one, explored)]
        if left:
            return SupervisorDecision(max(left, key=lambda issue: issue.severity.weight))
        if short := too_short(document):
            return SupervisorDecision(examined=False, note=short)
        compared = sum(one.language == document.language for one in sources.values())
        if compared >= _LEAST_SOURCES:
            satisfied = ExaminedCode.NOTHING_FURTHER if found else ExaminedCode.RULES_SATISFIED
            return SupervisorDecision(note=Message.of(satisfied, sources=compared))
        too_few = Message.of(ExaminedCode.TOO_FEW_SOURCES, found=compared, least=_LEAST_SOURCES)
        return SupervisorDecision(examined=False, note=unread(self.library()) or too_few)


def too_short(document: ReportDocument) -> Message | None:
    """Return a message if no section has enough words to be examined."""
    if any(len(plain(section.body).split()) >= _LEAST_WORDS for section in document.sections):
        return None
    return Message.of(ExaminedCode.DOCUMENT_TOO_SHORT, least=_LEAST_WORDS)


def missing_concepts(
    document: ReportDocument, sources: Mapping[str, SourceText], planned: Sequence[str] = ()
) -> list[Issue]:
    """Return an issue for each concept that the document does not name: of the plan, then of its sources.

    `sources`: those that the document cites and the library's on its subject; `planned`: concepts named in the
    plan, required independently of the sources.
    """
    language = document.language
    said = stems_by_sentence(f"{document.title}\n\n{plain_of(document)}", language)
    own = [(key, source) for key, source in sorted(sources.items()) if source.language == language]
    cited = {reference.key for reference in document.references} & sources.keys()
    found = [
        _issue(_CONCEPT, topic, Severity.SIGNIFICANT, Message.of(RationaleCode.PLANNED_NOT_NAMED), [topic])
        for topic in planned
        if not any(stems_of(topic, language) <= sentence for sentence in said)
    ]
    for concept in concepts_of(own, language):
        # A concept that no cited source holds is of another subject.
        is_of_subject = len(cited) < _ENOUGH_CITED or cited & concept.sources
        if is_of_subject and not any(concept.stems <= sentence for sentence in said):
            topic, count = concept.written, len(concept.sources)
            severity = Severity.SIGNIFICANT if count >= _SIGNIFICANT * len(own) else Severity.MODERATE
            grounds = Message.of(RationaleCode.CONCEPT_NOT_NAMED, naming=count, sources=len(own))
            queries = [topic, f"{topic} {document.title}"]
            found.append(_issue(_CONCEPT, topic, severity, grounds, queries, _nearest(document, concept)))
    return found


def thin_sections(document: ReportDocument) -> list[Issue]:
    """Return an issue for each section that says or cites too little, shortest first; empty ones are ignored."""
    measured = [
        (len(plain(section.body).split()), len(cited_in(section.body)), section)
        for section in document.sections
        if section.required and section.body.strip()
    ]
    if len(measured) < _LEAST_SECTIONS:
        return []
    usual, cited = median(words for words, _, _ in measured), median(keys for _, keys, _ in measured)
    found = []
    for words, keys, section in sorted(measured, key=lambda one: one[0]):
        unsourced = keys == 0 and cited >= 2 and words >= _LEAST_WORDS
        if unsourced or words < min(_THIN * usual, _LEAST_WORDS):
            severity = Severity.MODERATE if unsourced else Severity.MINOR
            topic, grounds = section.heading or document.title, Message.of(RationaleCode.SECTION_THIN)
            queries = [f"{section.heading} {document.title}".strip(), document.title]
            found.append(_issue(IssueType.THIN_SECTION, topic, severity, grounds, queries, section.key))
    return found


def unsupported_claims(document: ReportDocument) -> list[Issue]:
    """Return an issue for each section with sentences that need a citation and have none."""
    found = []
    for section in document.sections:
        claims = uncited_claims(document.model_copy(update={"sections": (section,)}), above=_FEW)
        if claims:
            severity = Severity.MODERATE if len(claims) >= _SEVERAL else Severity.MINOR
            grounds = Message.of(RationaleCode.CLAIMS_UNSUPPORTED, heading=section.heading, count=len(claims))
            # No source contains all words of a statement.
            queries = [f"{section.heading} {document.title}".strip(), *claims[:2]]
            found.append(_issue(IssueType.UNSUPPORTED_CLAIM, claims[0], severity, grounds, queries, section.key))
    return found


def _issue(
    kind: IssueType, topic: str, severity: Severity, grounds: Message, queries: Sequence[str], section: str = ""
) -> Issue:
    return Issue(
        topic=topic[:200],
        section=section,
        issue_type=kind,
        severity=severity,
        grounds=grounds,
        suggested_queries=tuple(query[:200] for query in queries),
        foundational_concepts=(topic[:200],) if kind is _CONCEPT else (),
    )


def _nearest(document: ReportDocument, concept: Term) -> str:
    """Return the key of the section that cites the concept's sources most often, else of the longest."""
    cited = (
        (sum(section.body.count(f"[@{key}") for key in concept.sources), len(section.body), section.key)
        for section in document.sections
    )
    return max(cited, default=(0, 0, ""))[2]
