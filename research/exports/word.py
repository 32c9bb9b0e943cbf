"""Export a report for Word, from its HTML: styled headings, lists and tables, linked numbers and sources."""

from __future__ import annotations

import re
from io import BytesIO
from typing import NamedTuple

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
from research.exports.wording import LABELS
from research.markdown_text.printable import one_line

_BLOCKS = frozenset({"div", "section", "p", "ul", "ol", "li", "blockquote", "pre", "hr"})
_BLUE = "1D4F91"


class _Font(NamedTuple):
    """How text is set."""

    style: str | None = None
    bold: bool = False
    italic: bool = False
    #: White space is kept.
    as_it_is: bool = False


#: What an element changes in the font of its text.
_CHANGES = {
    "ul": {"style": "List Bullet"},
    "ol": {"style": "List Number"},
    "blockquote": {"style": "Quote"},
    "strong": {"bold": True},
    "th": {"bold": True},
    "em": {"italic": True},
    "cite": {"italic": True},
    "pre": {"as_it_is": True},
}


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
        file.add_paragraph(LABELS[document.language].digest, style="Subtitle")
    _Writer(file).write(html.fragment_fromstring(to_html_body(document)), _Font())
    data = BytesIO()
    file.save(data)
    return data.getvalue()


class _Writer:
    """Writes HTML elements to the end of a file."""

    def __init__(self, file: WordFile) -> None:
        self._file = file
        #: The paragraph that text is added to; None before the first text of a block.
        self._paragraph: Paragraph | None = None

    def write(self, element: html.HtmlElement, font: _Font) -> None:
        """Write an element and what is in it."""
        tag = str(element.tag)
        changed = {"style": None} if element.get("class") == "references" else _CHANGES.get(tag, {})
        inner = font._replace(**changed)  # type: ignore[arg-type]
        if tag == "table":
            self._table(element, inner)
        elif tag == "a" and element.get("href"):
            self._link(element, inner)
        elif element.get("class") == "number":
            self._bookmark(element, inner)
        elif re.fullmatch(r"h[1-6]", tag):
            self._file.add_heading(element.text_content(), level=max(1, int(tag[1]) - 1))
        elif tag == "br":
            self._text("\n", inner._replace(as_it_is=True))
            element.tail = (element.tail or "").lstrip()
        else:
            self._contents(element, inner)

    def _contents(self, element: html.HtmlElement, font: _Font) -> None:
        if element.tag in _BLOCKS:
            self._paragraph = None
        self._text(element.text, font)
        for child in element:
            self.write(child, font)
            self._text(child.tail, font)
        if element.tag in _BLOCKS:
            self._paragraph = None

    def _text(self, text: str | None, font: _Font) -> None:
        shown = (text or "") if font.as_it_is else re.sub(r"\s+", " ", text or "")
        if shown.strip() or (shown and self._paragraph):
            run = self._open(font).add_run(shown)
            run.bold, run.italic = font.bold or None, font.italic or None

    def _open(self, font: _Font) -> Paragraph:
        if self._paragraph is None:
            self._paragraph = self._file.add_paragraph(style=font.style)
        return self._paragraph

    def _table(self, element: html.HtmlElement, font: _Font) -> None:
        rows = [row.xpath("th | td") for row in element.iter("tr")]
        table = self._file.add_table(rows=len(rows), cols=max(map(len, rows)), style="Table Grid")
        table.rows[0]._tr.get_or_add_trPr().append(_element("w:tblHeader", val="true"))
        for line, row in enumerate(rows):
            for column, cell in enumerate(row):
                self._paragraph = table.cell(line, column).paragraphs[0]
                self.write(cell, font)
        self._paragraph = None

    def _link(self, element: html.HtmlElement, font: _Font) -> None:
        """Add a link to a bookmark of the file or to a URL (ECMA-376, part 1, 17.16.22)."""
        paragraph, url = self._open(font), str(element.get("href"))
        link = _element("w:hyperlink")
        if url.startswith("#"):
            # Word takes no hyphens in names of bookmarks.
            link.set(qn("w:anchor"), url[1:].replace("-", "_"))
        else:
            link.set(qn("r:id"), paragraph.part.relate_to(url, RELATIONSHIP_TYPE.HYPERLINK, is_external=True))
        run = paragraph.add_run(element.text_content())
        run._r.get_or_add_rPr().append(_element("w:color", val=_BLUE))
        link.append(run._r)
        paragraph._p.append(link)

    def _bookmark(self, element: html.HtmlElement, font: _Font) -> None:
        """Add a reference's number with the bookmark that its markers lead to (17.13.6)."""
        paragraph, number = self._open(font), element.text_content().strip("[]")
        paragraph._p.append(_element("w:bookmarkStart", id=number, name=f"ref_{number}"))
        paragraph.add_run(f"[{number}]")
        paragraph._p.append(_element("w:bookmarkEnd", id=number))


def _element(tag: str, /, **attributes: str) -> BaseOxmlElement:
    made = OxmlElement(tag)
    for key, value in attributes.items():
        made.set(qn(f"w:{key}"), value)
    return made
