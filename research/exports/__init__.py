"""Export reports as files; every format is made from the same document with the same reference numbers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import NamedTuple

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


class Exported(NamedTuple):
    """A file as sent to the browser."""

    data: bytes
    content_type: str
    filename: str


def to_json(document: ReportDocument) -> str:
    """Return the stored document and the reference numbers of the other formats."""
    found = {"document": document.model_dump(mode="json"), "numbers": numbers_of(document)}
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


#: Writer, media type and file extension of each format.
_FORMATS: Mapping[str, tuple[Callable[[ReportDocument], str | bytes], str, str]] = {
    "markdown": (to_markdown, "text/markdown; charset=utf-8", "md"),
    "html": (to_html, "text/html; charset=utf-8", "html"),
    "docx": (to_docx, "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"),
    "pdf": (to_pdf, "application/pdf", "pdf"),
    "json": (to_json, "application/json", "json"),
    "bibtex": (to_bibtex, "application/x-bibtex; charset=utf-8", "bib"),
    "csl": (to_csl, "application/vnd.citationstyles.csl+json", "csl.json"),
}
#: The formats that `export_document` writes.
EXPORT_FORMATS: tuple[str, ...] = tuple(_FORMATS)


def export_document(document: ReportDocument, format: str) -> Exported:
    """Return the document as a file in one of `EXPORT_FORMATS`. Raises InvalidInputError for another format."""
    if format not in _FORMATS:
        raise InvalidInputError(ResearchCode.FORMAT_UNKNOWN, given=format, known=list(EXPORT_FORMATS))
    write, content_type, extension = _FORMATS[format]
    written = write(document)
    name = hyphenated(document.title)[:_LONGEST_NAME].rstrip("-") or "report"
    data = written.encode() if isinstance(written, str) else written
    return Exported(data, content_type, f"{name}.{extension}")


__all__ = ["EXPORT_FORMATS", "Exported", "export_document", "to_html_body", "to_markdown"]
