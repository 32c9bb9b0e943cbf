"""Fit lines of text into a limited number of bytes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

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


def room_of(lines: Iterable[str]) -> int:
    """Return the bytes of the lines with their line ends."""
    return sum(size(line) + 1 for line in lines)


def shortened(text: str, limit: int) -> str:
    """Return the text, cut with an ellipsis to at most `limit` bytes; "" if not even the ellipsis fits."""
    if size(text) <= limit:
        return text
    if limit < size(ELLIPSIS):
        return ""
    kept = text.encode("utf-8")[: limit - size(ELLIPSIS)].decode("utf-8", "ignore")
    return kept.rstrip() + ELLIPSIS


def fair_limit(sizes: Sequence[int], budget: int) -> int:
    """Return the largest size per item for which all fit; small items leave their share to larger ones."""
    left, waiting = budget, sorted(sizes)
    for position, wanted in enumerate(waiting):
        share = left // (len(waiting) - position)
        if wanted > share:
            return max(share, 0)
        left -= wanted
    return max(sizes, default=0)


def all_shortened(lines: Sequence[str], budget: int) -> list[str]:
    """Shorten long lines until all fit with their line ends; empty results are dropped."""
    limit = fair_limit([size(line) for line in lines], budget - len(lines))
    return [cut for line in lines if (cut := shortened(line, limit))]


def as_many_as_fit(lines: Sequence[str], budget: int) -> list[str]:
    """Return the first lines that fit into the budget with their line ends."""
    kept: list[str] = []
    for line in lines:
        budget -= size(line) + 1
        if budget < 0:
            break
        kept.append(line)
    return kept
