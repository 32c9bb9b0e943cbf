"""Export a report for Word: styled headings, lists and tables, linked reference numbers and sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO

from docx import Document
from docx.document import Document as WordFile
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.text.paragraph import Paragraph
from markdown_it.token import Token

from research.citations.markers import listed, numbers_of
from research.document import ReportDocument, Section
from research.exports.labels import LABELS
from research.exports.reference_text import reference_text
from research.exports.word_links import bookmark, link_to_bookmark, link_to_url, set_language
from research.markdown_text.parsing import blocks_of, safe_url
from research.markdown_text.printable import one_line, without_numbers

_LISTS = {"bullet_list_open": "List Bullet", "ordered_list_open": "List Number"}


def to_docx(document: ReportDocument) -> bytes:
    """Return the document as a .docx file."""
    file, labels, numbers = Document(), LABELS[document.language], numbers_of(document)
    file.core_properties.title = one_line(document.title)[:255]
    file.core_properties.author = ""
    file.core_properties.comments = ""
    set_language(file, document.language)
    file.add_heading(one_line(document.title), level=0)
    if document.extractive:
        file.add_paragraph(style="Subtitle").add_run(labels.digest)
    for section in document.sections:
        _section(file, section, numbers)
    if document.limits:
        file.add_heading(labels.limits, level=1)
        for limit in document.limits:
            file.add_paragraph(one_line(limit), style="List Bullet")
    _references(file, document, labels.references)
    data = BytesIO()
    file.save(data)
    return data.getvalue()


def _section(file: WordFile, section: Section, numbers: Mapping[str, int]) -> None:
    if heading := one_line(section.heading):
        file.add_heading(heading, level=section.level)
    _Body(file, numbers).add(blocks_of(section.body))


def _references(file: WordFile, document: ReportDocument, heading: str) -> None:
    entries = listed(document)
    if entries:
        file.add_heading(heading, level=1)
    for number, reference in entries:
        text, paragraph = reference_text(reference), file.add_paragraph()
        bookmark(paragraph, f"ref_{number}", number, f"[{number}]")
        paragraph.add_run(f" {text.before} " if text.before else " ")
        paragraph.add_run(text.title).italic = not reference.as_written
        paragraph.add_run(f" {text.after} " if text.after else " ")
        if text.link:
            link_to_url(paragraph, text.link, text.link)


class _Body:
    """Writes block tokens to the end of a file."""

    def __init__(self, file: WordFile, numbers: Mapping[str, int]) -> None:
        self._file, self._numbers = file, numbers
        self._styles: list[str] = []
        self._rows: list[list[Token]] = []

    def add(self, tokens: Sequence[Token]) -> None:
        for token in tokens:
            if token.type in _LISTS:
                self._styles.append(_LISTS[token.type])
            elif token.type == "blockquote_open":
                self._styles.append("Quote")
            elif token.type in {"bullet_list_close", "ordered_list_close", "blockquote_close"}:
                self._styles.pop()
            elif token.type == "tr_open":
                self._rows.append([])
            elif token.type == "table_close":
                self._table()
            elif token.type == "inline":
                self._inline_block(token)
            elif token.type in {"fence", "code_block"}:
                self._file.add_paragraph(without_numbers(token.content))

    def _inline_block(self, token: Token) -> None:
        if self._rows:
            self._rows[-1].append(token)
        else:
            style = self._styles[-1] if self._styles else None
            self._inline(self._file.add_paragraph(style=style), token)

    def _table(self) -> None:
        rows, self._rows = self._rows, []
        table = self._file.add_table(rows=len(rows), cols=max(len(row) for row in rows), style="Table Grid")
        repeated = OxmlElement("w:tblHeader")
        repeated.set(qn("w:val"), "true")
        table.rows[0]._tr.get_or_add_trPr().append(repeated)
        for line, row in enumerate(rows):
            for column, token in enumerate(row):
                self._inline(table.cell(line, column).paragraphs[0], token, bold=line == 0)

    def _inline(self, paragraph: Paragraph, token: Token, *, bold: bool = False) -> None:
        strong, slanted, url = bold, False, None
        for child in token.children or ():
            if child.type == "marker":
                self._cite(paragraph, child.meta["key"])
            elif child.type in {"strong_open", "strong_close"}:
                strong = bold or child.nesting > 0
            elif child.type in {"em_open", "em_close"}:
                slanted = child.nesting > 0
            elif child.type == "link_open":
                url = safe_url(str(child.attrs.get("href", "")))
            elif child.type == "link_close":
                url = None
            elif child.type in {"softbreak", "hardbreak"}:
                paragraph.add_run(" ")
            elif url:
                link_to_url(paragraph, url, without_numbers(child.content))
            else:
                run = paragraph.add_run(without_numbers(child.content))
                run.bold, run.italic = strong or None, slanted or None

    def _cite(self, paragraph: Paragraph, key: str) -> None:
        if number := self._numbers.get(key):
            link_to_bookmark(paragraph, f"ref_{number}", f"[{number}]")
