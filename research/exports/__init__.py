"""Export reports as files; every format is made from the same document with the same reference numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from core.errors import InvalidInputError
from research.codes import ResearchCode
from research.document import ReportDocument
from research.exports.bibtex import to_bibtex
from research.exports.csl import to_csl
from research.exports.files import Exported, file_name
from research.exports.html import to_html, to_html_body
from research.exports.json_file import to_json
from research.exports.markdown import to_markdown
from research.exports.pdf import to_pdf
from research.exports.word import to_docx


class Format(NamedTuple):
    """A format: its writer, media type and file extension."""

    write: Callable[[ReportDocument], bytes]
    content_type: str
    extension: str


_FORMATS: Mapping[str, Format] = {
    "markdown": Format(lambda document: to_markdown(document).encode(), "text/markdown; charset=utf-8", "md"),
    "html": Format(lambda document: to_html(document).encode(), "text/html; charset=utf-8", "html"),
    "docx": Format(to_docx, "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"),
    "pdf": Format(to_pdf, "application/pdf", "pdf"),
    "json": Format(lambda document: to_json(document).encode(), "application/json", "json"),
    "bibtex": Format(lambda document: to_bibtex(document).encode(), "application/x-bibtex; charset=utf-8", "bib"),
    "csl": Format(
        lambda document: to_csl(document).encode(), "application/vnd.citationstyles.csl+json", "csl.json"
    ),
}
#: The formats that `export_document` writes.
EXPORT_FORMATS: tuple[str, ...] = tuple(_FORMATS)


def export_document(document: ReportDocument, format: str) -> Exported:
    """Return the document as a file in one of `EXPORT_FORMATS`. Raises InvalidInputError for another format."""
    chosen = _FORMATS.get(format)
    if chosen is None:
        raise InvalidInputError(ResearchCode.FORMAT_UNKNOWN, given=format, known=list(EXPORT_FORMATS))
    return Exported(chosen.write(document), chosen.content_type, file_name(document.title, chosen.extension))


__all__ = ["EXPORT_FORMATS", "Exported", "export_document", "to_html_body", "to_markdown"]
