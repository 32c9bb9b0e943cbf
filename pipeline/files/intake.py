"""Convert an uploaded file to a PDF whose pages can be read, or raise a typed error."""

from __future__ import annotations

from dataclasses import dataclass

from core.config import FileBounds, Settings
from pipeline.files.content_type import DOCX, PDF, content_type
from pipeline.files.notes import FileNote
from pipeline.files.parts import Convert, Whole, sheets_apart, whole_pdf
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
    #: What the file holds beside these pages.
    notes: tuple[FileNote, ...] = ()


def to_pdf(data: bytes, filename: str, settings: Settings) -> Intake:
    """Return `data` as a PDF. `filename` is used only in messages; the type is detected by content.

    Raises NotADocumentError, EncryptedDocumentError, DamagedDocumentError, EmptyDocumentError, TooManyPagesError,
    PictureTooLargeError, UnpacksTooLargeError or TooCostlyError.
    """
    kind, bounds = content_type(data), settings.file_bounds
    whole = _whole(data, kind, bounds, _converted_alone(bounds))
    return Intake(whole.pdf, whole.page_count, kind, whole.pdf is not data, tuple(whole.notes))


def _whole(data: bytes, kind: str, bounds: FileBounds, convert: Convert | None) -> Whole:
    if kind == PDF:
        return whole_pdf(data, bounds, convert)
    if kind != DOCX:
        return sheets_apart(pictures_to_pdf(data, bounds), bounds)
    pages, notes = docx_to_pdf(data, bounds)
    # A picture in it may be of several sheets.
    whole = whole_pdf(pages, bounds)
    return Whole(whole.pdf, whole.page_count, [*notes, *whole.notes])


def _converted_alone(bounds: FileBounds) -> Convert:
    """Return what converts an attached file; files that are attached to it in turn are only named."""
    return lambda data: _whole(data, content_type(data), bounds, None)
