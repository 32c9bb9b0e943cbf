"""Files of a report: HTML, PDF, Word, and the choice among all formats."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from io import BytesIO

from docx import Document
from docx.document import Document as WordFile
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement
from docx.text.paragraph import Paragraph
from jinja2 import Environment, PackageLoader, StrictUndefined
from lxml import html

from core.confined.children import confined
from core.confined.mupdf import pymupdf
from core.errors import InvalidInputError
from research.citations.claims import citation_numbers, cited_references
from research.config import ResearchCode
from research.document import ReportDocument, Section, hyphenated
from research.exports.bibliography import each_source_once, reference_text, to_bibtex, to_csl
from research.exports.markdown import asked_and_written, to_markdown
from research.text.language import phrases_for
from research.text.markdown import body_parser, clean_line, markdown_blocks, without_numbers

_PAGE = pymupdf.paper_rect("letter")
_MARGINS = (64, 60, -64, -68)


def to_html_body(document: ReportDocument, sections: Sequence[Section] | None = None) -> str:
    """Return sections, limits and references as HTML, for a page whose h1 is the title.

    `sections`: those shown, with the references that they cite; all of the document by default. A marker is
    `<a class="cite" href="#ref-3" data-key="ortiz2019" data-claim="c12 c13">[3]</a>`; all text of the document is
    escaped.
    """
    return _filled("body.html", document, sections)


def to_html(document: ReportDocument) -> str:
    """Return a self-contained HTML file, styled for light and dark, without scripts or external resources."""
    return _page(document, "report.css")


def report_to_pdf(document: ReportDocument) -> bytes:
    """Return the document as PDF on letter-size pages, with page numbers and links."""
    # MuPDF asks for the rectangle of each page and of its text.
    pdf = pymupdf.Story(_page(document, "print.css")).write_with_links(
        lambda _number, _filled: (_PAGE, _PAGE + _MARGINS, None)
    )
    for page in pdf:
        text = phrases_for("report", document.language)["page"].format(number=page.number + 1, count=len(pdf))
        foot = pymupdf.Rect(_PAGE.x0, _PAGE.y1 - 46, _PAGE.x1, _PAGE.y1 - 30)
        page.insert_textbox(foot, text, fontname="helv", fontsize=8, align=pymupdf.TEXT_ALIGN_CENTER)
    pdf.set_metadata({"title": clean_line(document.title), "producer": "", "creator": ""})
    pdf.set_language(document.language)
    data = BytesIO()
    pdf.save(data, garbage=3, deflate=True)
    pdf.close()
    return data.getvalue()


def _page(document: ReportDocument, stylesheet: str) -> str:
    style = files(__package__).joinpath(stylesheet).read_text(encoding="utf-8")
    digest_of_style = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return _filled("page.html", document, style=style, digest_of_style=digest_of_style)


def _filled(
    template: str, document: ReportDocument, sections: Sequence[Section] | None = None, **more: str
) -> str:
    numbers, shown = citation_numbers(document), document.sections if sections is None else sections
    cited = (
        numbers if sections is None else citation_numbers(document.model_copy(update={"sections": tuple(shown)}))
    )
    return (
        _templates()
        .get_template(template)
        .render(
            document=document,
            labels=phrases_for("report", document.language),
            about=asked_and_written(document),
            sections=[(section, _rendered(section.body, numbers)) for section in shown],
            references=[
                (number, one, reference_text(one))
                for number, one in cited_references(document)
                if one.key in cited
            ],
            **more,
        )
    )


@cache
def _templates() -> Environment:
    loader = PackageLoader("research", "exports")
    made = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, keep_trailing_newline=True
    )
    made.filters["one_line"] = clean_line
    return made


def _rendered(body: str, numbers: Mapping[str, int]) -> str:
    """Return Markdown as HTML, markers as links to references; those of unknown keys are omitted."""
    body, claims = each_source_once(body)
    tokens = markdown_blocks(body)
    for token in [*tokens, *(child for block in tokens for child in block.children or ())]:
        if token.type == "marker":
            key, claim, number = token.meta["key"], token.meta["claim"], numbers.get(token.meta["key"])
            data = f'data-key="{key}"' + (f' data-claim="{claims.get(claim, claim)}"' if claim else "")
            link = f'<a class="cite" href="#ref-{number}" {data}>[{number}]</a>'
            token.type, token.content = "html_inline", link if number else ""
        elif token.type == "link_open":
            token.attrs["rel"] = "noopener noreferrer nofollow"
        elif token.type in {"td_open", "th_open"}:
            # Without the style that aligns a column: the page's policy allows no style attributes.
            token.attrs = {"scope": "col"} if token.type == "th_open" else {}
        else:
            token.content, token.info = without_numbers(token.content), ""
    return str(body_parser().renderer.render(tokens, body_parser().options, {}))


# Export a report for Word, from its HTML: styled headings, lists and tables, linked numbers and sources.


#: Word styles of the paragraphs in an HTML element.
_STYLES = {"ul": "List Bullet", "ol": "List Number", "blockquote": "Quote"} | {
    f"h{level}": f"Heading {max(1, level - 1)}" for level in range(1, 7)
}
_BLOCKS = frozenset({"div", "section", "p", "li", "pre", "tr", "td", "th", *_STYLES})
_BLUE = "1D4F91"


def to_docx(document: ReportDocument) -> bytes:
    """Return the document as a .docx file."""
    file = Document()
    file.core_properties.title = clean_line(document.title)[:255]
    file.core_properties.author = file.core_properties.comments = ""
    # For spelling checks and for reading aloud.
    language = _element("w:lang", val={"es": "es-MX"}.get(document.language, "en-US"))
    file.styles["Normal"].element.get_or_add_rPr().append(language)
    file.add_heading(clean_line(document.title), level=0)
    for line in asked_and_written(document):
        file.add_paragraph(line, style="Subtitle")
    if document.extractive:
        file.add_paragraph(phrases_for("report", document.language)["digest"], style="Subtitle")
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


# Export reports as files; every format is made from the same document with the same reference numbers.


#: Most characters of a file's name before its extension.
_LONGEST_NAME = 60


def to_json(document: ReportDocument) -> str:
    """Return the stored document and the reference numbers of the other formats."""
    found = {"document": document.model_dump(mode="json"), "numbers": citation_numbers(document)}
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


#: Writer, media type and file extension of each format.
_FORMATS: Mapping[str, tuple[Callable[[ReportDocument], str | bytes], str, str]] = {
    "markdown": (to_markdown, "text/markdown", "md"),
    "html": (to_html, "text/html", "html"),
    "docx": (to_docx, "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"),
    "pdf": (report_to_pdf, "application/pdf", "pdf"),
    "json": (to_json, "application/json", "json"),
    "bibtex": (to_bibtex, "application/x-bibtex; charset=utf-8", "bib"),
    "csl": (to_csl, "application/vnd.citationstyles.csl+json", "csl.json"),
}
#: The formats that `export_document` writes.
EXPORT_FORMATS: tuple[str, ...] = tuple(_FORMATS)


def report_media_type(format: str) -> str:
    """Return the media type of a format. Raises InvalidInputError for an unknown one."""
    if format not in _FORMATS:
        raise InvalidInputError(ResearchCode.FORMAT_UNKNOWN, given=format, known=list(EXPORT_FORMATS))
    return _FORMATS[format][1]


def filename_of(title: str, format: str) -> str:
    """Return the name of the file of a document of this title."""
    name = hyphenated(title)[:_LONGEST_NAME].rstrip("-") or "report"
    return f"{name}.{_FORMATS[format][2]}"


@confined
def export_document(document: ReportDocument, format: str) -> bytes:
    """Return the document as a file in one of `EXPORT_FORMATS`.

    Raises InvalidInputError for another format, TooCostlyError for a document that exceeds the time or memory of
    a child process.
    """
    report_media_type(format)
    written = _FORMATS[format][0](document)
    return written.encode() if isinstance(written, str) else written
