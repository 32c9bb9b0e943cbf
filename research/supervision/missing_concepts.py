"""Concepts that the sources behind a document rest on, and that the document does not name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from research.document import ReportDocument, Section
from research.material import SourceText
from research.supervision.concepts import Concept, concepts_of, mentions, stems_by_sentence, stems_of
from research.supervision.plain_text import plain_of
from research.supervision.types import Issue, Severity

#: Sources that must write about a concept, and sentences in which they do: below, it is one author's word.
_LEAST_SOURCES, _LEAST_MENTIONS = 2, 3
#: Share of the sources from which on a concept is significant; below it is moderate.
_SIGNIFICANT = 0.3
_RATIONALE = "{writing} of {sources} sources on this subject rest on it, and the document does not name it."


def missing_concepts(
    document: ReportDocument, sources: Mapping[str, SourceText], planned: Sequence[str] = ()
) -> list[tuple[Issue, float]]:
    """Issues with how sure each is, the weightiest first.

    `sources`: what the document cites and what the library holds on its subject; `planned`: concepts that the plan
    names, wanted whatever the sources say.
    """
    covered = [*stems_by_sentence(plain_of(document), document.language), *_headings(document)]
    found = [
        (_issue(document, concept, len(sources)), len(concept.sources) / max(len(sources), 1))
        for concept in concepts_of(sorted(sources.items()))
        if _is_foundational(concept) and not mentions(concept.stems, covered)
    ]
    wanted = [term for term in planned if not mentions(stems_of(term, document.language), covered)]
    return [*((_of_plan(document, term), 1.0) for term in wanted), *found]


def _headings(document: ReportDocument) -> list[frozenset[str]]:
    text = "\n\n".join([document.title, *(section.heading for section in document.sections)])
    return [*stems_by_sentence(text, document.language)]


def _is_foundational(concept: Concept) -> bool:
    return len(concept.sources) >= _LEAST_SOURCES and concept.mentions >= _LEAST_MENTIONS


def _issue(document: ReportDocument, concept: Concept, sources: int) -> Issue:
    share = len(concept.sources) / max(sources, 1)
    severity: Severity = "significant" if share >= _SIGNIFICANT else "moderate"
    section = _nearest(document, concept)
    return Issue(
        topic=concept.term,
        section=section.key if section else "",
        issue_type="foundational_concepts",
        severity=severity,
        rationale=_RATIONALE.format(writing=len(concept.sources), sources=sources),
        suggested_queries=(concept.term, f"{concept.term} {document.title}"[:200]),
        foundational_concepts=(concept.term,),
        integration_guidance="Say what it is and how it bears on what the section reports.",
    )


def _of_plan(document: ReportDocument, term: str) -> Issue:
    return Issue(
        topic=term[:200],
        issue_type="foundational_concepts",
        severity="significant",
        rationale="The plan names it, and the document does not.",
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
