"""Divide a page into the rows, list entries, headed parts and paragraphs that may each describe one item."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, takewhile

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
_NUMBER, _BULLET = re.compile(r"\d{1,2}[.)][ \t]+(?=[^\W\d_])"), re.compile(r"[-*•·▪‣◦–—][ \t]")
_CAPITALS = re.compile(r"[^\W\d_].{2,58}[^.,;]")
#: What begins a line with a label or a name: "Cost: nothing", "Otter Hour – Sundays at four".
_LEAD = re.compile(r"[^\W\d_][^\n:;.!?|–—]{1,50}(?::|[ \t][–—-])[ \t]+(?=\S)")


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
    header: tuple[str, ...]


def entries_of(text: str, language: str) -> list[Entry]:
    """Return the named entries of a page in its order; those of a list within another one twice."""
    blocks, found = _blocks(text), []
    headings: list[_Block] = []
    for at, block in enumerate(blocks):
        if block.kind == "heading":
            headings = [one for one in headings if one.level < block.level]
        above = tuple(one.cells[0] for one in headings)
        group = f"{block.kind} {block.of} {block.level} {' > '.join(above)}"
        if block.kind == "heading":
            headings.append(block)
            found.append(
                Entry(
                    (lead_of(block.cells[0], is_entry=True) or block.cells)[0],
                    tuple(_below(block, blocks[at + 1 :], text, language)),
                    above,
                    group,
                )
            )
        elif block.kind == "row":
            found.append(Entry(block.cells[0], tuple(_parts(block, text, language)), above, group))
        elif lead := lead_of(text[block.start : block.end], is_entry=block.kind == "entry"):
            rest = tuple(_sentences(text, block.start + lead[1], block.end, language))
            found.append(Entry(lead[0], rest, above, group))
    return found


def paragraphs_of(text: str, language: str) -> list[list[Part]]:
    """Return the sentences of each paragraph and list entry of a page."""
    told = [block for block in _blocks(text) if block.kind in {"entry", "paragraph"}]
    return [list(_parts(block, text, language)) for block in told]


def _below(heading: _Block, blocks: Sequence[_Block], text: str, language: str) -> Iterator[Part]:
    """Yield the parts up to the next heading of the level, those below another one with it as their label."""
    label = ""
    for block in takewhile(lambda one: not 0 < one.level <= heading.level, blocks):
        if block.kind == "heading":
            label = block.cells[0]
        else:
            yield from _parts(block, text, language, label)


def _parts(block: _Block, text: str, language: str, label: str = "") -> Iterator[Part]:
    """Yield the cells of a row behind the first, or the sentences of another block."""
    if block.kind != "row":
        yield from _sentences(text, block.start, block.end, language, label)
    quote = text[block.start : block.end].strip()
    for head, cell in zip(block.header[1:], block.cells[1:], strict=False):
        yield Part(head, cell, quote)


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
    # A lone carriage return would end a line of Markdown.
    lines = text.replace("\r", " ").split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]

    def add(kind: str, node: SyntaxTreeNode, cells: Sequence[str] = (), header: Sequence[str] = ()) -> None:
        first, last = node.map or (0, 0)
        start, end = starts[first], starts[last] - 1
        mark = _MARK.match(text, start, end)
        within = (node.parent.map or (0, 0))[0] if node.parent and not node.parent.is_root else 0
        if kind == "entry" and not mark:
            kind, within = "paragraph", 0
        level = int(node.tag[1]) if kind == "heading" else 0
        found.append(_Block(kind, level, (*cells,), mark.end() if mark else start, end, within, (*header,)))

    found: list[_Block] = []
    for node in _unquoted(SyntaxTreeNode(_MARKDOWN.parse("\n".join(_prepared(lines))))):
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
    return sorted([*found, *_columns(lines, starts)], key=lambda block: block.start)


def _columns(lines: Sequence[str], starts: Sequence[int]) -> Iterator[_Block]:
    """Yield the rows of tables that are set with tabs, below their headers."""
    header: tuple[str, ...] = ()
    first = 0
    for at, line in enumerate(lines):
        cells = tuple(cell.strip(" :") for cell in line.split("\t")) if "\t" in line else ()
        if cells and header:
            yield _Block("row", 0, cells, starts[at], starts[at + 1] - 1, first, header)
        else:
            header, first = cells, at


def _unquoted(node: SyntaxTreeNode) -> Iterator[SyntaxTreeNode]:
    for child in node.children if node.type != "blockquote" else ():
        yield child
        yield from _unquoted(child)


def _plain(node: SyntaxTreeNode) -> str:
    """Return the words of a heading or cell on one line."""
    tokens = [one for inline in node.children if inline.token for one in inline.token.children or ()]
    told = "".join(" " if one.type == "softbreak" else one.content for one in tokens)
    return " ".join(told.split()).strip(" :")


def _prepared(lines: Sequence[str]) -> Iterator[str]:
    """Yield each line as Markdown: headings of bold or capital letters, other marks of lists, lines with leads.

    Such a line is an entry where others stand beside it, of a list within the entry above it if there is one.
    """
    leads = [False, *(_LEAD.match(line) is not None for line in lines), False, False]
    for at, line in enumerate(lines, 1):
        bare = line.strip()
        if "\t" in line:
            yield ""
        elif leads[at] and (leads[at - 1] or leads[at + 1]) and not _MARK.match(line):
            yield f"   - {bare}"
        elif all(leads[at + 1 : at + 3]) and is_named(bare) and not (_MARK.match(line) or bare.isupper()):
            yield f"###### {bare}"
        elif (number := _NUMBER.match(line)) and at < len(lines) and _BULLET.match(lines[at]):
            yield f"#### {line[number.end() :]}"
        elif strong := _STRONG_LINE.fullmatch(bare):
            yield f"###### {strong['words']}"
        elif bare.isupper() and _CAPITALS.fullmatch(bare):
            yield f"##### {bare}"
        elif mark := _OTHER_MARK.match(line):
            yield f"{mark[1]}- {line[mark.end() :]}"
        else:
            yield line if _MARK.match(line) else bare
