"""Entries in a Word file without a page break between them: one below the other, or each in a row of a table.

A table of labels and values is laid out as lines, each label before its value: in narrow cells both would wrap,
and a value could not be told from the label beside it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape, unescape
from itertools import pairwise
from typing import Any

from lxml import etree, html

from pipeline.extraction.values.text import plain
from pipeline.profiles import FieldKind, freeform_profile
from pipeline.profiles.declared import known_heads

#: Fields whose labels head an entry: the pupil's name, and at least one of the others.
_NAME, _OTHERS = "student_name", ("school_name", "grade")
#: Words that an entry has at least before the next one begins.
_LEAST_WORDS = 40
#: Paragraphs before and after the name in which the other labels stand.
_NEAR = 4
#: Labels of two entries.
_LEAST_LABELS = 4
#: A value of more words is a text; of so many before a table of entries, they are no title.
_SHORT, _TITLE = 25, 12
#: Cells of a row that is a label and its value.
_PAIR = 2
#: Letters of private use that part the entries of a table.
_NEXT = "\ue5ce"
_TAGS = re.compile(r"<[^<>]*+>")
_LINE_END = re.compile(r"<br[^<>]*+>|</(?:p|td|th|li)>")


def parted(page: str) -> list[str]:
    """Return the HTML of a page in parts: each begins with the labels of another pupil.

    A page with the labels of one is one part.
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
    """The blocks, all but the first, with which the labels of another pupil begin."""
    found = [{hit.lastgroup or "": _value(text, hit, labels) for hit in labels.finditer(text)} for text in texts]
    starts: list[int] = []
    pupil, words = "", 0
    for at, of_block in enumerate(found):
        name, begin = of_block.get(_NAME, ""), at
        # Labels that stand above the name belong to it.
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
    """The elements and texts that the page is made of, looking into those that only hold others."""
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
    """Return the HTML with each table that only holds labels and their values as paragraphs."""
    if "<table" not in page:
        return page
    whole = html.fragment_fromstring(page, create_parent="div")
    # Those within others come later in the document.
    for table in reversed(list(whole.iter("table"))):
        rows = [list(row) for row in table.iterfind(".//tr") if next(row.iterancestors("table")) is table]
        if lines := _rows_of(rows, table) or _rows_of(_turned(rows), table) or _pairs_in(rows):
            for line in lines:
                table.addprevious(line)
            table.drop_tree()
    return escape(whole.text or "") + "".join(_written(block) for block in whole)


def _rows_of(rows: Sequence[Sequence[Any]], table: Any) -> list[Any]:
    """Return the paragraphs of a table with a row of labels and rows of values below; none of any other.

    Rows with an essay are entries, whatever the labels say; without one, a single row is a header, and several are
    a list of people.
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
            found += _blocks_of(row[place]) if place == essay else _told(rows[at][place], row[place])
    return found


def _turned(rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Return the columns of a table of several as rows, each from above; none where its rows differ in length."""
    wide = [row for row in rows if len(row) > 1]
    is_even = bool(wide) and len(wide[0]) > _PAIR and all(len(row) == len(wide[0]) for row in wide)
    return [list(column) for column in zip(*wide, strict=True)] if is_even else []


def _place_of_essays(rows: Sequence[Sequence[Any]]) -> int | None:
    """Return where each of several rows has its only long text, below short labels that differ; else None."""
    labels, *values = ([" ".join(cell.text_content().split()) for cell in row] for row in rows)
    long = [[place for place, text in enumerate(row) if len(text.split()) > _SHORT] for row in values]
    is_same = len(values) > 1 and all(len(places) == 1 and places == long[0] for places in long)
    are_labels = len(set(labels)) == len(labels) > _PAIR and all(len(text.split()) <= _TITLE for text in labels)
    return long[0][0] if is_same and are_labels else None


def _pairs_in(rows: Sequence[Sequence[Any]]) -> list[Any]:
    """Return the paragraphs of a table in which each label has its value beside it; none of any other."""
    found: list[Any] = []
    fields = set()
    for row in rows:
        cells = list(row)
        while cells:
            label, *cells = cells
            if (field := _field(label)) and cells and not _field(cells[0]):
                fields.add(field)
                found += _told(label, cells.pop(0))
            elif not _holds(label):
                continue
            elif sum(map(_holds, row)) == 1:
                found += _blocks_of(label)
            else:
                return []
    return found if len(fields) > 1 else []


def _told(label: Any, value: Any) -> list[Any]:
    """Return a label with its value as one line; a text has the label above it, an essay none."""
    words, said = value.text_content().split(), " ".join(label.text_content().split()).rstrip(" :")
    if _is_essay(_field(label)) or not said:
        return _blocks_of(value)
    if len(words) > _SHORT or next(value.iter("img"), None) is not None:
        return [_paragraph(f"{said}:"), *_blocks_of(value)]
    return [_paragraph(f"{said}: {' '.join(words)}")]


def _field(cell: Any) -> str | None:
    """Return the field that a cell is the label of, None if it is no label."""
    text = plain(" ".join(cell.text_content().split())).rstrip(" :*")
    return next((name for name, spec in freeform_profile().fields.items() if text in map(plain, spec.heads)), None)


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
