"""Where pages, sections and entries begin in a Word file, and the lines at the head and foot of its pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from html import escape, unescape
from itertools import pairwise
from typing import Any, NamedTuple

from lxml import etree, html

from pipeline.extraction.values.text import plain_text
from pipeline.files.word.package import WP, A, Package, R, W, element_text, is_on, number_in, paragraph_of, value
from pipeline.files.word.styles import Styles, page_number_only
from pipeline.profiles import FieldKind, freeform_profile, known_heads

# The lines that a Word file prints at the head and foot of its pages, each once.


#: Kinds of pages with their own margins; `even` if the settings say so, `first` if the section does.
_KINDS = ("first", "default", "even")
#: English metric units per inch, and square inches of a picture too large for a letterhead.
_EMU, _LARGE = 914400, 20


def margin_parts(package: Package, kind: str) -> list[list[str]]:
    """Return for each section the parts of the margins ("header" or "footer") that its pages display.

    A part that no section refers to, or only for pages that the section lacks, is displayed nowhere
    (ECMA-376-1, 17.10). A section without margins inherits those of the section before.
    """
    relations = package.relations(package.main)
    even = _even_pages_differ(package)
    found: list[list[str]] = []
    inherited: dict[str, str] = {}
    for section in sections_in(package.tree(package.main)):
        for reference in section.iterfind(f"{W}{kind}Reference"):
            relation = relations.get(reference.get(f"{R}id") or "")
            if relation is not None and not relation.external and package.has(relation.target):
                inherited[reference.get(f"{W}type") or "default"] = relation.target
        shown = {"default": True, "first": is_on(section.find(f"{W}titlePg")), "even": even}
        found.append([inherited[pages] for pages in _KINDS if pages in inherited and shown[pages]])
    return found


def _even_pages_differ(package: Package) -> bool:
    for name in package.related("settings"):
        return is_on(package.tree(name).find(f"{W}evenAndOddHeaders"))
    return False


def drop_page_numbers(root: Any) -> None:
    """Empty the paragraphs that only number the pages. Call it before fields become their results."""
    for paragraph in list(root.iter(f"{W}p")):
        if page_number_only(paragraph):
            for run in paragraph.findall(f"{W}r"):
                paragraph.remove(run)
            for field in paragraph.findall(f"{W}fldSimple"):
                paragraph.remove(field)


def margin_lines(root: Any) -> Iterator[str]:
    """The lines of a margin that hold words, tabs kept."""
    for paragraph in root.iter(f"{W}p"):
        for line in "".join(_letters(paragraph)).split("\n"):
            if re.search(r"[^\W\d_]{2}", line):
                yield line.strip()


def _letters(paragraph: Any) -> Iterator[str]:
    for node in paragraph.iter(f"{W}t", f"{W}tab", f"{W}br"):
        if node.tag == f"{W}t":
            yield node.text or ""
        elif node.getparent().tag == f"{W}r":
            yield "\t" if node.tag == f"{W}tab" else "\n"


def large_pictures(root: Any) -> int:
    """Return the number of a margin's pictures, without watermarks, that are large enough to hold an entry."""
    return sum(
        _square_inches(drawing) >= _LARGE
        for drawing in root.iter(f"{W}drawing")
        if next(drawing.iter(f"{A}blip"), None) is not None and next(drawing.iter(f"{A}lum"), None) is None
    )


def _square_inches(drawing: Any) -> float:
    extent = next(drawing.iter(f"{WP}extent"), None)
    if extent is None:
        return 0.0
    return (number_in(extent.get("cx")) or 0.0) * (number_in(extent.get("cy")) or 0.0) / _EMU**2


# Marks in the text of a Word file where pages and sections begin (ECMA-376-1, 17.3.1.23, 17.3.3.1, 17.6.22).


#: Private-use characters, which no document has.
_PAGE, _SECTION = "\ue5cc", "\ue5cd"
_MARKS = re.compile(f"[{_PAGE}{_SECTION}]")
#: Types of sections that continue on the page where the previous one ended.
_SAME_PAGE = ("continuous", "nextColumn")
_DRAWN = (f"{W}drawing", f"{W}pict", f"{W}object")


def mark_breaks(root: Any, styles: Styles, *, sections: bool) -> None:
    """Insert a paragraph with a mark at each explicit page break and at the end of each section.

    Only paragraphs of the body itself are examined: a table's cell is not split.
    """
    body = root.find(f"{W}body")
    if body is None:
        return
    ends = sections_in(root)
    types = {end: value(following, "type") for end, following in pairwise(ends)}
    for paragraph in list(_paragraphs(body)):
        properties = paragraph.find(f"{W}pPr")
        if styles.begins_page(paragraph):
            begin_page(paragraph)
        last = _part_at_breaks(paragraph)
        end = properties.find(f"{W}sectPr") if properties is not None else None
        if end is not None and end in types:
            if types[end] not in _SAME_PAGE:
                last.addnext(paragraph_of(_PAGE))
            if sections:
                last.addnext(paragraph_of(_SECTION))


def sections_in(root: Any) -> list[Any]:
    """Return the properties of the sections, in order; those of the last one are at the end of the body."""
    return [s for s in root.iter(f"{W}sectPr") if s.getparent().tag in (f"{W}pPr", f"{W}body")]


def _paragraphs(block: Any) -> Iterator[Any]:
    for child in block:
        if child.tag == f"{W}p":
            yield child
        elif child.tag == f"{W}sdt":
            yield from _paragraphs(
                child.find(f"{W}sdtContent") if child.find(f"{W}sdtContent") is not None else ()
            )


def _part_at_breaks(paragraph: Any) -> Any:
    """Split a paragraph at its page breaks; return its last part."""
    for mark in list(paragraph.iterfind(f"{W}r/{W}br")):
        if mark.get(f"{W}type") != "page":
            continue
        run = mark.getparent()
        rest = _after(paragraph, run, mark)
        run.remove(mark)
        paragraph.addnext(paragraph_of(_PAGE))
        if rest is not None:
            paragraph.getnext().addnext(rest)
            paragraph = rest
        else:
            paragraph = paragraph.getnext()
            break
    return paragraph


def _after(paragraph: Any, run: Any, mark: Any) -> Any:
    """Move the content after a break into a new paragraph; None if there is none."""
    rest = deepcopy(paragraph)
    for child in [child for child in rest if child.tag != f"{W}pPr"]:
        rest.remove(child)
    for kept in rest.iter(f"{W}sectPr"):
        kept.getparent().remove(kept)
        break
    tail = deepcopy(run)
    for child in [child for child in tail if child.tag != f"{W}rPr"]:
        tail.remove(child)
    tail.extend(run[run.index(mark) + 1 :])
    rest.append(tail)
    rest.extend(paragraph[paragraph.index(run) + 1 :])
    if element_text(rest).strip() or next(rest.iter(*_DRAWN, f"{W}br"), None) is not None:
        return rest
    return None


def begin_page(element: Any) -> None:
    """Begin a page with an element of the body, unless it is the first."""
    if element.getprevious() is not None:
        element.addprevious(paragraph_of(_PAGE))


class SectionPages(NamedTuple):
    pages: list[str]
    #: Whether the first page continues the last page of the previous section.
    goes_on: bool


def sections_of(html: str) -> list[SectionPages]:
    """Return the pages of each section that have text or pictures; marks left in the text are dropped."""
    found = []
    page_mark = f"<p>{_PAGE}</p>"
    for number, section in enumerate(html.split(f"<p>{_SECTION}</p>")):
        pages = [_MARKS.sub("", page) for page in section.split(page_mark)]
        shown = [part for page in pages if has_content(page) for part in parts_by_pupil(page)]
        found.append(SectionPages(shown, number > 0 and not section.startswith(page_mark)))
    return found


def has_content(html: str) -> bool:
    return bool(re.sub(r"<(?!img)[^<>]*+>|\s", "", html))


# Entries in a Word file without page breaks between them: one below the other, or each in a row of a table.
#
# A table of labels and values becomes lines, each label before its value: in narrow cells both would wrap, and a
# value could not be distinguished from the label next to it.


#: Fields whose labels head an entry: the pupil's name, and at least one of the others.
_NAME, _OTHERS = "student_name", ("school_name", "grade")
#: Least words of an entry before the next one begins.
_LEAST_WORDS = 40
#: Paragraphs before and after the name in which the other labels are.
_NEAR = 4
#: Least labels of two entries.
_LEAST_LABELS = 4
#: A value of more words is a text; more words before a table of entries are not a title.
_SHORT, _TITLE = 25, 12
#: Cells of a row that is a label and its value.
_PAIR = 2
#: Private-use character that separates the entries of a table.
_NEXT = "\ue5ce"
_TAGS = re.compile(r"<[^<>]*+>")


def parts_by_pupil(page: str) -> list[str]:
    """Split the HTML of a page into parts, each of which begins with the labels of another pupil.

    A page with the labels of one pupil is one part.
    """
    return [part for entry in _laid_out(page).split(f"<p>{_NEXT}</p>") for part in _parted(entry) if entry.strip()]


def _parted(page: str) -> list[str]:
    labels = _labels()
    if len(labels.findall(_TAGS.sub("\n", page))) < _LEAST_LABELS:
        return [page]
    blocks = _blocks(page)
    texts = [_text(block) for block in blocks]
    starts = _starts(texts, labels)
    if not starts:
        return [page]
    bounds = [0, *starts, len(blocks)]
    return ["".join(map(_written, blocks[a:b])) for a, b in pairwise(bounds)]


def _labels() -> re.Pattern[str]:
    """Labels as people type them, with the field in the group of its name."""
    heads = known_heads()
    either = "|".join(
        f"(?P<{name}>{'|'.join(re.escape(head) for head in sorted(heads[name][1], key=len, reverse=True))})"
        for name in (_NAME, *_OTHERS)
    )
    return re.compile(rf"(?:^|(?<=[\s,;|]))(?:{either})\s*[:=]", re.IGNORECASE | re.MULTILINE)


def _starts(texts: Sequence[str], labels: re.Pattern[str]) -> list[int]:
    """Return the indices of the blocks at which the labels of further pupils begin."""
    found = [{hit.lastgroup or "": _value(text, hit, labels) for hit in labels.finditer(text)} for text in texts]
    starts: list[int] = []
    pupil, words = "", 0
    for at, of_block in enumerate(found):
        name, begin = of_block.get(_NAME, ""), at
        # Labels above the name belong to it.
        while name and begin and found[begin - 1] and at - begin < _NEAR:
            begin -= 1
        around = {field for near in found[begin : at + _NEAR + 1] for field in near}
        if name and around & set(_OTHERS) and name.casefold() != pupil.casefold():
            if pupil and words >= _LEAST_WORDS:
                starts.append(begin)
            pupil, words = name, 0
        words += 0 if of_block else len(texts[at].split())
    return starts


def _value(text: str, hit: re.Match[str], labels: re.Pattern[str]) -> str:
    rest = text[hit.end() :].split("\n", 1)[0]
    following = labels.search(rest)
    return " ".join(rest[: following.start() if following else len(rest)].split())


def _blocks(page: str) -> list[Any]:
    """Return the elements and texts of the page; an element that only holds others is replaced by them."""
    found: list[Any] = []
    for block in html.fragments_fromstring(page):
        inner = [block] if isinstance(block, str) or block.tag != "div" else [block.text or "", *block]
        found += [part for part in inner if not isinstance(part, str) or part.strip()]
    return found


def _text(block: Any) -> str:
    if isinstance(block, str):
        return block
    return "\n".join(
        unescape(_TAGS.sub("", line)) for line in re.split(r"<br[^<>]*+>|</(?:p|td|th|li)>", _written(block))
    )


def _written(block: Any) -> str:
    if isinstance(block, str):
        return escape(block)
    return str(etree.tostring(block, encoding="unicode", method="html"))


def _laid_out(page: str) -> str:
    """Return the HTML with each table of labels and values turned into paragraphs."""
    if "<table" not in page:
        return page
    whole = html.fragment_fromstring(page, create_parent="div")
    # Nested tables come later in the document.
    for table in reversed(list(whole.iter("table"))):
        rows = [list(row) for row in table.iterfind(".//tr") if next(row.iterancestors("table")) is table]
        if lines := _rows_of(rows, table) or _rows_of(_turned(rows), table) or _pairs_in(rows):
            for line in lines:
                table.addprevious(line)
            table.drop_tree()
    return escape(whole.text or "") + "".join(_written(block) for block in whole)


def _rows_of(rows: Sequence[Sequence[Any]], table: Any) -> list[Any]:
    """Return the paragraphs of a table with a row of labels above rows of values; none for any other table.

    Rows with an essay are entries, whatever the labels say; without essays, one row is a header, and several rows
    are a list of people.
    """
    at = next((at for at, row in enumerate(rows) if len(row) > 1), len(rows))
    fields = [_field(cell) for cell in rows[at]] if at < len(rows) else []
    values = [row for row in rows[at + 1 :] if any(map(_holds, row))]
    is_headed = _NAME in fields and bool(set(_OTHERS) & set(fields)) and None not in fields
    if not values or any(len(row) != len(fields) for row in values):
        return []
    essay = next((place for place, field in enumerate(fields) if _is_essay(field)), None)
    if not is_headed:
        essay = _place_of_essays([rows[at], *values])
        is_headed = essay is not None
    if not is_headed or (essay is None and len(values) > 1) or any(_field(cell) for row in values for cell in row):
        return []
    found = [block for row in rows[:at] for cell in row for block in cell]
    before = " ".join(text for above in table.itersiblings(preceding=True) for text in above.itertext())
    for number, row in enumerate(values):
        if number or len(before.split()) > _TITLE:
            found.append(_paragraph(_NEXT))
        ordered = sorted(range(len(row)), key=lambda place: place == essay)
        for place in ordered:
            found += _blocks_of(row[place]) if place == essay else _labelled(rows[at][place], row[place])
    return found


def _turned(rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Transpose a table of several columns; return no rows if its rows differ in length."""
    wide = [row for row in rows if len(row) > 1]
    is_even = bool(wide) and len(wide[0]) > _PAIR and all(len(row) == len(wide[0]) for row in wide)
    return [list(column) for column in zip(*wide, strict=True)] if is_even else []


def _place_of_essays(rows: Sequence[Sequence[Any]]) -> int | None:
    """Return the column that has the only long text of each of several rows, below different short labels."""
    labels, *values = ([" ".join(cell.text_content().split()) for cell in row] for row in rows)
    long = [[place for place, text in enumerate(row) if len(text.split()) > _SHORT] for row in values]
    is_same = len(values) > 1 and all(len(places) == 1 and places == long[0] for places in long)
    are_labels = len(set(labels)) == len(labels) > _PAIR and all(len(text.split()) <= _TITLE for text in labels)
    return long[0][0] if is_same and are_labels else None


def _pairs_in(rows: Sequence[Sequence[Any]]) -> list[Any]:
    """Return the paragraphs of a table in which each label is next to its value; none for any other table."""
    found: list[Any] = []
    fields = set()
    for row in rows:
        cells = list(row)
        while cells:
            label, *cells = cells
            if (field := _field(label)) and cells and not _field(cells[0]):
                fields.add(field)
                found += _labelled(label, cells.pop(0))
            elif not _holds(label):
                continue
            elif sum(map(_holds, row)) == 1:
                found += _blocks_of(label)
            else:
                return []
    return found if len(fields) > 1 else []


def _labelled(label: Any, value: Any) -> list[Any]:
    """Return a label and its value as one line; a text gets the label above it, an essay no label."""
    words, said = value.text_content().split(), " ".join(label.text_content().split()).rstrip(" :")
    if _is_essay(_field(label)) or not said:
        return _blocks_of(value)
    if len(words) > _SHORT or next(value.iter("img"), None) is not None:
        return [_paragraph(f"{said}:"), *_blocks_of(value)]
    return [_paragraph(f"{said}: {' '.join(words)}")]


def _field(cell: Any) -> str | None:
    """Return the field that a cell labels, None if it is not a label."""
    text = plain_text(" ".join(cell.text_content().split())).rstrip(" :*")
    return next(
        (name for name, spec in freeform_profile().fields.items() if text in map(plain_text, spec.heads)), None
    )


def _is_essay(field: str | None) -> bool:
    return field is not None and freeform_profile().fields[field].kind is FieldKind.ESSAY


def _holds(cell: Any) -> bool:
    return bool(cell.text_content().strip()) or next(cell.iter("img"), None) is not None


def _blocks_of(cell: Any) -> list[Any]:
    return [*([_paragraph(cell.text)] if (cell.text or "").strip() else []), *cell]


def _paragraph(text: str) -> Any:
    paragraph = html.Element("p")
    paragraph.text = text
    return paragraph
