"""Convert an uploaded file to a PDF whose pages can be read, or raise a typed error."""

from __future__ import annotations

from dataclasses import dataclass

from core.config import Settings
from core.errors import TooManyPagesError
from pipeline.files.content_type import DOCX, PDF, content_type
from pipeline.files.notes import FileNote
from pipeline.files.pictures import pictures_to_pdf
from pipeline.files.word_files import docx_to_pdf
from pipeline.mupdf.file import check_pdf, open_pdf


@dataclass(frozen=True, slots=True)
class Intake:
    """Result of the conversion: a file as the pipeline reads it."""

    pdf: bytes
    page_count: int
    #: Media type of the original, by its content.
    content_type: str
    #: Whether `pdf` was converted; if not, it is the original byte for byte.
    converted: bool
    #: What the file holds beside these pages.
    notes: tuple[FileNote, ...] = ()


def to_pdf(data: bytes, filename: str, settings: Settings) -> Intake:
    """Return `data` as a PDF. `filename` is used only in messages; the type is detected by content.

    Raises NotADocumentError, EncryptedDocumentError, DamagedDocumentError, EmptyDocumentError, TooManyPagesError,
    PictureTooLargeError, UnpacksTooLargeError or TooCostlyError.
    """
    kind, bounds = content_type(data), settings.file_bounds
    if kind == PDF:
        return Intake(data, check_pdf(data, bounds), kind, converted=False)
    notes: list[FileNote] = []
    if kind == DOCX:
        pdf, notes = docx_to_pdf(data, bounds)
    else:
        pdf = pictures_to_pdf(data, bounds)
    with open_pdf(pdf) as file:
        count = file.page_count
    if count > settings.max_pages:
        raise TooManyPagesError(f"{count} pages")
    return Intake(pdf, count, kind, converted=True, notes=tuple(notes))
