"""Reasons for which an analysis without a gap, or a search without a source, says nothing about the document."""

from __future__ import annotations

from core.messages import Message
from research.document import ReportDocument
from research.storage.progress import LibraryState
from research.supervision.analysis.weak_sections import LEAST_WORDS
from research.supervision.codes import ExaminedCode
from research.supervision.plain_text import plain


def too_short(document: ReportDocument) -> Message | None:
    """Return a message if no section has enough words to be examined."""
    if any(len(plain(section.body).split()) >= LEAST_WORDS for section in document.sections):
        return None
    return Message.of(ExaminedCode.DOCUMENT_TOO_SHORT, least=LEAST_WORDS)


def unread(library: LibraryState) -> Message | None:
    """Return a message if the library is empty, or still being read."""
    if library.waiting:
        return Message.of(ExaminedCode.LIBRARY_BEING_READ, waiting=library.waiting)
    return None if library.ready else Message.of(ExaminedCode.LIBRARY_EMPTY)
