"""Blocks as passages of some eight hundred characters that follow each other without a gap."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from services.library.blocks import Block, full_text

#: A passage is full from here on, at the next end of a paragraph.
TARGET = 800
#: A heading begins a new passage unless the one before it is shorter than this.
_SHORT = 200
#: A paragraph beyond this is cut at ends of its sentences.
_LONG = 1600
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*\s+(?=[\"'“‘(\[¿¡]*[A-ZÀ-ÖØ-Þ0-9])")
_MAX_HEADING = 300


@dataclass(frozen=True, slots=True)
class PassageText:
    """A row of `library_passages`, before it has a document."""

    position: int
    page_no: int | None
    start_char: int
    end_char: int
    heading: str | None
    text: str


def passages_of(blocks: list[Block]) -> list[PassageText]:
    """The passages, in order; joined they are the whole text.

    A passage never reaches over a page's end and begins at headings where it can.
    """
    found: list[PassageText] = []
    start = 0
    for heading, page_no, text in _pieces(blocks):
        end = start + len(text)
        found.append(PassageText(len(found), page_no, start, end, heading, text))
        start = end
    return found


def _pieces(blocks: list[Block]) -> Iterator[tuple[str | None, int | None, str]]:
    text, trail = "", _Trail()
    heading: str | None = None
    page_no: int | None = None
    for block, whole in full_text(blocks):
        is_heading = block.level is not None
        ends = _is_full(text, whole) or block.page_no != page_no or (is_heading and len(text) >= _SHORT)
        if text and ends:
            yield heading, page_no, text
            text = ""
        trail.pass_by(block)
        if not text or is_heading:
            heading = trail.path
        page_no = block.page_no
        *full, rest = _cut(text + whole)
        for piece in full:
            yield heading, page_no, piece
        text = rest
    if text:
        yield heading, page_no, text


def _is_full(text: str, more: str) -> bool:
    """Whether a passage is nearer to its target without the next paragraph."""
    return len(text) >= TARGET or (2 * len(text) >= TARGET and len(text) + len(more) > 2 * TARGET - len(text))


def _cut(text: str) -> list[str]:
    """The text in pieces of the target's length, cut where sentences end; whole where it is not long."""
    pieces: list[str] = []
    start = 0
    while len(text) - start > _LONG:
        goal, last = start + TARGET, start + _LONG
        ends = [found.end() for found in _SENTENCE_END.finditer(text, start + TARGET // 2, last)]
        nearest = min(((abs(place - goal), place) for place in ends), default=None)
        end = nearest[1] if nearest else text.rfind(" ", goal, last) + 1 or goal
        pieces.append(text[start:end])
        start = end
    return [*pieces, text[start:]]


class _Trail:
    """The headings that a block stands under."""

    def __init__(self) -> None:
        self._over: list[tuple[int, str]] = []

    def pass_by(self, block: Block) -> None:
        if block.level is not None:
            self._over = [*(one for one in self._over if one[0] < block.level), (block.level, block.text)]

    @property
    def path(self) -> str | None:
        """From the chapter down."""
        return " › ".join(text for _, text in self._over)[:_MAX_HEADING] or None
