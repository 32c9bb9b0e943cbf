"""Decode the bytes of a text: as UTF-8, else by byte order mark, else by the likeliest encoding."""

from __future__ import annotations

from charset_normalizer import from_bytes

from services.library.blocks import seen
from services.library.errors import NotLibraryDocumentError

_MARKS = ((b"\xff\xfe\x00\x00", "utf-32"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
#: Common encodings of office texts that are not Unicode; trying all encodings on a long text is slow.
_LIKELY = ["cp1252", "latin_1", "mac_roman", "cp850", "iso8859_15"]


def decode(data: bytes) -> str:
    """Return the text without byte order mark and control characters. Raises NotLibraryDocumentError."""
    try:
        return seen(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        pass
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return seen(data.decode(encoding, errors="replace"))
    best = from_bytes(data, cp_isolation=_LIKELY).best() or from_bytes(data).best()
    if best is None:
        raise NotLibraryDocumentError("of no encoding that could be told")
    return seen(str(best))
