"""The body of a report as HTML, in parts of bounded size, with links from references to the quoted passages."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator, Sequence
from html import unescape

from flask import url_for
from flask_babel import gettext as _
from markupsafe import Markup

from research.document import MARKER, ReportDocument, Section
from research.exports import to_html_body
from research.markdown_text.parsing import pieces_of

_ENTRY = re.compile(
    r'(<li id="ref-(\d+)" data-key="([^"]+)">)((?>(?:[^<]++|<(?!/li>|li id="ref-))*))(</li>)', re.DOTALL
)


#: What one page of a document may weigh: its characters, and more for what takes long to render.
PART = 200_000
_SECTION, _MARK, _LINE, _CITATION = 300, 20, 10, 150
#: Characters that may begin markup: each is looked at again for its end.
_MARKS = re.compile(r"[|\[*_`<]")
#: The line below a table's header.
_RULE = re.compile(r"[ \t]*+\|?[ \t]*+:?-[-:| \t]*+")


def parts_of(document: ReportDocument) -> list[tuple[Section, ...]]:
    """Divide the sections into parts that are shown one at a time; most documents have one.

    A section that is heavier than a part is divided between its lines, else within a line.
    """
    parts: list[list[Section]] = [[]]
    room = PART
    for section in document.sections:
        for piece in _pieces(section):
            weight = _SECTION + _weight(piece.body)
            if parts[-1] and weight > room:
                parts.append([])
                room = PART
            parts[-1].append(piece)
            room -= weight
    return [tuple(part) for part in parts]


def _weight(text: str) -> int:
    marks = _MARK * len(_MARKS.findall(text)) + _LINE * text.count("\n") + _CITATION * text.count("[@")
    return len(text) + marks


def _pieces(section: Section) -> Iterator[Section]:
    """Yield the section, or pieces of it; those after the first have no heading."""
    if _weight(section.body) <= PART:
        yield section
        return
    heading = section.heading
    for body in _bodies(section.body):
        yield section.model_copy(update={"heading": heading, "body": body})
        heading = ""


def _bodies(body: str) -> Iterator[str]:
    """Divide Markdown; a piece that begins within a table repeats its header, unless that is long."""
    taken: list[str] = []
    header: list[str] = []
    weight, before = 0, ""
    for line in body.split("\n"):
        if not line.strip():
            header = []
        elif _RULE.fullmatch(line) and before.strip():
            header = [before, line]
        for piece in pieces_of(line, PART // (1 + _MARK)) if _weight(line) > PART else (line,):
            more = _LINE + _weight(piece)
            if taken and weight + more > PART:
                yield "\n".join(taken)
                taken = header[:] if header and _weight("".join(header)) < PART // 10 else []
                weight = sum(map(_weight, taken))
            taken.append(piece)
            weight += more
        before = line
    yield "\n".join(taken)


def report_html(report_id: uuid.UUID, document: ReportDocument, sections: Sequence[Section]) -> Markup:
    """Return the HTML of `to_html_body` with links to the sources' pages added to the references."""
    html = to_html_body(document, sections)
    quoted: dict[str, list[str]] = {}
    for key, claim in (found for section in sections for found in re.findall(MARKER, section.body)):
        claims = quoted.setdefault(key, [])
        if claim and claim not in claims:
            claims.append(claim)

    def with_links(found: re.Match[str]) -> str:
        key = unescape(found[3])
        return f"{found[1]}{found[4]} {_passages(report_id, key, quoted.get(key, []))}{found[5]}"

    # The HTML is `to_html_body`'s, which escapes what people and sources wrote.
    return Markup(_ENTRY.sub(with_links, html))  # nosec B704


def _passages(report_id: uuid.UUID, key: str, claims: list[str]) -> Markup:
    """Return links to the quoted passages, or to the source if it is cited without quotation."""
    if not claims:
        links = [_link(report_id, key, None, _("View the source"))]
    elif len(claims) == 1:
        links = [_link(report_id, key, claims[0], _("View the passage"))]
    else:
        links = [
            _link(report_id, key, claim, _("Passage %(number)d", number=place))
            for place, claim in enumerate(claims, start=1)
        ]
    return Markup('<span class="passages">{}</span>').format(Markup(" ").join(links))


def _link(report_id: uuid.UUID, key: str, claim: str | None, text: str) -> Markup:
    url = url_for("research.source", report_id=report_id, key=key, claim=claim)
    return Markup('<a href="{}">{}</a>').format(url, text)
