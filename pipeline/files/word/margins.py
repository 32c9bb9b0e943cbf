"""The lines that a Word file prints at the head and foot of its pages, each once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pipeline.files.word.breaks import sections_in
from pipeline.files.word.fields import page_number_only
from pipeline.files.word.names import WP, A, R, W, is_on, number
from pipeline.files.word.package import Package

#: The pages that have a margin of their own; `even` where the settings say so, `first` where the section does.
_KINDS = ("first", "default", "even")
#: English metric units an inch, and square inches of a picture that is no letterhead.
_EMU, _LARGE = 914400, 20


def margin_parts(package: Package, kind: str) -> list[list[str]]:
    """Return for each section the parts of the margins ("header" or "footer") that its pages are printed with.

    A part that no section refers to, or only for pages that the section has not, is displayed nowhere
    (ECMA-376-1, 17.10). A section without margins of its own has those of the one before.
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
    """Empty the paragraphs that only number the pages; before fields become their results."""
    for paragraph in list(root.iter(f"{W}p")):
        if page_number_only(paragraph):
            for run in paragraph.findall(f"{W}r"):
                paragraph.remove(run)
            for field in paragraph.findall(f"{W}fldSimple"):
                paragraph.remove(field)


def lines_of(root: Any) -> Iterator[str]:
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
    """How many pictures of a margin cover so much of the page that they may hold an entry, watermarks aside."""
    return sum(
        _square_inches(drawing) >= _LARGE
        for drawing in root.iter(f"{W}drawing")
        if next(drawing.iter(f"{A}blip"), None) is not None and next(drawing.iter(f"{A}lum"), None) is None
    )


def _square_inches(drawing: Any) -> float:
    extent = next(drawing.iter(f"{WP}extent"), None)
    if extent is None:
        return 0.0
    return (number(extent.get("cx")) or 0.0) * (number(extent.get("cy")) or 0.0) / _EMU**2
