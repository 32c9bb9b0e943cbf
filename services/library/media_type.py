"""The kind of an uploaded document, its text encoding, and why one is refused."""

from __future__ import annotations

import io
import re
import uuid
import zipfile
from enum import StrEnum
from pathlib import PurePath
from typing import ClassVar

from charset_normalizer import from_bytes

from core.errors import ConflictError, DocumentError, EmptyDocumentError, NotADocumentError, NotFoundError
from core.messages import MessageCode
from core.models import LibraryDocument, LibraryStatus
from pipeline.files.content_type import DOCX, PDF, content_type
from services.context import Context
from services.library.blocks import visible_text
from services.pages import drawn_page


class MediaType(StrEnum):
    """The formats that the library reads."""

    PDF = PDF
    WORD = DOCX
    MARKDOWN = "text/markdown"
    HTML = "text/html"
    PLAIN = "text/plain"


_HTML_HEAD = re.compile(rb"<!doctype\s+html|<html[\s>]|<head[\s>]|<body[\s>]", re.IGNORECASE)
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
#: Bytes that text in no encoding contains: controls except tab, line ends, form feed and escape.
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
#: A file with at most one control character in this many bytes still counts as text.
_STRAYS = 500
_LOOK = 65_536


def media_type(data: bytes, filename: str) -> MediaType:
    """Return the format of a document.

    Raises EmptyDocumentError, EncryptedDocumentError, DamagedDocumentError, NotLibraryDocumentError.
    """
    if not data.strip(b" \t\r\n\x00"):
        raise EmptyDocumentError("no bytes but blanks")
    try:
        found = content_type(data)
    except NotADocumentError:
        if not _is_text(data):
            raise NotLibraryDocumentError(_what(data)) from None
        return _text_type(data, filename)
    if found not in (PDF, DOCX):
        raise NotLibraryDocumentError(found)
    return MediaType(found)


def _is_text(data: bytes) -> bool:
    if data.startswith(_UTF16):
        return True
    look = data[:_LOOK]
    return len(_BINARY.findall(look)) * _STRAYS <= len(look)


def _text_type(data: bytes, filename: str) -> MediaType:
    suffix = PurePath(filename).suffix.lower()
    head = data[:4096].replace(b"\x00", b"")
    if _HTML_HEAD.search(head) and suffix not in (".md", ".markdown"):
        return MediaType.HTML
    if suffix in (".html", ".htm", ".xhtml"):
        return MediaType.HTML
    if suffix in (".md", ".markdown") or re.match(rb"(?:\xef\xbb\xbf)?---\r?\n", data):
        return MediaType.MARKDOWN
    return MediaType.PLAIN


def _what(data: bytes) -> str:
    if data.startswith(b"PK\x03\x04") and zipfile.is_zipfile(io.BytesIO(data)):
        return "a zip file that is no Word document"
    return "neither a known format nor text"


_MARKS = ((b"\xff\xfe\x00\x00", "utf-32"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
#: Common encodings of office texts that are not Unicode; trying all encodings on a long text is slow.
_LIKELY = ["cp1252", "latin_1", "mac_roman", "cp850", "iso8859_15"]


def decode(data: bytes) -> str:
    """Return the text without byte order mark and control characters. Raises NotLibraryDocumentError."""
    try:
        return visible_text(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        pass
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return visible_text(data.decode(encoding, errors="replace"))
    best = from_bytes(data, cp_isolation=_LIKELY).best() or from_bytes(data).best()
    if best is None:
        raise NotLibraryDocumentError("of no encoding that could be told")
    return visible_text(str(best))


_DPI = 110


def library_original(context: Context, document_id: uuid.UUID) -> tuple[bytes, str, str]:
    """Return (bytes, content type, file name). Raises NotFoundError."""
    row = _standing(context, document_id)
    return (
        context.store.get(row.storage_key),
        row.content_type or "application/octet-stream",
        row.original_filename,
    )


def library_page_image(context: Context, document_id: uuid.UUID, page_no: int) -> bytes:
    """Return a page of a PDF as a WebP image, rendered once and cached.

    Raises NotFoundError, and what `drawn_page` raises.
    """
    row = _standing(context, document_id)
    if row.content_type != PDF or not 1 <= page_no <= (row.page_count or 0):
        raise NotFoundError("no such page")
    return drawn_page(context, f"cache/library/{document_id}/{page_no}.webp", row.storage_key, page_no, _DPI)


def _standing(context: Context, document_id: uuid.UUID) -> LibraryDocument:
    row = context.database.get(LibraryDocument, document_id)
    if row is None or row.status == LibraryStatus.REMOVED:
        raise NotFoundError("no such document in the library")
    return row


class LibraryCode(MessageCode):
    """What went wrong, and what the user can do about it."""

    NOT_A_LIBRARY_DOCUMENT = (
        "not_a_library_document",
        "This is not a PDF, Word, Markdown, HTML, or text file. Save it as one of these and add that.",
    )
    NO_TEXT_IN_DOCUMENT = (
        "no_text_in_document",
        "No text was found in this file. Check that the right file was chosen and add it again.",
    )
    TOO_MUCH_TEXT = (
        "too_much_text",
        "This file has more text than a document can have. Split it into chapters and add those.",
    )
    TOO_MANY_PARTS = (
        "too_many_parts",
        "This document has more than 2,000 headings or references. Split it into chapters and add those.",
    )
    IN_LIBRARY_AGAIN = (
        "in_library_again",
        "The same file has since been added to the library again; it is there.",
    )
    SCANNED_DOCUMENT = (
        "scanned_document",
        "The pages of this PDF are images. Save it with its text recognized, or as a Word file, and upload that.",
    )


class NotLibraryDocumentError(NotADocumentError):
    """The file is not in a format that the library reads."""

    code: ClassVar[MessageCode] = LibraryCode.NOT_A_LIBRARY_DOCUMENT


class NoTextInDocumentError(EmptyDocumentError):
    """The document contains no text."""

    code: ClassVar[MessageCode] = LibraryCode.NO_TEXT_IN_DOCUMENT


class TooMuchTextError(DocumentError):
    """More text than one document of the library may hold."""

    code: ClassVar[MessageCode] = LibraryCode.TOO_MUCH_TEXT
    http_status = 413


class TooManyPartsError(TooMuchTextError):
    """More sections or references than a document may have whose pages are shown."""

    code: ClassVar[MessageCode] = LibraryCode.TOO_MANY_PARTS


class InLibraryAgainError(ConflictError):
    """A removed document cannot be restored, because the same file was added again since."""

    code: ClassVar[MessageCode] = LibraryCode.IN_LIBRARY_AGAIN
