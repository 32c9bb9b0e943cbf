"""Search the library for a supervision: whole texts of every kind under citation keys."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from research.citations import CitationRegistry, same_reference
from research.document import Reference
from research.material import SourceText
from research.researchers.hits import domain_of, identity
from research.sources.base import Hit, NoTextError, SearchScope, Source, SourceKind
from research.sources.library import LibrarySource

#: Most documents compared with a work by title.
_TITLED = 20


@dataclass
class LibrarySearch:
    """See `related_sources.Search`. Each text is fetched once."""

    source: Source
    language: Literal["en", "es"]
    #: The document's references; a work among them keeps its key.
    references: Iterable[Reference] = ()
    #: Most hits per kind and question.
    most: int = 8
    kinds: tuple[SourceKind, ...] = get_args(SourceKind)
    _registry: CitationRegistry = field(init=False)
    _texts: dict[str, SourceText | None] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._registry = CitationRegistry(self.references)

    def __call__(self, question: str) -> list[tuple[str, SourceText]]:
        """Return sources with a text, best first. Raises SourceError if the library does not answer."""
        hits = [hit for kind in self.kinds for hit in self.source.search(question, self.most, self._scope(kind))]
        ranked = sorted(hits, key=lambda hit: (-hit.score, hit.locator))
        return [(self._registry.add(hit), text) for hit in ranked if (text := self._text(hit)) is not None]

    def work(self, reference: Reference) -> SourceText | None:
        """Return the library's text of a work, or None."""
        title = reference.title or reference.as_written or ""
        wanted = reference.model_dump()
        found = (hit for hit in self._titled(title) if same_reference(identity(hit), wanted))
        return next((text for hit in found if (text := self._text(hit)) is not None), None)

    def _titled(self, title: str) -> Sequence[Hit]:
        if isinstance(self.source, LibrarySource):
            return self.source.titled(title, _TITLED)
        return [hit for kind in self.kinds for hit in self.source.search(title, self.most, self._scope(kind))]

    def _scope(self, kind: SourceKind) -> SearchScope:
        return SearchScope(kind, self.language)

    def _text(self, hit: Hit) -> SourceText | None:
        if hit.locator not in self._texts:
            self._texts[hit.locator] = self._fetched(hit)
        return self._texts[hit.locator]

    def _fetched(self, hit: Hit) -> SourceText | None:
        try:
            text = self.source.fetch(hit)
        except NoTextError:
            return None
        reference = self._registry.reference(self._registry.add(hit))
        language = hit.language or self.language
        return SourceText(reference, domain_of(hit), text.passages, language)
