"""Lines of text that share a bounded number of bytes."""

from __future__ import annotations

import re
from collections.abc import Sequence

#: Three bytes of UTF-8.
ELLIPSIS = "…"
#: Everything that could end a line or hide in it: control and format characters, separators, white space.
_BLANK = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+")


def one_line(text: object) -> str:
    """The text on one line, without control characters and halves of characters."""
    readable = str(text if text is not None else "").encode("utf-8", "replace").decode("utf-8")
    return _BLANK.sub(" ", readable).strip()


def size(text: str) -> int:
    """Bytes of UTF-8."""
    return len(text.encode("utf-8"))


def shortened(text: str, limit: int) -> str:
    """The text, cut with an ellipsis where it takes more than `limit` bytes; "" where not even that fits."""
    if size(text) <= limit:
        return text
    if limit < size(ELLIPSIS):
        return ""
    kept = text.encode("utf-8")[: limit - size(ELLIPSIS)].decode("utf-8", "ignore")
    return kept.rstrip() + ELLIPSIS


def fair_limit(sizes: Sequence[int], budget: int) -> int:
    """The largest size that items may have for all to fit: small ones leave their share to the long."""
    left, waiting = budget, sorted(sizes)
    for position, wanted in enumerate(waiting):
        share = left // (len(waiting) - position)
        if wanted > share:
            return max(share, 0)
        left -= wanted
    return max(sizes, default=0)


def all_shortened(lines: Sequence[str], budget: int) -> list[str]:
    """The lines, long ones shortened until all fit with their line ends; what comes to nothing is dropped."""
    limit = fair_limit([size(line) for line in lines], budget - len(lines))
    return [cut for line in lines if (cut := shortened(line, limit))]


def as_many_as_fit(lines: Sequence[str], budget: int) -> list[str]:
    """The first lines whose sizes, with their line ends, come to no more than the budget."""
    kept: list[str] = []
    for line in lines:
        budget -= size(line) + 1
        if budget < 0:
            break
        kept.append(line)
    return kept
