"""Concepts that the sources behind a document rest on, and that the document does not name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from core.messages import Message
from research.document import ReportDocument, Section
from research.material import SourceText
from research.supervision.codes import RationaleCode
from research.supervision.concepts import Concept, concepts_of, mentions, stems_by_sentence, stems_of
from research.supervision.plain_text import plain_of
from research.supervision.types import Issue, Severity

#: Sources that must write about a concept, and sentences in which they do: below, it is one author's word.
LEAST_SOURCES, _LEAST_MENTIONS = 2, 3
#: Share of the sources from which on a concept is significant; below it is moderate.
_SIGNIFICANT = 0.3
#: Cited sources with a text from which on they say what a document rests on; mentions that are no accident.
_SEVERAL = 3
#: Weight of a concept from which on there is no doubt.
_SURE = 8.0
_WORD = re.compile(r"[^\W\d_]+")


def missing_concepts(
    document: ReportDocument, sources: Mapping[str, SourceText], planned: Sequence[str] = ()
) -> list[tuple[Issue, float]]:
    """Issues with how sure each is, the weightiest first.

    `sources`: what the document cites and what the library holds on its subject; `planned`: concepts that the plan
    names, wanted whatever the sources say.
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
    """Whether several sources write about it, one that the document cites among them where it cites several."""
    cited = {reference.key for reference in document.references} & sources.keys()
    if len(cited) >= _SEVERAL and cited.isdisjoint(concept.sources):
        return False
    return len(concept.sources) >= LEAST_SOURCES and concept.mentions >= _LEAST_MENTIONS


def _is_covered(concept: Concept, text: str, covered: Sequence[frozenset[str]]) -> bool:
    """Whether the document names it. A single word must stand there as the noun that it is, or several times.

    That a child "was attached" somewhere says nothing of attachment.
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
    """The section that shares a source with the concept most often, else the longest."""
    cited = {
        section.key: sum(section.body.count(f"[@{key}") for key in concept.sources)
        for section in document.sections
        if section.body.strip()
    }
    sections = [section for section in document.sections if section.key in cited]
    return max(sections, key=lambda section: (cited[section.key], len(section.body)), default=None)
