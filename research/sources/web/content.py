"""Determine the content type of a page and decode its bytes."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from email.message import Message
from typing import Literal

from research.sources.base import NoTextError

Content = Literal["html", "pdf", "xml", "text", "markdown"]

#: The Accept header: text formats in order of preference; no images, videos or archives.
ACCEPT = "text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.8,application/xml;q=0.7"

_BY_TYPE: dict[str, Content] = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "application/pdf": "pdf",
    "application/x-pdf": "pdf",
    "text/plain": "text",
    "text/markdown": "markdown",
    "text/x-markdown": "markdown",
    "text/xml": "xml",
    "application/xml": "xml",
}
#: Media types that servers send for unknown content; the bytes decide.
_UNKNOWN = frozenset({"", "application/octet-stream", "binary/octet-stream", "application/force-download"})
_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_META = re.compile(
    rb"""<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*=\s*["']?([\w:.-]{2,40})""", re.IGNORECASE
)
_META_WITHIN = 2048


def content_type_of(headers: Mapping[str, str]) -> tuple[str, str | None]:
    """Return the media type, in lower case, and the charset of a Content-Type header."""
    message = Message()
    message["Content-Type"] = headers.get("Content-Type", "")
    charset = message.get_param("charset")
    media_type = message.get_content_type() if headers.get("Content-Type") else ""
    return media_type, charset if isinstance(charset, str) else None


def check_readable(media_type: str) -> None:
    """Raise NoTextError for a media type without text, before the body is loaded."""
    if media_type not in _BY_TYPE and media_type not in _UNKNOWN and not media_type.endswith("+xml"):
        raise NoTextError(f"a page of type {media_type[:60]}")


def content_of(media_type: str, data: bytes) -> Content:
    """Return the kind of content; a PDF is recognised by its first bytes, whatever the header says.

    Raises NoTextError for content without text and for data wrongly declared as PDF.
    """
    start = data[:1024].lstrip()
    if start.startswith(b"%PDF-"):
        return "pdf"
    known = _BY_TYPE.get(media_type) or ("xml" if media_type.endswith("+xml") else None)
    if known == "pdf":
        raise NoTextError("called a PDF, but is none")
    if known is not None:
        return known
    if start.startswith(b"<"):
        return "html"
    raise NoTextError("neither a page nor a PDF")


def decoded(data: bytes, charset: str | None) -> str:
    """Decode by byte order mark, header, the page's own declaration, UTF-8, else Windows-1252, as browsers do."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data.decode(encoding, errors="replace")
    said = _META.search(data[:_META_WITHIN])
    for name in (charset, said[1].decode("ascii") if said else None):
        if name and (encoding_name := _known(name)):
            return data.decode(encoding_name, errors="replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _known(name: str) -> str | None:
    """Return Python's name of a text encoding, or None; Latin-1 and ASCII become Windows-1252, as in browsers."""
    try:
        found = codecs.lookup(name.strip("\"' "))
    except (LookupError, ValueError):
        return None
    if not found._is_text_encoding:
        return None
    return "cp1252" if found.name in ("iso8859-1", "ascii") else found.name
