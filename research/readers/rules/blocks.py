"""Divide a page into the rows, list entries, headed parts and paragraphs that may each describe one item."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from research.markdown_text import without_marks
from research.readers.rules.names import is_named, lead_of
from research.text import split_sentences

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
_MARK = re.compile(r"[ \t]*(?:[-*+•·▪‣◦–—]|\(?\d{1,2}(?:\.\d{1,2}){0,2}[.)]|\(?[a-z][.)])[ \t]+(?=\S)")
#: Marks of lists that Markdown does not know.
_OTHER_MARK = re.compile(r"([ \t]*)(?:[•·▪‣◦–—]|\d{1,2}\.\d{1,2}\.?|\(?[a-z][.)])[ \t]+(?=\S)")
_STRONG_LINE = re.compile(r"\*\*(?P<words>[^*\n]+)\*\*:?")
_CELLS = re.compile(r"\t+| {2,}|(?<=\S) \| (?=\S)")
#: What begins a line with a label or a name: "Cost: nothing", "Otter Hour – Sundays at four".
_LEAD = re.compile(r"(?P<lead>[^\W\d_][^\n:;.!?|–—]{1,50})(?::|[ \t][–—-])[ \t]+(?=\S)")
#: Longest line of capitals that is a heading.
_LONGEST_CAPITALS = 60


@dataclass(frozen=True, slots=True)
class Part:
    """A cell or sentence."""

    #: The header of its column, the heading above it or the words before its colon; "" if none.
    label: str
    #: Without marks of Markdown.
    text: str
    #: The row or sentence, verbatim.
    quote: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A stretch of a page that is led by words which may name an item."""

    name: str
    parts: tuple[Part, ...]
    #: The headings above it, outermost first.
    headings: tuple[str, ...]
    #: The same for the rows of a table, the entries of a list and the headings of a level below one heading.
    group: str


@dataclass(frozen=True, slots=True)
class _Block:
    kind: str
    #: Heading: its level; else 0.
    level: int
    #: Of a heading or row: its words or cells.
    cells: tuple[str, ...]
    start: int
    end: int
    #: Number of its list or table.
    of: int
    header: tuple[str, ...] = ()


def entries_of(text: str, language: str) -> list[Entry]:
    """Return the named entries of a page in its order; those of a list within another one twice."""
    blocks, found = _blocks(text), []
    headings: list[_Block] = []
    for at, block in enumerate(blocks):
        if block.kind == "heading":
            headings = [*(one for one in headings if one.level < block.level), block]
        above = tuple(one.cells[0] for one in headings if one is not block)
        place = f"{block.kind} {block.of} {' > '.join(above)}"
        if block.kind == "heading":
            parts = tuple(_parts_below(blocks[at + 1 :], block.level, text, language))
            found.append(Entry(block.cells[0], parts, above, f"{place} {block.level}"))
        elif block.kind == "row":
            found.append(Entry(block.cells[0], _cells(block, text), above, place))
        elif lead := lead_of(text[block.start : block.end], is_entry=block.kind == "entry"):
            rest = tuple(_sentences(text, block.start + lead[1], block.end, language))
            found.append(Entry(lead[0], rest, above, place))
    return found


def paragraphs_of(text: str, language: str) -> list[list[Part]]:
    """Return the sentences of each paragraph and list entry of a page."""
    told = [block for block in _blocks(text) if block.kind in {"entry", "paragraph"}]
    return [list(_sentences(text, block.start, block.end, language)) for block in told]


def _parts_below(blocks: Sequence[_Block], level: int, text: str, language: str) -> Iterator[Part]:
    """Yield the parts up to the next heading of the level, those below another one with it as their label."""
    label = ""
    for block in blocks:
        if 0 < block.level <= level:
            return
        if block.kind == "heading":
            label = block.cells[0]
        elif block.kind == "row":
            yield from _cells(block, text)
        else:
            yield from _sentences(text, block.start, block.end, language, label)


def _cells(row: _Block, text: str) -> tuple[Part, ...]:
    quote = text[row.start : row.end].strip()
    return tuple(Part(label, cell, quote) for label, cell in zip(row.header[1:], row.cells[1:], strict=False))


def _sentences(text: str, start: int, end: int, language: str, label: str = "") -> Iterator[Part]:
    for begin, stop in split_sentences(text[start:end], language):
        quote = text[start + begin : start + stop]
        quote = quote[mark.end() :] if (mark := _MARK.match(quote)) else quote
        quote = quote.lstrip("*_ \t\n")
        before, colon, after = without_marks(quote).partition(":")
        if colon and after.strip() and len(before.split()) <= 4:
            yield Part(before.strip(" *_"), after.strip(" *_"), quote)
        elif quote.strip(" *_."):
            yield Part(label, without_marks(quote), quote)


def _blocks(text: str) -> list[_Block]:
    lines = text.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    prepared, places = _prepared(lines)

    def add(kind: str, node: SyntaxTreeNode, cells: Sequence[str] = (), header: Sequence[str] = ()) -> None:
        first, last = node.map or (0, 0)
        start, end = starts[places[first]], starts[places[last - 1] + 1] - 1
        mark = _MARK.match(text, start, end)
        within = (node.parent.map or (0, 0))[0] if node.parent and not node.parent.is_root else 0
        level = int(node.tag[1]) if kind == "heading" else 0
        found.append(_Block(kind, level, (*cells,), mark.end() if mark else start, end, within, (*header,)))

    found: list[_Block] = []
    for node in _unquoted(SyntaxTreeNode(_MARKDOWN.parse("\n".join(prepared)))):
        if node.type == "heading":
            add("heading", node, [_plain(node)])
        elif node.type == "list_item":
            add("entry", node)
        elif node.type == "paragraph" and node.level == 0:
            add("paragraph", node)
        elif node.type == "table":
            head, *rows = (row for part in node.children for row in part.children)
            for row in rows:
                add("row", row, [_plain(cell) for cell in row.children], [_plain(cell) for cell in head.children])
    return found


def _unquoted(node: SyntaxTreeNode) -> Iterator[SyntaxTreeNode]:
    for child in node.children if node.type != "blockquote" else ():
        yield child
        yield from _unquoted(child)


def _plain(node: SyntaxTreeNode) -> str:
    """Return the words of a heading or cell on one line."""
    tokens = [one for inline in node.children if inline.token for one in inline.token.children or ()]
    told = "".join(" " if one.type == "softbreak" else one.content for one in tokens)
    return " ".join(told.split()).strip(" :")


def _prepared(lines: Sequence[str]) -> tuple[list[str], list[int]]:
    """Return the lines as Markdown, and for each the number of the line it was made of."""
    prepared: list[str] = []
    places: list[int] = []
    leads = [found["lead"] if (found := _LEAD.match(line)) and not _MARK.match(line) else "" for line in lines]
    columns, heads, rows = 0, _record_heads(lines, leads), [*map(_row, lines), []]
    for at, line in enumerate(lines):
        cells = rows[at]
        if len(cells) > 1 and len(cells) == (columns or len(rows[at + 1])):
            made = [f"| {' | '.join(cells)} |", *([] if columns else ["|" + "---|" * len(cells)])]
            columns = len(cells)
        else:
            made, columns = [f"###### {heads[at]}" if at in heads else _as_markdown(line)], 0
            # Lines with leads are paragraphs of their own.
            made += [""] if leads[at] and any([*leads[max(0, at - 1) : at], *leads[at + 1 : at + 2]]) else []
        prepared += made
        places += [at] * len(made)
    return prepared, [*places, len(lines) - 1]


def _row(line: str) -> list[str]:
    """Return the cells of a line in columns that is no row of Markdown."""
    if _MARK.match(line) or line.lstrip().startswith("|"):
        return []
    return [cell.strip() for cell in _CELLS.split(line.strip(" |"))]


def _record_heads(lines: Sequence[str], leads: Sequence[str]) -> dict[int, str]:
    """Return by line the names of records: lines with leads, of which several stretches begin with the same one.

    The name is the line above a record, or stands behind its first lead.
    """
    starts = [
        at
        for at in range(len(lines) - 1)
        if leads[at] and leads[at + 1] and not (at and (leads[at - 1] or lines[at - 1].startswith("#")))
    ]
    times = Counter(leads[at] for at in starts)
    heads: dict[int, str] = {}
    for at in (at for at in starts if times[leads[at]] > 1):
        above, behind = lines[at - 1] if at else "", _LEAD.sub("", lines[at], count=1)
        if is_named(above) and not _MARK.match(above):
            heads[at - 1] = above.strip()
        elif is_named(behind):
            heads[at] = behind.strip()
    return heads


def _as_markdown(line: str) -> str:
    bare = line.strip()
    if strong := _STRONG_LINE.fullmatch(bare):
        return f"###### {strong['words']}"
    if (
        bare.isupper()
        and len(bare) <= _LONGEST_CAPITALS
        and len(bare) > 3
        and bare[0].isalpha()
        and bare[-1] not in ".,;"
    ):
        return f"##### {bare}"
    if mark := _OTHER_MARK.match(line):
        return f"{mark[1]}- {line[mark.end() :]}"
    return line if _MARK.match(line) else bare
