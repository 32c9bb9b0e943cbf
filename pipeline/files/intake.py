"""Convert an uploaded file to a PDF whose pages can be read, or raise a typed error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pymupdf

from core.config import Settings
from core.errors import EmptyDocumentError, TooManyPagesError
from pipeline.files.content_type import DOCX, PDF, content_type
from pipeline.files.pdf import open_pdf
from pipeline.files.pdf_checks import check_pdf
from pipeline.files.pictures import pictures_to_pdf
from pipeline.files.word_files import docx_to_pdf


@dataclass(frozen=True, slots=True)
class Intake:
    """Result of the conversion: a file as the pipeline reads it."""

    pdf: bytes
    page_count: int
    #: Media type of the original, by its content.
    content_type: str
    #: Whether `pdf` was converted; if not, it is the original byte for byte.
    converted: bool


def to_pdf(data: bytes, filename: str, settings: Settings) -> Intake:
    """Return `data` as a PDF. `filename` is used only in messages; the type is detected by content.

    Raises NotADocumentError, EncryptedDocumentError, DamagedDocumentError, EmptyDocumentError, TooManyPagesError,
    PictureTooLargeError or UnpacksTooLargeError.
    """
    kind = content_type(data)
    if kind == PDF:
        return Intake(data, check_pdf(data, settings), kind, converted=False)
    pdf = docx_to_pdf(data, settings) if kind == DOCX else pictures_to_pdf(data, settings)
    with open_pdf(pdf) as document:
        count = document.page_count
    if count > settings.max_pages:
        raise TooManyPagesError(f"{count} pages")
    return Intake(pdf, count, kind, converted=True)


def join_pdfs(parts: Sequence[bytes]) -> bytes:
    """Return one PDF with the pages of all parts in order, form fields included.

    A single part is returned unchanged. Raises EmptyDocumentError when there is none.
    """
    if not parts:
        raise EmptyDocumentError("no files")
    if len(parts) == 1:
        return parts[0]
    with pymupdf.open() as joined:
        for part in parts:
            with open_pdf(part) as document:
                joined.insert_pdf(document)
        return bytes(joined.tobytes(garbage=3, deflate=True))
