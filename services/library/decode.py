"""Bytes of a text as characters: UTF-8 where it is, else by byte order mark, else by likelihood."""

from __future__ import annotations

from charset_normalizer import from_bytes

from services.library.blocks import seen
from services.library.errors import NotLibraryDocumentError

_MARKS = ((b"\xff\xfe\x00\x00", "utf-32"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
#: What texts of offices are in, when they are in no Unicode: a long text must not be tried in all.
_LIKELY = ["cp1252", "latin_1", "mac_roman", "cp850", "iso8859_15"]


def decode(data: bytes) -> str:
    """The text, without byte order mark and unseen signs. Raises NotLibraryDocumentError."""
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
