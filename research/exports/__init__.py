"""Export reports as files; every format is made from the same document with the same reference numbers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from core.confined.children import confined
from core.errors import InvalidInputError
from research.citations.markers import numbers_of
from research.codes import ResearchCode
from research.document import ReportDocument, hyphenated
from research.exports.bibliography import to_bibtex, to_csl
from research.exports.html import to_html, to_html_body, to_pdf
from research.exports.markdown import to_markdown
from research.exports.word import to_docx

#: Most characters of a file's name before its extension.
_LONGEST_NAME = 60


def to_json(document: ReportDocument) -> str:
    """Return the stored document and the reference numbers of the other formats."""
    found = {"document": document.model_dump(mode="json"), "numbers": numbers_of(document)}
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


#: Writer, media type and file extension of each format.
_FORMATS: Mapping[str, tuple[Callable[[ReportDocument], str | bytes], str, str]] = {
    "markdown": (to_markdown, "text/markdown", "md"),
    "html": (to_html, "text/html", "html"),
    "docx": (to_docx, "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"),
    "pdf": (to_pdf, "application/pdf", "pdf"),
    "json": (to_json, "application/json", "json"),
    "bibtex": (to_bibtex, "application/x-bibtex; charset=utf-8", "bib"),
    "csl": (to_csl, "application/vnd.citationstyles.csl+json", "csl.json"),
}
#: The formats that `export_document` writes.
EXPORT_FORMATS: tuple[str, ...] = tuple(_FORMATS)


def content_type_of(format: str) -> str:
    """Return the media type of a format. Raises InvalidInputError where there is none of this name."""
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

    Raises InvalidInputError for another format, TooCostlyError for a document that takes more time or memory than
    a child process has.
    """
    content_type_of(format)
    written = _FORMATS[format][0](document)
    return written.encode() if isinstance(written, str) else written


__all__ = ["EXPORT_FORMATS", "content_type_of", "export_document", "filename_of", "to_html_body", "to_markdown"]
