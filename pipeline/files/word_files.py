"""Convert Word files to PDF: what Word displays of them, in order; formatting is not kept."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import NamedTuple

from core.config import FileBounds
from core.confined.children import confined
from core.errors import DamagedDocumentError, EmptyDocumentError
from pipeline.files.notes import FileNote, file_note
from pipeline.files.word.document import read_document
from pipeline.files.word.package import BROKEN_WORD
from pipeline.mupdf.letters_drawn import words_lost
from pipeline.mupdf.typeset import typeset
from pipeline.reason_codes import ReasonCode


class WordPages(NamedTuple):
    """A Word file as it is read."""

    pdf: bytes
    #: What it holds beside these pages.
    notes: list[FileNote]


@confined
def docx_to_pdf(data: bytes, bounds: FileBounds) -> WordPages:
    """Return the document as a PDF of letter pages, and what it holds beside them.

    Raises UnpacksTooLargeError and PictureTooLargeError (both before unpacking), EncryptedDocumentError,
    DamagedDocumentError and EmptyDocumentError.
    """
    try:
        text = read_document(data, bounds)
    except BROKEN_WORD as exc:
        raise DamagedDocumentError("the Word file cannot be read") from exc
    if not text.head and not text.foot and not re.sub(r"<(?!img)[^<>]*+>|\s", "", text.html):
        raise EmptyDocumentError("a Word file without text or pictures")
    html = _spaced(_paragraphs(text.head) + text.html + _paragraphs(text.foot))
    pdf = typeset(html, text.pictures, bounds.max_pages)
    if lost := words_lost(pdf, html):
        text.notes.append(file_note(ReasonCode.UNREAD_CONTENT, lost))
    return WordPages(pdf, text.notes)


def _paragraphs(lines: Iterable[str]) -> str:
    return "".join(f"<p>{escape(line)}</p>" for line in lines)


def _spaced(html: str) -> str:
    """Replace tabs by wide gaps: HTML would collapse "Name:<tab>Grade:" to a single space."""
    return html.replace("\t", "&#160;&#160;&#160;&#160; ")
