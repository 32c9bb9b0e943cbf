"""Detect the format of a library file by its content, and kinds of text also by the file name."""

from __future__ import annotations

import io
import re
import zipfile
from enum import StrEnum
from pathlib import PurePath

from core.errors import EmptyDocumentError, NotADocumentError
from pipeline.files.content_type import DOCX, PDF, content_type
from services.library.errors import NotLibraryDocumentError


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
