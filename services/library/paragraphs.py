"""Join lines of pages into headings and paragraphs, without running headers and end-of-line hyphens."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from services.library.blocks import Block, seen
from services.library.columns import TextLine

#: Headers and footers are within this share of the page's height from its top or bottom.
_EDGE = 0.09
#: They repeat, apart from their numbers, on at least this many pages and this share of all pages.
_PAGES, _OFTEN = 3, 0.4
#: A line distance of more than this multiple of the usual one separates paragraphs.
_GAP = 1.35
_TITLE_GAP = 1.7
_INDENT = 0.015
#: A line that ends a sentence and is shorter than its column by this share of the width ends its paragraph.
_SHORT = 0.12
#: Lines above that tell where a paragraph's lines begin and end; no printed one has more.
_LOOK_BACK = 200
_LARGER = 1.15
_HEADING_WORDS = 16
#: Placeholder for a hyphen at a line's end, until it is known whether the hyphen belongs to the word.
_BROKEN = "\u00ad"
_ENDS = (".", "!", "?", ":", "…", "”", '"', ".)")
#: "12", "Page 3 of 9", "xiv".
_PAGE_NUMBER = re.compile(
    r"[-–— ]*(?:p(?:age|ágina|\.)?\s*)?(?:\d{1,4}|[ivxlc]{1,7})(?:\s*(?:of|de|/)\s*\d{1,4})?[-–— ]*", re.IGNORECASE
)
_BULLET = re.compile(r"(?:[•●▪◦–—*-]|\(?\d{1,2}[.)]|\(?[a-z]\))\s+\S")


def blocks_of(pages: Sequence[Sequence[TextLine]]) -> list[Block]:
    """Return the blocks of all pages; page numbers begin with 1."""
    heads = _running_heads(pages)
    body = _body_size(pages)
    found: list[Block] = []
    for number, lines in enumerate(pages, start=1):
        kept = [line for line in lines if not (_at_edge(line) and _is_furniture(line.text, heads))]
        page = _page_blocks(kept, number, body)
        if found and page and _goes_on(found[-1], page[0]):
            last = found[-1]
            found[-1] = Block(last.text, last.level, last.page_no, last.tight, runs_on=True)
        found += page
    return _mended(found)


def _running_heads(pages: Sequence[Sequence[TextLine]]) -> set[str]:
    shapes = Counter(shape for lines in pages for shape in {_shape(line.text) for line in lines if _at_edge(line)})
    least = max(_PAGES, _OFTEN * len(pages))
    return {shape for shape, count in shapes.items() if count >= least}


def _is_furniture(text: str, heads: set[str]) -> bool:
    return _shape(text) in heads or _PAGE_NUMBER.fullmatch(text.strip()) is not None


def _at_edge(line: TextLine) -> bool:
    return line.box.y1 < _EDGE or line.box.y0 > 1 - _EDGE


def _shape(text: str) -> str:
    return re.sub(r"\d+", "0", text).casefold()


def _body_size(pages: Sequence[Sequence[TextLine]]) -> float:
    """Return the most frequent type size in points, counted by letters."""
    sizes: Counter[float] = Counter()
    for lines in pages:
        for line in lines:
            sizes[round(line.size, 1)] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def _page_blocks(lines: Sequence[TextLine], page_no: int, body: float) -> list[Block]:
    pitch = _pitch(lines)
    groups: list[list[TextLine]] = []
    for line in lines:
        if groups and not _begins(line, groups[-1], pitch, body):
            groups[-1].append(line)
        else:
            groups.append([line])
    return [_block(group, page_no, body) for group in groups]


def _pitch(lines: Sequence[TextLine]) -> float:
    """Return the median distance from one line to the next."""
    steps = [b.box.cy - a.box.cy for a, b in pairwise(lines) if b.box.cy > a.box.cy]
    return median(steps) if steps else 0.0


def _begins(line: TextLine, group: Sequence[TextLine], pitch: float, body: float) -> bool:
    """Return whether a new paragraph begins with this line."""
    last, first = group[-1], group[0]
    step = line.box.cy - last.box.cy
    if step <= 0 or line.box.x0 > last.box.x1 or line.box.x1 < last.box.x0:
        # The top of the next column: the paragraph continues unless its last line ends a sentence.
        return last.text.endswith(_ENDS) or _is_heading([line], body) != _is_heading(group, body)
    heading = _is_heading(group, body)
    if heading != _is_heading([line], body) or _BULLET.match(line.text):
        return True
    if heading and abs(line.size - last.size) > 0.1 * last.size:
        return True
    # Lines of a title are further apart than those of the text, and all of one type size.
    if step > (_TITLE_GAP * line.box.height if heading else _GAP * pitch):
        return True
    if not last.text.endswith(_ENDS):
        return False
    near = group[-_LOOK_BACK:]
    indented = line.box.x0 > min(one.box.x0 for one in near) + _INDENT
    short = last.box.x1 < max(one.box.x1 for one in near) - _SHORT
    return short or (indented and not _BULLET.match(first.text))


def _is_heading(lines: Sequence[TextLine], body: float) -> bool:
    if not body or len(lines) > _HEADING_WORDS or sum(len(line.text.split()) for line in lines) > _HEADING_WORDS:
        return False
    larger = all(line.size > _LARGER * body for line in lines)
    return larger or (all(line.bold for line in lines) and not lines[-1].text.endswith((".", ",", ";")))


def _block(lines: Sequence[TextLine], page_no: int, body: float) -> Block:
    level = None
    if _is_heading(lines, body):
        level = 1 if lines[0].size > 1.5 * body else 2 if lines[0].size > _LARGER * body else 3
    return Block(_joined([line.text for line in lines]), level, page_no, bool(_BULLET.match(lines[0].text)))


def _joined(lines: Sequence[str]) -> str:
    parts = [lines[0]]
    for line in lines[1:]:
        broken = re.search(r"[^\W\d_]-$", parts[-1][-2:]) and re.match(r"[^\W\d_]", line) and line[0].islower()
        if broken:
            parts[-1] = parts[-1][:-1] + _BROKEN + line
        else:
            parts.append(line)
    return " ".join(parts)


def _goes_on(last: Block, first: Block) -> bool:
    """Return whether a sentence continues from one page to the next."""
    if last.level is not None or first.level is not None or first.tight:
        return False
    return not last.text.endswith(_ENDS) and first.text[:1].islower()


def _mended(blocks: list[Block]) -> list[Block]:
    words = Counter(
        word.casefold() for block in blocks for word in re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", block.text)
    )

    def whole(found: re.Match[str]) -> str:
        apart, together = f"{found[1]}-{found[2]}", f"{found[1]}{found[2]}"
        return apart if words[apart.casefold()] > words[together.casefold()] else together

    mend = re.compile(rf"(?<![^\W\d_])([^\W\d_]++){_BROKEN}([^\W\d_]++)")
    return [
        Block(seen(mend.sub(whole, b.text).replace(_BROKEN, "")), b.level, b.page_no, b.tight, b.runs_on)
        for b in blocks
    ]
