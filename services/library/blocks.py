"""The blocks of a document: headings, paragraphs, columns."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, zip_longest
from statistics import median

from lxml import etree, html

from pipeline.pages.page_model import Box, PageContent, Source, reading_order

# Convert HTML to blocks: headings, paragraphs, items and rows, in order; links keep their addresses.


_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_PARTS = {*_HEADINGS, "p", "li", "tr", "pre", "blockquote", "dt", "dd", "figcaption", "caption", "div", "section"}
_CONTAINERS = {"html", "body", "article", "main", "ul", "ol", "dl", "table", "thead", "tbody", "tfoot", "header"}
_UNREAD = {"script", "style", "template", "noscript", "head", "img", "svg", "nav"}


def html_blocks(text: str) -> list[TextBlock]:
    """Return the visible text of the page as blocks; an empty list if it has none or cannot be parsed."""
    try:
        root = html.document_fromstring(text.encode(), parser=html.HTMLParser(encoding="utf-8"))
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        return []
    return [block for block in _blocks(root) if block.text]


def _blocks(element: html.HtmlElement) -> Iterator[TextBlock]:
    """Yield the blocks below an element; text between inner blocks is a separate block."""
    loose: list[str] = [element.text or ""]
    for child in element:
        tag = child.tag if isinstance(child.tag, str) else None
        if tag in _UNREAD or tag is None:
            loose.append(child.tail or "")
        elif tag in _PARTS or tag in _CONTAINERS:
            yield _block(element, "".join(loose))
            yield from ([_row(child)] if tag == "tr" else _blocks(child))
            loose = [child.tail or ""]
        else:
            loose += [_inline(child), child.tail or ""]
    yield _block(element, "".join(loose))


def _block(element: html.HtmlElement, text: str) -> TextBlock:
    return TextBlock(
        single_spaced(text), level=_HEADINGS.get(element.tag), tight=element.tag in ("li", "tr", "dt", "dd")
    )


def _row(row: html.HtmlElement) -> TextBlock:
    """Return a table row as one line: "name: value" for two cells, else cells separated by semicolons."""
    cells = [single_spaced(_inline(cell)) for cell in row if cell.tag in ("td", "th")]
    cells = [cell for cell in cells if cell]
    two = len(cells) == 2 and len(cells[0]) < 60
    return TextBlock((": " if two else "; ").join(cells), tight=True)


def _inline(element: html.HtmlElement) -> str:
    if not isinstance(element.tag, str) or element.tag in _UNREAD:
        return ""
    if element.tag == "br":
        return "\n"
    inner = (element.text or "") + "".join(_inline(child) + (child.tail or "") for child in element)
    address = element.get("href") or ""
    if element.tag == "a" and re.match(r"https?://", address) and address.rstrip("/") not in inner:
        return f"{inner} ({address})" if inner.strip() else ""
    return inner


# Join lines of pages into headings and paragraphs, without running headers and end-of-line hyphens.


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
#: Lines above that show where a paragraph's lines begin and end; no printed paragraph has more.
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


def text_blocks(pages: Sequence[Sequence[PrintedLine]]) -> list[TextBlock]:
    """Return the blocks of all pages; page numbers begin with 1."""
    heads = _running_heads(pages)
    body = _body_size(pages)
    found: list[TextBlock] = []
    for number, lines in enumerate(pages, start=1):
        kept = [line for line in lines if not (_at_edge(line) and _is_furniture(line.text, heads))]
        page = _page_blocks(kept, number, body)
        if found and page and _goes_on(found[-1], page[0]):
            last = found[-1]
            found[-1] = TextBlock(last.text, last.level, last.page_no, last.tight, runs_on=True)
        found += page
    return _mended(found)


def _running_heads(pages: Sequence[Sequence[PrintedLine]]) -> set[str]:
    shapes = Counter(shape for lines in pages for shape in {_shape(line.text) for line in lines if _at_edge(line)})
    least = max(_PAGES, _OFTEN * len(pages))
    return {shape for shape, count in shapes.items() if count >= least}


def _is_furniture(text: str, heads: set[str]) -> bool:
    return _shape(text) in heads or _PAGE_NUMBER.fullmatch(text.strip()) is not None


def _at_edge(line: PrintedLine) -> bool:
    return line.box.y1 < _EDGE or line.box.y0 > 1 - _EDGE


def _shape(text: str) -> str:
    return re.sub(r"\d+", "0", text).casefold()


def _body_size(pages: Sequence[Sequence[PrintedLine]]) -> float:
    """Return the most frequent type size in points, counted by letters."""
    sizes: Counter[float] = Counter()
    for lines in pages:
        for line in lines:
            sizes[round(line.size, 1)] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def _page_blocks(lines: Sequence[PrintedLine], page_no: int, body: float) -> list[TextBlock]:
    pitch = _pitch(lines)
    groups: list[list[PrintedLine]] = []
    for line in lines:
        if groups and not _begins(line, groups[-1], pitch, body):
            groups[-1].append(line)
        else:
            groups.append([line])
    return [_block_of_lines(group, page_no, body) for group in groups]


def _pitch(lines: Sequence[PrintedLine]) -> float:
    """Return the median distance from one line to the next."""
    steps = [b.box.cy - a.box.cy for a, b in pairwise(lines) if b.box.cy > a.box.cy]
    return median(steps) if steps else 0.0


def _begins(line: PrintedLine, group: Sequence[PrintedLine], pitch: float, body: float) -> bool:
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


def _is_heading(lines: Sequence[PrintedLine], body: float) -> bool:
    if not body or len(lines) > _HEADING_WORDS or sum(len(line.text.split()) for line in lines) > _HEADING_WORDS:
        return False
    larger = all(line.size > _LARGER * body for line in lines)
    return larger or (all(line.bold for line in lines) and not lines[-1].text.endswith((".", ",", ";")))


def _block_of_lines(lines: Sequence[PrintedLine], page_no: int, body: float) -> TextBlock:
    level = None
    if _is_heading(lines, body):
        level = 1 if lines[0].size > 1.5 * body else 2 if lines[0].size > _LARGER * body else 3
    return TextBlock(_joined([line.text for line in lines]), level, page_no, bool(_BULLET.match(lines[0].text)))


def _joined(lines: Sequence[str]) -> str:
    parts = [lines[0]]
    for line in lines[1:]:
        broken = re.search(r"[^\W\d_]-$", parts[-1][-2:]) and re.match(r"[^\W\d_]", line) and line[0].islower()
        if broken:
            parts[-1] = parts[-1][:-1] + _BROKEN + line
        else:
            parts.append(line)
    return " ".join(parts)


def _goes_on(last: TextBlock, first: TextBlock) -> bool:
    """Return whether a sentence continues from one page to the next."""
    if last.level is not None or first.level is not None or first.tight:
        return False
    return not last.text.endswith(_ENDS) and first.text[:1].islower()


def _mended(blocks: list[TextBlock]) -> list[TextBlock]:
    words = Counter(
        word.casefold() for block in blocks for word in re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", block.text)
    )

    def whole(found: re.Match[str]) -> str:
        apart, together = f"{found[1]}-{found[2]}", f"{found[1]}{found[2]}"
        return apart if words[apart.casefold()] > words[together.casefold()] else together

    mend = re.compile(rf"(?<![^\W\d_])([^\W\d_]++){_BROKEN}([^\W\d_]++)")
    return [
        TextBlock(
            visible_text(mend.sub(whole, b.text).replace(_BROKEN, "")), b.level, b.page_no, b.tight, b.runs_on
        )
        for b in blocks
    ]


# Order the lines of a page for reading, one column after the other.


#: Least number of lines of a column.
_LINES = 5
#: Least number of lines of a left column whose text continues in a short right one; most lines that may then
#: cross the gutter (headers and footers).
_FULL, _STRAYS = 15, 2
#: Headers, footers and page numbers are within this share of the page's height from its top or bottom.
_COLUMN_EDGE = 0.08
#: Least median width of the lines in running text, as a share of the column's width; table cells are narrower.
_FILLED = 0.6
#: Most lines of a page in columns that may cross the gutter (titles, wide tables), as a share of the others.
_CROSSING = 0.5
#: Pieces that overlap vertically by more than this share of the smaller height are in one row.
_SAME_ROW = 0.5


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """A printed line: its text, its box on the page and its type size."""

    text: str
    box: Box
    #: In points; 0 if unknown.
    size: float
    bold: bool


def lines_in_order(page: PageContent) -> list[PrintedLine]:
    """Return the page's lines in reading order: each column from the top, the left column first."""
    by_number: dict[int, list[int]] = {}
    for index, word in enumerate(page.words):
        by_number.setdefault(word.line, []).append(index)
    lines = [_line(page, indices) for indices in by_number.values()]
    return [line for line in _ordered(lines, 0.0, 1.0) if line.text]


def _line(page: PageContent, indices: Sequence[int]) -> PrintedLine:
    words = [page.words[index] for index in indices]
    if page.source is Source.OCR:
        words.sort(key=lambda word: word.box.x0)
    box = words[0].box
    for word in words[1:]:
        box = box.union(word.box)
    size = median(word.size for word in words) if page.source is Source.TEXT_LAYER else 0.0
    return PrintedLine(" ".join(word.text for word in words).strip(), box, size, all(word.bold for word in words))


def _ordered(lines: list[PrintedLine], left: float, right: float) -> list[PrintedLine]:
    gutter = _gutter(lines, left, right)
    if gutter is None:
        return _rows(lines)
    found: list[PrintedLine] = []
    band: list[PrintedLine] = []
    for line in sorted(lines, key=lambda one: one.box.cy):
        if line.box.x0 < gutter < line.box.x1:
            found += [*_sides(band, gutter, left, right), line]
            band = []
        else:
            band.append(line)
    return found + _sides(band, gutter, left, right)


def _sides(band: list[PrintedLine], gutter: float, left: float, right: float) -> list[PrintedLine]:
    one = [line for line in band if line.box.x1 <= gutter]
    other = [line for line in band if line.box.x1 > gutter]
    return _ordered(one, left, gutter) + _ordered(other, gutter, right)


def _gutter(lines: Sequence[PrintedLine], left: float, right: float) -> float | None:
    """Return the x coordinate of the gap between two columns of running text; None if there is one column."""
    width = right - left
    inner = [line for line in lines if _COLUMN_EDGE < line.box.cy < 1 - _COLUMN_EDGE]
    places = [left + width * (0.3 + 0.01 * step) for step in range(41)]
    place = max(places, key=lambda one: (_parting(inner, one), -abs(one - (left + right) / 2)))
    crossing = sum(line.box.x0 < place < line.box.x1 for line in inner)
    one = [line for line in inner if line.box.x1 <= place]
    other = [line for line in inner if line.box.x0 >= place]
    if _begins_column(one, other, crossing):
        return place
    if min(len(one), len(other)) < _LINES or crossing > _CROSSING * (len(one) + len(other)):
        return None
    return place if _is_text(one) and _is_text(other) and _beside(one, other) else None


def _parting(lines: Sequence[PrintedLine], place: float) -> int:
    """Score an x coordinate as a gutter: lines on the side with fewer of them, less the lines that cross it."""
    one = sum(line.box.x1 <= place for line in lines)
    other = sum(line.box.x0 >= place for line in lines)
    return min(one, other) - (len(lines) - one - other)


def _begins_column(one: Sequence[PrintedLine], other: Sequence[PrintedLine], crossing: int) -> bool:
    """Return whether the text ends in a few lines at the top of the right column, beside a full left one."""
    if not 0 < len(other) < _LINES or len(one) < _FULL or crossing > _STRAYS or not _is_text(one):
        return False
    tops = [min(line.box.y0 for line in lines) for lines in (one, other)]
    end = max(line.box.y1 for line in one)
    return tops[1] - tops[0] < 0.1 * (end - tops[0])


def _is_text(lines: Sequence[PrintedLine]) -> bool:
    width = max(line.box.x1 for line in lines) - min(line.box.x0 for line in lines)
    return median(line.box.width for line in lines) >= _FILLED * width


def _beside(one: Sequence[PrintedLine], other: Sequence[PrintedLine]) -> bool:
    tops = [min(line.box.y0 for line in lines) for lines in (one, other)]
    ends = [max(line.box.y1 for line in lines) for lines in (one, other)]
    shared = min(ends) - max(tops)
    return shared > 0.3 * min(end - top for top, end in zip(tops, ends, strict=True))


def _rows(lines: list[PrintedLine]) -> list[PrintedLine]:
    """Return the lines from top to bottom, with pieces in the same row joined into one line."""
    found: list[PrintedLine] = []
    for index in reading_order([line.box for line in lines]):
        line = lines[index]
        if found and _in_row(found[-1].box, line.box):
            before = found[-1]
            found[-1] = PrintedLine(
                f"{before.text} {line.text}", before.box.union(line.box), before.size, before.bold and line.bold
            )
        else:
            found.append(line)
    return found


def _in_row(before: Box, box: Box) -> bool:
    shared = min(before.y1, box.y1) - max(before.y0, box.y0)
    return box.x0 >= before.x1 - 0.005 and shared > _SAME_ROW * min(before.height, box.height)


# A document's text as headings and paragraphs, independent of its format.


#: Invisible characters, some of which PostgreSQL cannot store: NUL and other controls but tab and line ends.
_UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufeff]")


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A heading, a paragraph, an item of a list or a row of a table."""

    text: str
    #: 1 to 6 for headings, None for other blocks.
    level: int | None = None
    page_no: int | None = None
    #: True for items and rows, which follow each other without an empty line.
    tight: bool = False
    #: True if the block's last sentence continues in the next block, across a page break.
    runs_on: bool = False


@dataclass(slots=True)
class FoundMetadata:
    """Metadata found in a document; empty or None where it has none."""

    title: str = ""
    authors: list[str] = field(default_factory=list)
    year: int | None = None
    publisher: str | None = None
    url: str | None = None
    doi: str | None = None
    isbn: str | None = None
    language: str | None = None
    is_sample: bool = False


@dataclass(frozen=True, slots=True)
class DocumentText:
    """The text and metadata read from a document."""

    blocks: list[TextBlock]
    facts: FoundMetadata
    page_count: int | None = None


def visible_text(text: str) -> str:
    """Return the text without invisible control characters, with line ends as "\\n"."""
    return _UNSEEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def single_spaced(text: str) -> str:
    """Return the text with each run of white space replaced by one space, accents composed with their letters."""
    return " ".join(unicodedata.normalize("NFC", visible_text(text)).split())


def full_text(blocks: list[TextBlock]) -> Iterator[tuple[TextBlock, str]]:
    """Yield each block with its part of the whole text, which includes the separator before the next block."""
    for block, after in zip_longest(blocks, blocks[1:]):
        if after is None:
            yield block, block.text
        elif block.runs_on:
            yield block, block.text + " "
        else:
            yield block, block.text + ("\n" if block.tight and after.tight else "\n\n")
