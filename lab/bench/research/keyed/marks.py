"""Read the citation numbers from every export, as its reader sees them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from io import BytesIO

from docx import Document as open_docx
from docx.oxml.ns import qn
from lxml import html
from pybtex.database import parse_string

from core.confined.mupdf import pymupdf
from research.document import MARKER, ReportDocument
from research.exports.formats import EXPORT_FORMATS, export_document

_NUMBER = re.compile(r"\[(\d+)\]")
_RUN = re.compile(r"(?:\[@[^\]\n]+\][ \t]*)+")
_HEADINGS = re.compile(r"^(?:## )?(?:References|Referencias)\s*$", re.MULTILINE)


@dataclass(frozen=True)
class Marks:
    """Numbers in the text in order, those of the list, and whether every link in the text leads to its entry."""

    cited: list[int]
    listed: list[int]
    linked: bool = True


def problems(document: ReportDocument) -> list[str]:
    """A sentence for each export whose numbers are not the document's."""
    expected = _expected(document)
    found = []
    for name in EXPORT_FORMATS:
        marks = _READERS[name](export_document(document, name), document)
        if (marks.cited, marks.listed, marks.linked) != (expected.cited, expected.listed, True):
            found.append(f"{name}: {marks.cited} {marks.listed} {marks.linked}, not {expected}")
    return found


def _expected(document: ReportDocument) -> Marks:
    """Counted here anew, so that a fault in the numbering is a fault here too."""
    known = {reference.key for reference in document.references}
    keys = [key for key in _cited(document) if key in known]
    numbers = {key: place for place, key in enumerate(dict.fromkeys(keys), 1)}
    return Marks([numbers[key] for key in keys], sorted(numbers.values()))


def _cited(document: ReportDocument) -> list[str]:
    """Return the keys of the markers in order; among markers that follow each other each key once."""
    runs = (run[0] for section in document.sections for run in _RUN.finditer(section.body))
    return [key for run in runs for key in dict.fromkeys(m["key"] for m in re.finditer(MARKER, run))]


def _text(text: str) -> Marks:
    ends = list(_HEADINGS.finditer(text))
    body, entries = (text[: ends[-1].start()], text[ends[-1].end() :]) if ends else (text, "")
    at_line_start = [int(n) for n in re.findall(r"^\s*\[(\d+)\]", entries, re.MULTILINE)]
    return Marks([int(n) for n in _NUMBER.findall(body)], at_line_start)


def _markdown(data: bytes, _: ReportDocument) -> Marks:
    return _text(data.decode())


def _html(data: bytes, _: ReportDocument) -> Marks:
    page = html.fromstring(data.decode())
    entries = {entry.get("id"): entry.text_content() for entry in page.xpath("//ol[@class='references']/li")}
    cites = page.xpath("//a[@class='cite']")
    leads = all(a.get("href")[1:] in entries and a.text == f"[{a.get('href')[5:]}]" for a in cites)
    marks = _text("\n".join(page.itertext()))
    listed = [int(key.removeprefix("ref-")) for key in entries]
    return Marks(
        [int(n) for a in cites for n in _NUMBER.findall(a.text)], listed, leads and len(marks.cited) == len(cites)
    )


def _docx(data: bytes, _: ReportDocument) -> Marks:
    body = open_docx(BytesIO(data)).element.body
    bookmarks = {mark.get(qn("w:name")) for mark in body.iter(qn("w:bookmarkStart"))}
    links = [link for link in body.iter(qn("w:hyperlink")) if link.get(qn("w:anchor"))]
    leads = all(link.get(qn("w:anchor")) in bookmarks for link in links)
    lines = ["".join(t.text or "" for t in p.iter(qn("w:t"))) for p in body.iter(qn("w:p"))]
    marks = _text("\n".join(lines))
    return Marks(marks.cited, marks.listed, leads and len(links) == len(marks.cited))


def _pdf(data: bytes, _: ReportDocument) -> Marks:
    with pymupdf.open(stream=data, filetype="pdf") as pages:
        marks = _text("\n".join(page.get_text(sort=False) for page in pages))
        links = sum(
            link["kind"] in (pymupdf.LINK_GOTO, pymupdf.LINK_NAMED) for page in pages for link in page.get_links()
        )
    return Marks(marks.cited, marks.listed, links >= len(marks.cited))


def _json(data: bytes, document: ReportDocument) -> Marks:
    numbers: Mapping[str, int] = json.loads(data)["numbers"]
    return Marks([numbers[key] for key in _cited(document) if key in numbers], sorted(numbers.values()))


def _bibtex(data: bytes, document: ReportDocument) -> Marks:
    return _by_place(list(parse_string(data.decode(), "bibtex").entries) if data else [], document)


def _csl(data: bytes, document: ReportDocument) -> Marks:
    return _by_place([item["id"] for item in json.loads(data)], document)


def _by_place(order: list[str], document: ReportDocument) -> Marks:
    numbers = {key: place for place, key in enumerate(order, 1)}
    return Marks([numbers[key] for key in _cited(document) if key in numbers], list(numbers.values()))


_READERS: Mapping[str, Callable[[bytes, ReportDocument], Marks]] = {
    "markdown": _markdown,
    "html": _html,
    "docx": _docx,
    "pdf": _pdf,
    "json": _json,
    "bibtex": _bibtex,
    "csl": _csl,
}
