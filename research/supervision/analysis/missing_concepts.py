"""Find concepts that a document's sources rest on and that the document does not name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from core.messages import Message
from research.document import ReportDocument, Section
from research.material import SourceText
from research.supervision.analysis.concepts import Concept, concepts_of, mentions, stems_by_sentence, stems_of
from research.supervision.codes import RationaleCode
from research.supervision.plain_text import plain_of
from research.supervision.types import Issue, Severity

#: Least number of sources, and of sentences, about a concept; below, it is a single author's term.
LEAST_SOURCES, _LEAST_MENTIONS = 2, 3
#: Share of the sources from which an issue is significant; below, it is moderate.
_SIGNIFICANT = 0.3
#: Number of cited texts from which one must contain the concept; mentions from which a word is covered.
_SEVERAL = 3
#: Weight of a concept from which the confidence is 1.
_SURE = 8.0
_WORD = re.compile(r"[^\W\d_]+")


def missing_concepts(
    document: ReportDocument, sources: Mapping[str, SourceText], planned: Sequence[str] = ()
) -> list[tuple[Issue, float]]:
    """Return issues with their confidence: planned concepts first, then by weight.

    `sources`: those that the document cites and the library's on its subject; `planned`: concepts named in the
    plan, required independently of the sources.
    """
    text = f"{document.title}\n\n{plain_of(document)}"
    covered = [*stems_by_sentence(text, document.language)]
    own = [(key, source) for key, source in sorted(sources.items()) if source.language == document.language]
    found = [
        (_issue(document, concept, len(own)), min(1.0, concept.weight / _SURE))
        for concept in concepts_of(own)
        if _is_foundational(concept, document, sources) and not _is_covered(concept, text, covered)
    ]
    wanted = [term for term in planned if not mentions(stems_of(term, document.language), covered)]
    return [*((_of_plan(document, term), 1.0) for term in wanted), *found]


def _is_foundational(concept: Concept, document: ReportDocument, sources: Mapping[str, SourceText]) -> bool:
    """Return whether several sources are about it, including a cited one if several are cited."""
    cited = {reference.key for reference in document.references} & sources.keys()
    if len(cited) >= _SEVERAL and cited.isdisjoint(concept.sources):
        return False
    return len(concept.sources) >= LEAST_SOURCES and concept.mentions >= _LEAST_MENTIONS


def _is_covered(concept: Concept, text: str, covered: Sequence[frozenset[str]]) -> bool:
    """Return whether the document names it; a single word must occur as the noun itself, or several times.

    That a child "was attached" does not name attachment.
    """
    count = mentions(concept.stems, covered)
    if len(concept.stems) > 1 or count == 0 or count >= _SEVERAL:
        return count > 0
    nouns = {word.casefold().rstrip("s") for word in _WORD.findall(text)}
    return any(word.casefold().rstrip("s") in nouns for word in concept.term.split() if len(word) > len("of the"))


def _issue(document: ReportDocument, concept: Concept, sources: int) -> Issue:
    share = len(concept.sources) / max(sources, 1)
    severity: Severity = "significant" if share >= _SIGNIFICANT else "moderate"
    section = _nearest(document, concept)
    return Issue(
        topic=concept.term,
        section=section.key if section else "",
        issue_type="foundational_concepts",
        severity=severity,
        rationale="",
        grounds=Message.of(RationaleCode.CONCEPT_NOT_NAMED, naming=len(concept.sources), sources=sources),
        suggested_queries=(concept.term, f"{concept.term} {document.title}"[:200]),
        foundational_concepts=(concept.term,),
    )


def _of_plan(document: ReportDocument, term: str) -> Issue:
    return Issue(
        topic=term[:200],
        issue_type="foundational_concepts",
        severity="significant",
        rationale="",
        grounds=Message.of(RationaleCode.PLANNED_NOT_NAMED),
        suggested_queries=(term[:200],),
        foundational_concepts=(term[:200],),
    )


def _nearest(document: ReportDocument, concept: Concept) -> Section | None:
    """Return the section that cites the concept's sources most often, else the longest."""
    cited = {
        section.key: sum(section.body.count(f"[@{key}") for key in concept.sources)
        for section in document.sections
        if section.body.strip()
    }
    sections = [section for section in document.sections if section.key in cited]
    return max(sections, key=lambda section: (cited[section.key], len(section.body)), default=None)
