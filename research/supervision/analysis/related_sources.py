"""Collect a document's sources: those that it cites, and the library's on its subject."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from research.citations import same_reference
from research.document import Reference, ReportDocument
from research.material import SourceText
from research.storage.sources import Sources, is_provisional
from research.supervision.analysis.library_search import LibrarySearch
from research.supervision.plain_text import plain_of
from research.supervision.subject import on_subject

#: Sources under their citation keys, best first.
Search = Callable[[str], Sequence[tuple[str, SourceText]]]
#: Most headings used as questions; the first ones of a long document show its subject.
_MOST_HEADINGS = 12


@dataclass(frozen=True)
class RelatedSources:
    """See `rule_analyst.Related`."""

    #: Sources of the document's references, with their text.
    cited: Mapping[str, SourceText]
    #: The library; see `library_search`.
    search: Search
    #: Most sources of the library in addition to the cited ones.
    most: int = 12

    def __call__(self, document: ReportDocument) -> dict[str, SourceText]:
        """Return sources by citation key, each work once; cited ones keep their key. Raises SourceError."""
        related = dict(self.cited)
        found = {key: source for key, source in self._found(document) if key not in related}
        near = on_subject(
            plain_of(document),
            document.language,
            (source.text for source in self.cited.values()),
            {key: source.text for key, source in found.items()},
        )
        for key, source in found.items():
            if key in near and len(related) - len(self.cited) < self.most and not _is_known(source, related):
                related[key] = source
        return related

    def _found(self, document: ReportDocument) -> list[tuple[str, SourceText]]:
        """Return the hits of all questions, ranked by the sum of their reciprocal ranks."""
        scores: dict[str, float] = defaultdict(float)
        found: dict[str, SourceText] = {}
        for question in _questions(document):
            for place, (key, source) in enumerate(self.search(question)):
                scores[key] += 1 / (place + 1)
                found.setdefault(key, source)
        return [(key, found[key]) for key in sorted(found, key=lambda key: (-scores[key], key))]


def cited_in_report(document: ReportDocument, stored: Sources) -> dict[str, SourceText]:
    """Return the cited sources of a report with their stored texts."""
    cited = {reference.key for reference in document.references}
    return {
        row.key: stored.text(row)
        for row in stored.all()
        if row.key in cited and row.status == "read" and not is_provisional(row.key)
    }


def cited_in_library(references: Sequence[Reference], search: LibrarySearch) -> dict[str, SourceText]:
    """Return the references of an uploaded document that the library has, under their own keys."""
    held = ((reference.key, search.work(reference)) for reference in references)
    return {key: source for key, source in held if source is not None}


def _questions(document: ReportDocument) -> list[str]:
    headings = [section.heading for section in document.sections if section.body.strip()][:_MOST_HEADINGS]
    asked = [document.title, document.query, *(f"{heading} {document.title}" for heading in headings)]
    return [*dict.fromkeys(question for question in asked if question.strip())]


def _is_known(source: SourceText, related: Mapping[str, SourceText]) -> bool:
    return any(_is_same(source.reference, known.reference) for known in related.values())


def _is_same(one: Reference, other: Reference) -> bool:
    return same_reference(one.model_dump(), other.model_dump())
