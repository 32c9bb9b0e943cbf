"""Collect a document's sources: those that it cites, and the library's on its subject."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from statistics import median
from typing import get_args

from core.messages import Message
from research.citations import CitationRegistry
from research.citations.same_reference import identity_of, same_work
from research.document import Reference, ReportDocument
from research.material import SourceText
from research.meaning import fused
from research.researchers.hits import domain_of
from research.sources.base import Hit, NoTextError, SearchScope, SourceKind
from research.sources.library import LibrarySource
from research.storage.progress import LibraryState
from research.supervision.codes import ExaminedCode
from research.supervision.outline import plain_of
from research.text import rank_sentences

#: Returns the sources that a document cites and the library's on its subject, by citation key.
Related = Callable[[ReportDocument], Mapping[str, SourceText]]
#: Most hits of one kind for one question, and most documents compared with a work by title.
_HITS, _TITLED = 8, 20
#: Most sources of the library that the document does not cite.
_MOST = 12
#: Most headings used as questions; the first ones of a long document show its subject.
_MOST_HEADINGS = 12
#: Least score of a text for the words of the document, as a share of the median of the cited sources'.
_NEAR = 0.6


def unread(library: LibraryState) -> Message | None:
    """Return a message if the library is empty, or still being read."""
    if library.waiting:
        return Message.of(ExaminedCode.LIBRARY_BEING_READ, waiting=library.waiting)
    return None if library.ready else Message.of(ExaminedCode.LIBRARY_EMPTY)


@dataclass
class LibrarySearch:
    """Whole texts of the library, of every kind, under citation keys; each is fetched once."""

    source: LibrarySource
    #: Works among its references keep their keys.
    document: ReportDocument
    _registry: CitationRegistry = field(init=False)
    _texts: dict[str, SourceText | None] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._registry = CitationRegistry(self.document.references)

    def __call__(self, question: str) -> list[tuple[str, SourceText]]:
        """Return sources with a text, best first. Raises SourceError if the library does not answer."""
        scopes = [SearchScope(kind, self.document.language) for kind in get_args(SourceKind)]
        hits = [hit for scope in scopes for hit in self.source.search(question, _HITS, scope)]
        ranked = sorted(hits, key=lambda hit: (-hit.score, hit.locator))
        return [(self._registry.add(hit), text) for hit in ranked if (text := self._text(hit)) is not None]

    def works(self, references: Sequence[Reference]) -> dict[str, SourceText]:
        """Return the library's texts of those references that it holds, under their keys."""
        found: dict[str, SourceText] = {}
        for one in references:
            hits = self.source.titled(one.title or one.as_written or "", _TITLED)
            for hit in (hit for hit in hits if same_work(identity_of(vars(hit)), identity_of(vars(one)))):
                if text := self._text(hit):
                    found.setdefault(one.key, text)
        return found

    def _text(self, hit: Hit) -> SourceText | None:
        if hit.locator not in self._texts:
            self._texts[hit.locator] = None
            with suppress(NoTextError):
                passages, language = self.source.fetch(hit).passages, hit.language or self.document.language
                reference = self._registry.reference(self._registry.add(hit))
                self._texts[hit.locator] = SourceText(reference, domain_of(hit), passages, language)
        return self._texts[hit.locator]


def related_sources(search: LibrarySearch, read: Mapping[str, SourceText]) -> dict[str, SourceText]:
    """Return the sources of the searched document by citation key. Raises SourceError.

    `read`: those that were read for it; its other references are looked up in the library, and so are further
    sources, the nearest to the document.
    """
    document = search.document
    cited = {**search.works([one for one in document.references if one.key not in read]), **read}
    headings = [section.heading for section in document.sections if section.body.strip()][:_MOST_HEADINGS]
    asked = [document.title, document.query, *(f"{heading} {document.title}" for heading in headings)]
    hits = [search(question) for question in dict.fromkeys(asked) if question.strip()]
    found = {key: source for of_one in hits for key, source in of_one if key not in cited}
    ranked = [key for key in fused([key for key, _ in of_one] for of_one in hits) if key in found]
    # What is as near to the document as the cited texts usually are.
    texts = [source.text for source in (*cited.values(), *(found[key] for key in ranked))]
    scores = rank_sentences(plain_of(document), texts, document.language)
    usual = median(scores[: len(cited)]) if cited else max(scores, default=0.0)
    near = [key for key, score in zip(ranked, scores[len(cited) :], strict=True) if score >= _NEAR * usual]
    return {**cited, **{key: found[key] for key in near[:_MOST]}}
