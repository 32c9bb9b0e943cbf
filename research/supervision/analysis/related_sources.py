"""Collect a document's sources: those that it cites, and the library's on its subject."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from research.document import Reference, ReportDocument
from research.material import SourceText
from research.storage.sources import Sources, is_provisional
from research.supervision.analysis.library_search import LibrarySearch
from research.supervision.plain_text import plain_of
from research.text import rank_sentences

#: Sources under their citation keys, best first; a work that the document cites keeps its key.
Search = Callable[[str], Sequence[tuple[str, SourceText]]]
#: Most headings used as questions; the first ones of a long document show its subject.
_MOST_HEADINGS = 12
#: Least score of a text for the words of the document, as a share of the median of the cited sources'.
_NEAR = 0.6


@dataclass(frozen=True)
class RelatedSources:
    """See `by_rule.Related`."""

    #: Sources of the document's references, with their text.
    cited: Mapping[str, SourceText]
    #: The library; see `library_search`.
    search: Search
    #: Most sources of the library in addition to the cited ones.
    most: int = 12

    def __call__(self, document: ReportDocument) -> dict[str, SourceText]:
        """Return sources by citation key. Raises SourceError."""
        found = [(key, source) for key, source in self._found(document) if key not in self.cited]
        near = _on_subject(document, list(self.cited.values()), [source for _, source in found])
        chosen = [pair for pair, is_near in zip(found, near, strict=True) if is_near]
        return {**self.cited, **dict(chosen[: self.most])}

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


def _on_subject(document: ReportDocument, cited: Sequence[SourceText], found: Sequence[SourceText]) -> list[bool]:
    """Return for each found text whether it is as near to the document as the cited ones usually are."""
    texts = [source.text for source in (*cited, *found)]
    scores = rank_sentences(plain_of(document), texts, document.language)
    usual = median(scores[: len(cited)]) if cited else max(scores, default=0.0)
    return [score >= _NEAR * usual for score in scores[len(cited) :]]


def _questions(document: ReportDocument) -> list[str]:
    headings = [section.heading for section in document.sections if section.body.strip()][:_MOST_HEADINGS]
    asked = [document.title, document.query, *(f"{heading} {document.title}" for heading in headings)]
    return [*dict.fromkeys(question for question in asked if question.strip())]
