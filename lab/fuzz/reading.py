"""Read one file as the workers do, and say how that ended."""

from __future__ import annotations

import time
import traceback
from typing import NamedTuple

from pydantic import ValidationError

from core.config import Settings
from core.confined.children import within
from core.errors import AppError, FileTooLargeError, InvalidInputError
from core.file_store import FileStore
from lab.fuzz.seeds import Seed
from pipeline.blanks.marks import FormMarks
from pipeline.files.intake import to_pdf
from pipeline.mupdf.file import open_pdf
from pipeline.ocr_providers.base import NullOcr
from pipeline.pages.page_model import PageContent
from pipeline.pages.text_trust import LONGEST, look_at, render
from pipeline.recognition.page_contents import read_pages
from pipeline.runner import process_submission
from pipeline.splitting.document_analysis import analyse_document
from pipeline.validation.policy import Policy
from services.form_studio.problems import mark_problems
from services.forms.check_form import check_form
from services.forms.versions import import_toml
from services.library.blocks import DocumentText, FoundMetadata, lines_in_order, text_blocks
from services.library.media_type import MediaType, media_type
from services.library.reading import divided, read_document_text

#: Endings of names of files that come to the library alone.
_LIBRARY = {".md", ".html", ".txt"}
#: Endings of texts that describe forms: TOML that is imported, marks of the studio in JSON.
_FORMS = {".toml", ".json"}
#: How a file that was read ends, and one that raised what is no AppError.
READ, UNTYPED = "read", "untyped"
#: What `core.confined` says of a child that has raised anything else, or crashed.
_FAILED = ("the parser failed", "the parser crashed", "the parser answered")


class Outcome(NamedTuple):
    """How the reading of a file ended."""

    #: READ, UNTYPED or the code of the error.
    code: str
    seconds: float
    #: What the error says to engineers; of an untyped one the stack.
    detail: str = ""

    @property
    def child_failed(self) -> bool:
        """Whether a child raised what is no AppError, or crashed, which became an error of the file."""
        return self.detail.startswith(_FAILED)


def read_as_worker(file: Seed, settings: Settings, store: FileStore, most_pages: int) -> Outcome:
    """Read a file; of a PDF so many pages at most."""
    begun = time.monotonic()
    code, detail = READ, ""
    try:
        with within(settings.parse_file_seconds):
            _read(file, settings, store, most_pages)
    except AppError as error:
        code, detail = str(error.code), error.detail
    except Exception:  # noqa: BLE001 - what is no AppError is what is looked for
        code, detail = UNTYPED, traceback.format_exc()
    return Outcome(code, time.monotonic() - begun, detail)


def _read(file: Seed, settings: Settings, store: FileStore, most_pages: int) -> None:
    if len(file.data) > settings.max_upload_bytes:
        raise FileTooLargeError
    if file.suffix in _LIBRARY:
        _read_for_library(file, settings)
        return
    if file.suffix in _FORMS:
        _read_form(file)
        return
    intake = to_pdf(file.data, file.name, settings)
    numbers = list(range(1, min(intake.page_count, most_pages) + 1))
    pages = read_pages(intake.pdf, settings, store, NullOcr(settings), pages=numbers)
    _draw(intake.pdf, settings, numbers)
    _extract(intake.pdf, pages, settings, store)
    divided_pages(pages)
    if file.suffix == ".docx":
        _read_for_library(file, settings)


def _draw(pdf: bytes, settings: Settings, numbers: list[int]) -> None:
    with open_pdf(pdf) as opened:
        opened.facts()
        for number in numbers:
            opened.has_text(number)
            look_at(opened.small(number, LONGEST))
            render(opened, number, settings.ocr_dpi)


def _extract(pdf: bytes, pages: list[PageContent], settings: Settings, store: FileStore) -> None:
    """Split the pages into entries and read the fields of each."""
    store.put("fuzz.pdf", pdf, "application/pdf")
    for chunk in analyse_document(pages, settings).chunks:
        process_submission(
            "fuzz.pdf",
            "fuzz",
            "fuzz",
            NullOcr.name,
            chunk_metadata=chunk.model_dump(mode="json"),
            settings=settings,
            store=store,
            policy=Policy(),
        )


def divided_pages(pages: list[PageContent]) -> None:
    """Order the lines of pages as those of a document of the library, and divide them into passages."""
    blocks = text_blocks([lines_in_order(page) for page in pages])
    if blocks:
        divided(DocumentText(blocks, FoundMetadata(), len(pages)))


def _read_for_library(file: Seed, settings: Settings) -> None:
    kind = media_type(file.data, file.name)
    if kind is not MediaType.PDF:
        divided(read_document_text(kind, file.data, settings.file_bounds))


def _read_form(file: Seed) -> None:
    """Take a form as far as it may be put into use; what is wrong with marks is told on the studio's page."""
    text = file.data.decode("utf-8", "replace")
    if file.suffix == ".toml":
        check_form(import_toml(text))
        return
    try:
        marks = FormMarks.model_validate_json(text)
    except ValidationError as error:
        raise InvalidInputError(f"{error.error_count()} faults") from error
    mark_problems(marks)
