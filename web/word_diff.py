"""The difference of two values, word by word."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

Kind = Literal["same", "removed", "added"]


class Segment(NamedTuple):
    """A piece of text and what became of it."""

    kind: Kind
    text: str


def word_diff(before: str | None, after: str | None) -> list[Segment]:
    """Segments that read as `before` without the added ones and as `after` without the removed ones."""
    old, new = _tokens(before), _tokens(after)
    segments: list[Segment] = []
    for tag, a0, a1, b0, b1 in SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes():
        if tag == "equal":
            segments.append(Segment("same", "".join(old[a0:a1])))
            continue
        if a1 > a0:
            segments.append(Segment("removed", "".join(old[a0:a1])))
        if b1 > b0:
            segments.append(Segment("added", "".join(new[b0:b1])))
    return segments


def _tokens(text: str | None) -> list[str]:
    """Words and the white space between them."""
    return re.findall(r"\s+|[^\s]+", text or "")
