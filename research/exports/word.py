"""Export a report for Word, from its HTML: styled headings, lists and tables, linked numbers and sources."""

from __future__ import annotations

import re
from io import BytesIO

from docx import Document
from docx.document import Document as WordFile
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement
from docx.text.paragraph import Paragraph
from lxml import html

from research.document import ReportDocument
from research.exports.html import to_html_body
from research.markdown_text.printable import one_line
from research.words import phrases_of

#: Of the paragraphs in an element.
_STYLES = {"ul": "List Bullet", "ol": "List Number", "blockquote": "Quote"} | {
    f"h{level}": f"Heading {max(1, level - 1)}" for level in range(1, 7)
}
_BLOCKS = frozenset({"div", "section", "p", "li", "pre", "tr", "td", "th", *_STYLES})
_BLUE = "1D4F91"


def to_docx(document: ReportDocument) -> bytes:
    """Return the document as a .docx file."""
    file = Document()
    file.core_properties.title = one_line(document.title)[:255]
    file.core_properties.author = file.core_properties.comments = ""
    # For spelling checks and for reading aloud.
    language = _element("w:lang", val={"es": "es-MX"}.get(document.language, "en-US"))
    file.styles["Normal"].element.get_or_add_rPr().append(language)
    file.add_heading(one_line(document.title), level=0)
    if document.extractive:
        file.add_paragraph(phrases_of("report", document.language)["digest"], style="Subtitle")
    _write(file, html.fragment_fromstring(to_html_body(document)))
    data = BytesIO()
    file.save(data)
    return data.getvalue()


def _write(file: WordFile, body: html.HtmlElement) -> None:
    """Write the texts of an HTML body to the end of a file, a paragraph for each block."""
    for br in body.iter("br"):
        br.text, br.tail = "\n", (br.tail or "").lstrip()
    cells: dict[html.HtmlElement, Paragraph] = {}
    block: html.HtmlElement | None = None
    paragraph: Paragraph | None = None
    for text in body.xpath(".//text()"):
        element = text.getparent().getparent() if text.is_tail else text.getparent()
        around = [element, *element.iterancestors()]
        own = next(one for one in around if one.tag in _BLOCKS)
        if own is not block:
            block, paragraph = own, None
        shown = text if {"pre", "br"} & {one.tag for one in around} else re.sub(r"\s+", " ", text)
        if not shown.strip() and paragraph is None:
            continue
        if paragraph is None:
            paragraph = _cell(file, own, cells) if own.tag in {"td", "th"} else _paragraph(file, around)
        _add(paragraph, shown, around)


def _paragraph(file: WordFile, around: list[html.HtmlElement]) -> Paragraph:
    """Begin a paragraph in the style of the innermost element that has one."""
    styled = (one for one in around if one.tag in _STYLES)
    styles = (None if one.get("class") == "references" else _STYLES[one.tag] for one in styled)
    return file.add_paragraph(style=next(styles, None))


def _cell(file: WordFile, cell: html.HtmlElement, cells: dict[html.HtmlElement, Paragraph]) -> Paragraph:
    """Return the paragraph of a table's cell; its table is added with the first of them."""
    if cell not in cells:
        rows = list(next(cell.iterancestors("table")).iter("tr"))
        table = file.add_table(rows=len(rows), cols=max(map(len, rows)), style="Table Grid")
        table.rows[0]._tr.get_or_add_trPr().append(_element("w:tblHeader", val="true"))
        # `Table.cell` goes through all cells each time.
        for row, written in zip(rows, table._tbl.tr_lst, strict=True):
            for one, place in zip(row, written.tc_lst, strict=False):
                cells[one] = Paragraph(place.p_lst[0], table)
    return cells[cell]


def _add(paragraph: Paragraph, text: str, around: list[html.HtmlElement]) -> None:
    """Add text with its font, as a link, or as the number of a reference with its bookmark (ECMA-376, part 1)."""
    tags = {one.tag for one in around}
    number = around[0].get("class") == "number"
    if number:
        paragraph._p.append(_element("w:bookmarkStart", id=text.strip("[]"), name=f"ref_{text.strip('[]')}"))
    run = paragraph.add_run(text)
    run.bold, run.italic = bool(tags & {"strong", "th"}) or None, bool(tags & {"em", "cite"}) or None
    if number:
        paragraph._p.append(_element("w:bookmarkEnd", id=text.strip("[]")))
    if url := next((str(one.get("href")) for one in around if one.tag == "a" and one.get("href")), None):
        link = _element("w:hyperlink")
        if url.startswith("#"):
            # Word takes no hyphens in names of bookmarks.
            link.set(qn("w:anchor"), url[1:].replace("-", "_"))
        else:
            link.set(qn("r:id"), paragraph.part.relate_to(url, RELATIONSHIP_TYPE.HYPERLINK, is_external=True))
        run._r.get_or_add_rPr().append(_element("w:color", val=_BLUE))
        link.append(run._r)
        paragraph._p.append(link)


def _element(tag: str, /, **attributes: str) -> BaseOxmlElement:
    made = OxmlElement(tag)
    for key, value in attributes.items():
        made.set(qn(f"w:{key}"), value)
    return made
