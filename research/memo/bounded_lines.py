"""Text on one line and within a limited number of bytes."""

from __future__ import annotations

import re

#: Takes three bytes in UTF-8.
ELLIPSIS = "…"
#: Control and format characters, separators and white space.
_BLANK = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+")


def one_line(text: str) -> str:
    """Return the text on one line, without control characters and lone surrogates."""
    readable = text.encode("utf-8", "replace").decode("utf-8")
    return _BLANK.sub(" ", readable).strip()


def size(text: str) -> int:
    """Return the length in bytes of UTF-8."""
    return len(text.encode("utf-8"))


def shortened(text: str, limit: int) -> str:
    """Return the text, cut with an ellipsis to at most `limit` bytes; "" if not even the ellipsis fits."""
    if size(text) <= limit:
        return text
    if limit < size(ELLIPSIS):
        return ""
    kept = text.encode("utf-8")[: limit - size(ELLIPSIS)].decode("utf-8", "ignore")
    return kept.rstrip() + ELLIPSIS
