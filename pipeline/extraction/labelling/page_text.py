"""The visual lines of a page as texts with the spaces and blank lines that they are drawn with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median, median_low

from pipeline.extraction.tokens import PAGE_WIDTH, Line, Token, box_of, value_gap

#: Lines farther apart than this multiple of the usual distance have a blank line between them.
_BLANK = 1.45
#: A line that begins beyond this share of the page's width is set at the right or in the middle.
_INDENTED = 0.3
_INDENT = " " * 20


@dataclass(slots=True)
class PageText:
    """Texts of lines, and for each the tokens with the place where each begins; a blank line has none."""

    texts: list[str] = field(default_factory=list)
    tokens: list[list[tuple[int, Token]]] = field(default_factory=list)

    def tokens_at(self, line: int, start: int, end: int) -> list[Token]:
        """Return the tokens of a stretch of a text; of a token that is not wholly inside, the part that is."""
        found = []
        for begin, token in self.tokens[line]:
            first, last = max(start - begin, 0), min(end - begin, len(token.text))
            if first < last:
                found.append(token if (first, last) == (0, len(token.text)) else token.part(first, last))
        return found


def page_text(lines: Sequence[Line]) -> PageText:
    """Return the texts of visual lines, top first."""
    found = PageText()
    boxes = [box_of(line) for line in lines]
    steps = [b.cy - a.cy for a, b in pairwise(boxes) if b.cy > a.cy]
    usual = median_low(steps) if steps else 0.0
    heights = median([box.height for box in boxes]) if boxes else 0.0
    for number, line in enumerate(lines):
        step = boxes[number].cy - boxes[number - 1].cy if number else 0.0
        if number and step > max(_BLANK * usual, 1.2 * heights):
            found.texts.append("")
            found.tokens.append([])
        _add(found, line)
    return found


def _add(found: PageText, line: Line) -> None:
    gap = value_gap(line)
    text = _INDENT if line[0].box.x0 > _INDENTED * PAGE_WIDTH else ""
    tokens: list[tuple[int, Token]] = []
    for before, token in zip([None, *line], line, strict=False):
        if before is not None:
            text += "\t" if token.box.x0 - before.box.x1 > gap else " "
        tokens.append((len(text), token))
        text += token.text
    found.texts.append(text)
    found.tokens.append(tokens)
