"""Find concepts that occur in several sections and that no part of the document connects."""

from __future__ import annotations

from core.messages import Message
from research.document import Reference, ReportDocument, Section
from research.material import SourceText
from research.sources.base import Passage
from research.supervision.analysis.concepts import Concept, concepts_of, mentions, stems_by_sentence
from research.supervision.codes import RationaleCode
from research.supervision.plain_text import plain
from research.supervision.types import Issue

#: Least number of sections that a concept occurs in.
_LEAST_SECTIONS = 3
_CONFIDENCE = 0.4
#: Most headings listed in the rationale.
_MOST_NAMED = 20


def links_between_sections(document: ReportDocument) -> list[tuple[Issue, float]]:
    """Return issues with their confidence; title, headings, first and last section connect what they name."""
    sections = [section for section in document.sections if section.body.strip()]
    if len(sections) <= _LEAST_SECTIONS:
        return []
    ends = "\n\n".join(
        [
            document.title,
            *(section.heading for section in document.sections),
            plain(sections[0].body),
            plain(sections[-1].body),
        ]
    )
    joined = [*stems_by_sentence(ends, document.language)]
    threads = concepts_of([(section.key, _as_source(section, document.language)) for section in sections])
    return [
        (_issue(document, thread), _CONFIDENCE)
        for thread in threads
        if len(thread.sources) >= _LEAST_SECTIONS and not mentions(thread.stems, joined)
    ]


def _as_source(section: Section, language: str) -> SourceText:
    text = plain(section.body)
    passage = Passage(text, 0, len(text))
    return SourceText(Reference(key=section.key, title=section.heading), "", (passage,), language)


def _issue(document: ReportDocument, thread: Concept) -> Issue:
    named = [section for section in document.sections if section.key in thread.sources]
    headings = [section.heading for section in named][:_MOST_NAMED]
    return Issue(
        topic=thread.term[:200],
        section=named[-1].key,
        issue_type="unifying_threads",
        severity="minor",
        rationale="",
        grounds=Message.of(RationaleCode.SECTIONS_NOT_JOINED, headings=headings),
        suggested_queries=(thread.term[:200], f"{thread.term} {document.title}"[:200]),
        foundational_concepts=(thread.term[:200],),
    )
