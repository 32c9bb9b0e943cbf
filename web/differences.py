"""Differences between two texts or documents, as marked words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from itertools import takewhile
from typing import Literal, NamedTuple

from rapidfuzz import fuzz
from rapidfuzz.distance import LCSseq

from research.document import Reference, ReportDocument, Section

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

    Equal runs of up to `island` characters between two changes become part of the change. If more than
    MOST_COMPARED pairs remain between the common beginning and end, that whole range is one "replace".
    """
    if len(old) * len(new) > MOST_COMPARED and (codes := _ends_alone(old, new)):
        return _without_islands(codes, old, island)
    found = LCSseq.opcodes(old, new)
    codes = [(one.tag, one.src_start, one.src_end, one.dest_start, one.dest_end) for one in found]
    return _without_islands(codes, old, island)


def _ends_alone(old: Sequence[str], new: Sequence[str]) -> list[Opcode]:
    """Return opcodes from the common beginning and end alone; empty if few enough pairs remain to compare."""
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
    """Return the lengths of the common beginning, and of the common end of the rest."""
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


# Compare two versions of a document by sections, paragraphs and words.


Change = Literal["same", "changed", "added", "removed"]
#: Least similarity (0-100) at which two paragraphs count as one that was rewritten.
_ALIKE = 45.0
#: Limit of what is compared and shown, in changed characters: an unchanged one counts _SAME, a section _SECTION, a
#: line _LINE.
MOST_SHOWN = 100_000
_SAME, _SECTION, _LINE = 0.2, 300, 10
#: Limit of pairs of paragraphs that are compared; in a larger change, paragraphs are paired in order.
_MOST_BLOCK_PAIRS = 1600


@dataclass(frozen=True)
class ComparedParagraph:
    """A paragraph and its changes."""

    change: Change
    segments: tuple[Segment, ...]

    @property
    def before(self) -> tuple[Segment, ...]:
        """The previous text; empty for an added paragraph."""
        return tuple(segment for segment in self.segments if segment.kind != "added")

    @property
    def after(self) -> tuple[Segment, ...]:
        """The new text; empty for a removed paragraph."""
        return tuple(segment for segment in self.segments if segment.kind != "removed")


@dataclass(frozen=True)
class SectionDiff:
    """A section and its changes."""

    key: str
    level: int
    change: Change
    #: Whether its position among the other sections has changed.
    moved: bool
    heading: tuple[Segment, ...]
    paragraphs: tuple[ComparedParagraph, ...]

    def words(self, kind: str) -> int:
        """Return the number of words in segments of this kind, "added" or "removed"."""
        pieces = (*self.heading, *(segment for one in self.paragraphs for segment in one.segments))
        return sum(len(piece.text.split()) for piece in pieces if piece.kind == kind)


@dataclass(frozen=True)
class DocumentDiff:
    """A document and its changes."""

    title: tuple[Segment, ...]
    #: Those that changed or moved, and the others, as far as MOST_SHOWN allows.
    sections: tuple[SectionDiff, ...]
    #: How many more sections changed or moved, and how many more did not.
    changed_left_out: int
    same_left_out: int
    references_added: tuple[Reference, ...]
    references_removed: tuple[Reference, ...]

    @property
    def changed(self) -> tuple[SectionDiff, ...]:
        """The sections that were changed or moved."""
        return tuple(one for one in self.sections if one.change != "same" or one.moved)

    @property
    def same(self) -> bool:
        title = all(segment.kind == "same" for segment in self.title)
        listed = self.references_added or self.references_removed
        return title and not (self.changed or self.changed_left_out or listed)

    def words(self, kind: str) -> int:
        return sum(one.words(kind) for one in self.sections)


def document_diff(before: ReportDocument, after: ReportDocument) -> DocumentDiff:
    """Compare two documents. Sections are identified by key, so that a moved one is compared with itself.

    Only some sections of a large document are compared, so that the comparison is fast enough for a page.
    """
    old, new = ({one.key: one for one in document.sections} for document in (before, after))
    moved = (old.keys() & new.keys()) - _stayed(list(old), list(new))
    order = list(_order(old, new))
    changed = [key for key in order if key in moved or _text(old.get(key)) != _text(new.get(key))]
    same = set(order).difference(changed)
    shown = _fitting([*changed, *(key for key in order if key in same)], old, new)
    known, listed = ({one.key for one in document.references} for document in (before, after))
    return DocumentDiff(
        tuple(word_diff(before.title, after.title)),
        tuple(_section(old.get(key), new.get(key), key in moved) for key in order if key in shown),
        len(set(changed) - shown),
        len(same - shown),
        tuple(one for one in after.references if one.key not in known),
        tuple(one for one in before.references if one.key not in listed),
    )


def _text(section: Section | None) -> tuple[str, str] | None:
    return None if section is None else (section.heading, section.body)


def _fitting(keys: Sequence[str], old: Mapping[str, Section], new: Mapping[str, Section]) -> set[str]:
    """Return the keys of sections, taken in this order, whose total weight is within MOST_SHOWN."""
    room, found = float(MOST_SHOWN), set[str]()
    for key in keys:
        weight = _weight(*("" if one is None else one.heading + one.body for one in (old.get(key), new.get(key))))
        if weight <= room:
            found.add(key)
            room -= weight
    return found


def _weight(old: str, new: str) -> float:
    size = len(old) + len(new)
    changed = 0 if old == new else size - 2 * sum(common_ends(old, new))
    return _SECTION + changed + _SAME * size + _LINE * (old.count("\n") + new.count("\n"))


def _stayed(old: Sequence[str], new: Sequence[str]) -> set[str]:
    """Return the keys of a longest common subsequence: sections whose relative order is unchanged.

    In documents with too many sections, all of them.
    """
    if len(old) * len(new) > MOST_COMPARED:
        return set(old)
    return {key for tag, a0, a1, *_ in common_runs(old, new) if tag == "equal" for key in old[a0:a1]}


def _order(old: Mapping[str, Section], new: Mapping[str, Section]) -> Iterator[str]:
    """Yield the keys in the new order, each removed section after the section that it followed."""
    gone: dict[str | None, list[str]] = {}
    last: str | None = None
    for key in old:
        if key in new:
            last = key
        else:
            gone.setdefault(last, []).append(key)
    yield from gone.get(None, ())
    for key in new:
        yield key
        yield from gone.get(key, ())


def _section(old: Section | None, new: Section | None, moved: bool) -> SectionDiff:
    shown = new or old
    assert shown is not None
    heading = tuple(word_diff(old.heading if old else "", new.heading if new else ""))
    paragraphs = _paragraphs(old.body if old else "", new.body if new else "")
    change: Change = "same"
    if old is None or new is None:
        change = "added" if old is None else "removed"
    elif any(one.change != "same" for one in paragraphs) or old.heading != new.heading:
        change = "changed"
    return SectionDiff(shown.key, shown.level, change, moved, heading, paragraphs)


def _paragraphs(before: str, after: str) -> tuple[ComparedParagraph, ...]:
    old, new = _split(before), _split(after)
    found: list[ComparedParagraph] = []
    for tag, a0, a1, b0, b1 in common_runs(old, new):
        if tag == "equal":
            found += [ComparedParagraph("same", (Segment("same", text),)) for text in old[a0:a1]]
        else:
            found += _rewritten(old[a0:a1], new[b0:b1])
    return tuple(found)


def _split(body: str) -> list[str]:
    """Split a text into paragraphs; rows of tables and items of lists are separate paragraphs."""
    return [
        text.strip() for text in re.split(r"\n\s*\n|\n(?=\s*(?:[|>]|[-*+]\s|\d+[.)]\s))", body) if text.strip()
    ]


def _rewritten(old: Sequence[str], new: Sequence[str]) -> Iterator[ComparedParagraph]:
    """Yield the changes between two runs of paragraphs, with similar paragraphs compared by words."""
    place_old = place_new = 0
    for at_old, at_new in [*_pairs(old, new), (len(old), len(new))]:
        for text in old[place_old:at_old]:
            yield ComparedParagraph("removed", (Segment("removed", text),))
        for text in new[place_new:at_new]:
            yield ComparedParagraph("added", (Segment("added", text),))
        if at_old < len(old):
            yield ComparedParagraph("changed", tuple(word_diff(old[at_old], new[at_new])))
        place_old, place_new = at_old + 1, at_new + 1


def _pairs(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Return pairs of indexes of similar paragraphs: the alignment in order with the highest total similarity."""
    if len(old) * len(new) > _MOST_BLOCK_PAIRS:
        return list(zip(range(len(old)), range(len(new)), strict=False))

    @cache
    def likeness(i: int, j: int) -> float:
        score = fuzz.token_set_ratio(old[i], new[j])
        return score if score >= _ALIKE else 0.0

    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in reversed(range(len(old))):
        for j in reversed(range(len(new))):
            best[i][j] = max(best[i + 1][j], best[i][j + 1], best[i + 1][j + 1] + likeness(i, j))
    pairs, i, j = [], 0, 0
    while i < len(old) and j < len(new):
        if likeness(i, j) and best[i][j] == best[i + 1][j + 1] + likeness(i, j):
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs
