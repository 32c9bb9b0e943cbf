"""Compare two texts word by word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import takewhile
from typing import Literal, NamedTuple

from rapidfuzz.distance import LCSseq

Kind = Literal["same", "removed", "added"]
#: ("equal", "replace", "delete" or "insert", start and end in the old text, start and end in the new text)
Opcode = tuple[str, int, int, int, int]

#: Pairs of words up to which difflib keeps the longest runs, as people do; above, the longest subsequence.
_MOST_PAIRS = 40_000
#: Pairs above which two sequences are not compared at all: the comparison takes a bit of memory for each.
MOST_COMPARED = 200_000_000
#: A run of at most this many characters between two changes becomes part of the change.
_ISLAND = 4


class Segment(NamedTuple):
    """A piece of text that is unchanged, removed or added."""

    kind: Kind
    text: str


def word_diff(before: str | None, after: str | None) -> list[Segment]:
    """Return segments: without the added ones they are `before`, without the removed ones `after`."""
    old, new = _tokens(before), _tokens(after)
    segments: list[Segment] = []
    for tag, a0, a1, b0, b1 in _opcodes(old, new):
        if tag == "equal":
            segments.append(Segment("same", "".join(old[a0:a1])))
            continue
        if a1 > a0:
            segments.append(Segment("removed", "".join(old[a0:a1])))
        if b1 > b0:
            segments.append(Segment("added", "".join(new[b0:b1])))
    return segments


def _tokens(text: str | None) -> list[str]:
    """Return the words and the white space between them."""
    return re.findall(r"\s+|[^\s]+", text or "")


def _opcodes(old: Sequence[str], new: Sequence[str]) -> Iterable[Opcode]:
    if len(old) * len(new) > _MOST_PAIRS:
        return common_runs(old, new, _ISLAND)
    return _without_islands(SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes(), old, 0)


def common_runs(old: Sequence[str], new: Sequence[str], island: int = -1) -> Iterator[Opcode]:
    """Yield opcodes of the longest common subsequence, "equal" and "replace" in turn.

    Equal runs of up to `island` characters between two changes become part of the change. Where more than
    MOST_COMPARED pairs are left between what both begin and end with, all of it is one "replace".
    """
    if len(old) * len(new) > MOST_COMPARED and (codes := _ends_alone(old, new)):
        return _without_islands(codes, old, island)
    found = LCSseq.opcodes(old, new)
    codes = [(one.tag, one.src_start, one.src_end, one.dest_start, one.dest_end) for one in found]
    return _without_islands(codes, old, island)


def _ends_alone(old: Sequence[str], new: Sequence[str]) -> list[Opcode]:
    """Return the opcodes by the common beginning and end alone; none where few pairs are left between them."""
    head, tail = common_ends(old, new)
    if (len(old) - head - tail) * (len(new) - head - tail) <= MOST_COMPARED:
        return []
    last, end = len(old) - tail, len(new) - tail
    codes = [
        ("equal", 0, head, 0, head),
        ("replace", head, last, head, end),
        ("equal", last, len(old), end, len(new)),
    ]
    return [code for code in codes if code[1] < code[2]]


def common_ends(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """Return with how many elements both begin, and with how many both end after that."""
    head = _common(zip(old, new, strict=False))
    return head, _common(zip(reversed(old[head:]), reversed(new[head:]), strict=False))


def _common(pairs: Iterable[tuple[str, str]]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _without_islands(codes: Sequence[Opcode], old: Sequence[str], island: int) -> Iterator[Opcode]:
    changed: Opcode | None = None
    for place, (tag, a0, a1, b0, b1) in enumerate(codes):
        inside = changed is not None and place < len(codes) - 1
        if tag == "equal" and not (inside and len("".join(old[a0:a1]).strip()) <= island):
            if changed:
                yield changed
            changed = None
            yield "equal", a0, a1, b0, b1
            continue
        start_old, start_new = (changed[1], changed[3]) if changed else (a0, b0)
        changed = ("replace", start_old, a1, start_new, b1)
    if changed:
        yield changed
