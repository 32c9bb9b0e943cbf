"""Marks in the text of a Word file where pages and sections begin (ECMA-376-1, 17.3.1.23, 17.3.3.1, 17.6.22)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from itertools import pairwise
from typing import Any, NamedTuple

from pipeline.files.word.entries import parted
from pipeline.files.word.names import W, paragraph_of, text_of, value
from pipeline.files.word.styles import Styles

#: Letters of private use, which no document has.
_PAGE, _SECTION = "\ue5cc", "\ue5cd"
_MARKS = re.compile(f"[{_PAGE}{_SECTION}]")
#: Sections that go on where the one before ended.
_SAME_PAGE = ("continuous", "nextColumn")
_DRAWN = (f"{W}drawing", f"{W}pict", f"{W}object")


def mark_breaks(root: Any, styles: Styles, *, sections: bool) -> None:
    """Put a paragraph with a mark where a page begins because the document says so, and where a section ends.

    Only paragraphs of the body itself are looked at: a table's cell is not parted.
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
    """Return what the document says of its sections, in order; of the last at the end of the body."""
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
    """Part a paragraph at its page breaks; returns its last part."""
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
    """Take what comes after a break into a paragraph of its own; None where nothing does."""
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
    if text_of(rest).strip() or next(rest.iter(*_DRAWN, f"{W}br"), None) is not None:
        return rest
    return None


def begin_page(element: Any) -> None:
    """Begin a page with an element of the body; the first needs none."""
    if element.getprevious() is not None:
        element.addprevious(paragraph_of(_PAGE))


class SectionPages(NamedTuple):
    """The pages of a section as HTML."""

    pages: list[str]
    #: Whether the first of them goes on where the section before ended.
    goes_on: bool


def sections_of(html: str) -> list[SectionPages]:
    """Return the pages of each section that have text or pictures; marks that the text has kept are dropped."""
    found = []
    page_mark = f"<p>{_PAGE}</p>"
    for number, section in enumerate(html.split(f"<p>{_SECTION}</p>")):
        pages = [_MARKS.sub("", page) for page in section.split(page_mark)]
        shown = [part for page in pages if says_something(page) for part in parted(page)]
        found.append(SectionPages(shown, number > 0 and not section.startswith(page_mark)))
    return found


def says_something(html: str) -> bool:
    """Whether HTML displays text or pictures."""
    return bool(re.sub(r"<(?!img)[^<>]*+>|\s", "", html))
