"""Decide whether an analysis without a gap is an approval: it needs enough text, and sources or a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from core.messages import Message
from research.document import ReportDocument
from research.material import SourceText
from research.storage.progress import LibraryState
from research.supervision.analysis.missing_concepts import LEAST_SOURCES
from research.supervision.codes import ExaminedCode
from research.supervision.plain_text import plain
from research.supervision.thin_sections import LEAST_WORDS


@dataclass(frozen=True)
class Examination:
    """Whether a document was examined; `note` states what it was compared with, or why it was not."""

    examined: bool
    note: Message | None = None


@dataclass(frozen=True)
class Examiner:
    """Distinguishes an approval from an analysis without a basis."""

    library: Callable[[], LibraryState]
    #: Whether a provider other than the library is permitted.
    others: bool
    #: Returns the sources that rules compare a document with; None if a model reads it.
    related: Callable[[ReportDocument], Mapping[str, SourceText]] | None

    def examination(self, document: ReportDocument) -> Examination:
        """Return the `Examination` behind an analysis that found no gap."""
        if not any(len(plain(section.body).split()) >= LEAST_WORDS for section in document.sections):
            return Examination(False, Message.of(ExaminedCode.DOCUMENT_TOO_SHORT, least=LEAST_WORDS))
        if self.related is None:
            return Examination(True)
        compared = [one for one in self.related(document).values() if one.language == document.language]
        if len(compared) >= LEAST_SOURCES:
            return Examination(True, Message.of(ExaminedCode.RULES_SATISFIED, sources=len(compared)))
        too_few = Message.of(ExaminedCode.TOO_FEW_SOURCES, found=len(compared), least=LEAST_SOURCES)
        return Examination(False, _missing(self.library()) or too_few)

    def nothing_to_ask(self) -> Message | None:
        """Return why no source could be searched, or None if one could."""
        library = self.library()
        return None if self.others or library.ready else _missing(library)


def _missing(library: LibraryState) -> Message | None:
    if library.waiting:
        return Message.of(ExaminedCode.LIBRARY_BEING_READ, waiting=library.waiting)
    return None if library.ready else Message.of(ExaminedCode.LIBRARY_EMPTY)
