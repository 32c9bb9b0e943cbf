"""Convert Word files to PDF: what Word displays of them, in order; formatting is not kept."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any, NamedTuple

from core.config import FileBounds
from core.confined.children import confined
from core.errors import DamagedDocumentError, EmptyDocumentError, TooManyPagesError
from pipeline.files.notes import FileNote, file_note
from pipeline.files.word.breaks import says_something
from pipeline.files.word.document import Section, read_document
from pipeline.files.word.package import BROKEN_WORD
from pipeline.mupdf.typeset import typeset, words_lost
from pipeline.reason_codes import ReasonCode


class WordPages(NamedTuple):
    """A Word file as it is read."""

    pdf: bytes
    #: What it holds beside these pages.
    notes: list[FileNote]


def docx_to_pdf(data: bytes, bounds: FileBounds) -> WordPages:
    """Return the document as a PDF of letter pages, and what it holds beside them.

    Raises UnpacksTooLargeError and PictureTooLargeError (both before unpacking), EncryptedDocumentError,
    DamagedDocumentError, EmptyDocumentError and TooManyPagesError.
    """
    pdf, notes = _converted(data, bounds)
    return WordPages(pdf, [FileNote.model_validate(note) for note in notes])


@confined
def _converted(data: bytes, bounds: FileBounds) -> tuple[bytes, list[dict[str, Any]]]:
    """The PDF, and the notes as plain data."""
    try:
        text = read_document(data, bounds)
    except BROKEN_WORD as exc:
        raise DamagedDocumentError("the Word file cannot be read") from exc
    pages = _pages(text.sections)
    if not any(map(says_something, pages)):
        raise EmptyDocumentError("a Word file without text or pictures")
    if len(pages) > bounds.max_pages:
        raise TooManyPagesError(f"{len(pages)} pages")
    pdf = typeset(pages, text.pictures, bounds.max_pages)
    notes = text.notes
    if lost := words_lost(pdf, " ".join(pages)):
        notes = [*notes, file_note(ReasonCode.UNREAD_CONTENT, lost)]
    return pdf, [note.model_dump(mode="json") for note in notes]


def _pages(sections: Iterable[Section]) -> list[str]:
    """The pages of all sections, the head of each on its first page and its foot on its last."""
    found: list[str] = []
    for section in sections:
        pages = list(section.pages) or ([""] if section.head or section.foot else [])
        if not pages:
            continue
        pages[0] = _paragraphs(section.head) + pages[0]
        pages[-1] += _paragraphs(section.foot)
        if section.goes_on and found:
            found[-1] += pages.pop(0)
        found += pages
    return [_spaced(page) for page in found]


def _paragraphs(lines: Iterable[str]) -> str:
    return "".join(f"<p>{escape(line)}</p>" for line in lines)


def _spaced(html: str) -> str:
    """Replace tabs by wide gaps: HTML would collapse "Name:<tab>Grade:" to a single space."""
    return html.replace("\t", "&#160;&#160;&#160;&#160; ")
