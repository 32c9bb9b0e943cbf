"""Divide blocks into consecutive passages of about 800 characters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from services.library.blocks import Block, full_text

#: Characters after which a passage ends with the current paragraph.
TARGET = 800
#: A heading begins a new passage unless the one before it has fewer characters than this.
_SHORT = 200
#: A paragraph with more characters than this is cut at the ends of sentences.
_LONG = 1600
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*\s+(?=[\"'“‘(\[¿¡]*[A-ZÀ-ÖØ-Þ0-9])")
_MAX_HEADING = 300


@dataclass(frozen=True, slots=True)
class PassageText:
    """A row of `library_passages` without the document's id."""

    position: int
    page_no: int | None
    start_char: int
    end_char: int
    heading: str | None
    text: str


def passages_of(blocks: list[Block]) -> list[PassageText]:
    """Return the passages in order; concatenated they are the whole text.

    A passage does not cross a page break, and begins at a heading where possible.
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
    """Return whether the passage's length is closer to the target without the next paragraph."""
    return len(text) >= TARGET or (2 * len(text) >= TARGET and len(text) + len(more) > 2 * TARGET - len(text))


def _cut(text: str) -> list[str]:
    """Cut a long text at sentence ends into pieces of about the target's length; return a short one whole."""
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
    """The chain of headings above the current block."""

    def __init__(self) -> None:
        self._over: list[tuple[int, str]] = []

    def pass_by(self, block: Block) -> None:
        if block.level is not None:
            self._over = [*(one for one in self._over if one[0] < block.level), (block.level, block.text)]

    @property
    def path(self) -> str | None:
        """The headings joined from the highest level down, None without any."""
        return " › ".join(text for _, text in self._over)[:_MAX_HEADING] or None
