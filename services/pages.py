"""Pages of an entry's document as pictures and words."""

from __future__ import annotations

import io
import json
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple, Protocol

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.config import Settings
from core.confined.children import within
from core.errors import BusyError, NotFoundError, RecognitionError, TooCostlyError
from core.models import Page, Submission, Upload, UploadStatus
from pipeline.files.content_type import FileNote
from pipeline.ocr_providers import get_provider
from pipeline.ocr_providers.base import OcrProvider, Pixels, RecognisedLine
from pipeline.pages.page_model import Box, PageContent, inside
from pipeline.recognition.page_contents import read_pages, render_page
from services.context import Context


@dataclass(frozen=True)
class PagePlace:
    """A rectangle on a page, 0-1 of the displayed page."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True)
class PageView:
    """One page of the entry for display; its size is in points."""

    number: int
    width: float
    height: float
    role: str
    #: Clockwise degrees by which it is turned, for reading and on the screen.
    turned: int = 0


def page_views_of(session: Session, submission: Submission) -> list[PageView]:
    """Return the pages of one entry, in order."""
    rows = session.scalars(
        select(Page)
        .where(
            Page.upload_id == submission.upload_id,
            Page.page_no.between(submission.page_start, submission.page_end),
        )
        .order_by(Page.page_no)
    )
    return [page_view(row) for row in rows]


def page_view(row: Page) -> PageView:
    """Return a page for display."""
    return PageView(row.page_no, row.width, row.height, row.role, row.turned)


class Placed(Protocol):
    """Protocol of a row with the place of its value; all columns are null without one."""

    page: Any
    x0: Any
    y0: Any
    x1: Any
    y1: Any


def page_place_of(row: Placed) -> PagePlace | None:
    """Return the place of a row's value, None without one."""
    if row.page is None or None in (row.x0, row.y0, row.x1, row.y1):
        return None
    return PagePlace(row.page, row.x0, row.y0, row.x1, row.y1)


@dataclass(frozen=True)
class Document:
    """Data of the page viewer."""

    upload_id: uuid.UUID
    filename: str
    pages: list[PageView]
    #: Whether a person typed the entry in, because no page of it can be read.
    typed_in: bool = False
    #: What the file holds beside its pages.
    notes: list[FileNote] = field(default_factory=list)

    def page(self, number: int) -> PageView | None:
        return next((page for page in self.pages if page.number == number), None)


def document_of(session: Session, submission: Submission, upload: Upload) -> Document:
    """Return the file of an entry with the entry's pages."""
    return Document(
        upload.id,
        upload.original_filename,
        page_views_of(session, submission),
        typed_in=upload.status == UploadStatus.TYPED,
        notes=[FileNote.model_validate(note) for note in upload.notes],
    )


def original_file(context: Context, upload_id: uuid.UUID) -> tuple[bytes, str, str]:
    """Return (bytes, content type, file name) of an upload's original. The type is detected from the content."""
    upload = context.database.get(Upload, upload_id)
    if upload is None:
        raise NotFoundError("no such upload")
    content_type = upload.content_type or "application/octet-stream"
    return context.store.get(upload.storage_key), content_type, upload.original_filename


def original_link(context: Context, upload_id: uuid.UUID) -> str | None:
    """Return a short-lived address in the store; None if we send the file. Raises NotFoundError, StorageError."""
    seconds = context.settings.supabase_signed_seconds
    if seconds == 0:
        return None
    upload = context.database.get(Upload, upload_id)
    if upload is None:
        raise NotFoundError("no such upload")
    return context.store.link(upload.storage_key, seconds, upload.original_filename)


#: Widths in pixels that are rendered; others are rounded up, so that the cache stays small.
WIDTHS = (240, 800, 1200, 1800, 2400)
_POINTS_AN_INCH = 72


def page_image(context: Context, upload_id: uuid.UUID, page_no: int, width: int) -> bytes:
    """Return a page as WebP in the next of WIDTHS that is not below `width` pixels, or in the largest.

    Raises NotFoundError, and what `drawn_page` raises.
    """
    wanted = next((step for step in WIDTHS if step >= width), WIDTHS[-1])
    with context.database.reading() as session:
        row = session.execute(
            select(Upload.pdf_key, Upload.sha256, Page.width)
            .join(Page, Page.upload_id == Upload.id)
            .where(Upload.id == upload_id, Page.page_no == page_no)
        ).first()
    if row is None or row.pdf_key is None:
        raise NotFoundError("no such page")
    dpi = round(wanted * _POINTS_AN_INCH / row.width)
    key = f"cache/pages/{upload_id}/{page_no}-{wanted}.webp"
    picture = drawn_page(context, key, row.pdf_key, page_no, dpi)
    forget_if_erased(context, row.sha256, upload_id, key)
    return picture


# The words of a page with their places, for selectable text; no OCR is started for it.


#: Version of the cached format; raise it when the format changes.
_FORMAT = 1
#: Decimal places of coordinates: precise to a fiftieth of a pixel on a page of 2,400 pixels.
_DIGITS = 5


class PlacedWord(NamedTuple):
    """One word and its box, in fractions (0-1) of the displayed page."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True)
class PageWords:
    """The lines of a page in reading order."""

    lines: list[list[PlacedWord]]
    #: Clockwise degrees by which the page must be rotated for its text to be upright.
    turned: int = 0

    def as_json(self) -> bytes:
        """{"turned": 0, "lines": [[["word", x0, y0, x1, y1], …], …]}"""
        body = {"turned": self.turned, "lines": self.lines}
        return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()

    @classmethod
    def of_json(cls, body: bytes) -> PageWords:
        kept = json.loads(body)
        return cls([[PlacedWord(*word) for word in line] for line in kept["lines"]], kept["turned"])


def page_words(context: Context, upload_id: uuid.UUID, page_no: int) -> PageWords:
    """Return the page's text layer, else the cached result of OCR, else no lines.

    Raises NotFoundError for a page that does not exist, DocumentError, BusyError.
    """
    key = f"cache/words/{upload_id}/{page_no}-{_FORMAT}.json"
    if context.store.exists(key):
        return PageWords.of_json(context.store.get(key))
    pdf_key, digest = _file(context, upload_id, page_no)
    pdf = context.store.get(pdf_key)
    try:
        reader = _kept_only(context.settings)
        with one_of_few(), within(context.settings.parse_seconds):
            (content,) = read_pages(pdf, context.settings, context.store, reader, [page_no])
    except RecognitionError:
        return PageWords([])
    words = PageWords(list(_lines(content)), content.turned)
    context.store.put(key, words.as_json(), "application/json")
    forget_if_erased(context, digest, upload_id, key)
    return words


def _file(context: Context, upload_id: uuid.UUID, page_no: int) -> tuple[str, str]:
    """Return the key of the PDF and the digest of the original."""
    with context.database.reading() as session:
        found = session.execute(
            select(Upload.pdf_key, Upload.sha256)
            .join(Page, Page.upload_id == Upload.id)
            .where(Upload.id == upload_id, Page.page_no == page_no)
        ).first()
    if found is None or found.pdf_key is None:
        raise NotFoundError("no such page")
    return found.pdf_key, found.sha256


def _kept_only(settings: Settings) -> OcrProvider:
    """Return the configured OCR provider, restricted to results that are already cached."""
    provider = type(get_provider(settings.ocr_provider, settings))
    kept: Any = type(provider.__name__, (provider,), {"recognise": _refuse})
    reader: OcrProvider = kept(settings)
    return reader


def _refuse(provider: OcrProvider, picture: Pixels) -> list[RecognisedLine]:
    raise RecognitionError("not recognised before")


def _lines(content: PageContent) -> Iterator[list[PlacedWord]]:
    """Yield the lines of print and handwriting, what annotations write, then the values of form fields."""
    noted = (word for note in content.notes for word in note.words)
    for _, words in groupby([*content.words, *noted], attrgetter("line")):
        yield [_placed(word.text, word.box) for word in words]
    for widget in content.widgets:
        if widget.kind in ("text", "choice") and widget.value.strip():
            yield [_placed(widget.value, widget.box)]


def _placed(text: str, box: Box) -> PlacedWord:
    return PlacedWord(text, *(round(value, _DIGITS) for value in inside(box)))


#: Pages that one process reads or draws at the same time, so that its other threads answer other requests.
_FEW = threading.BoundedSemaphore(2)
#: Requests that read, draw or wait: fewer than the web server's threads (`commands.serving`), so that one stays
#: free, and more than one browser makes at the same time.
_IN_LINE = threading.BoundedSemaphore(7)
#: Seconds that a request waits for its turn.
_PATIENCE = 10.0


@contextmanager
def one_of_few() -> Iterator[None]:
    """Wait until few others read documents or draw pages in this process.

    Raises BusyError, at once where many wait already.
    """
    if not _IN_LINE.acquire(blocking=False):
        raise BusyError
    try:
        if not _FEW.acquire(timeout=_PATIENCE):
            raise BusyError
        try:
            yield
        finally:
            _FEW.release()
    finally:
        _IN_LINE.release()


def drawn_page(context: Context, key: str, pdf_key: str, number: int, dpi: int) -> bytes:
    """Return page `number` of the PDF at `pdf_key` as WebP; it is kept at `key`.

    Raises TooCostlyError (remembered, so that the page is tried once), DamagedDocumentError, BusyError.
    """
    store = context.store
    if store.exists(key):
        return store.get(key)
    refused = f"{key}.refused"
    if store.exists(refused):
        raise TooCostlyError
    with one_of_few():
        try:
            picture = render_page(store.get(pdf_key), number, dpi)
        except TooCostlyError:
            store.put(refused, b"", "text/plain")
            raise
    buffer = io.BytesIO()
    picture.save(buffer, "WEBP", quality=80, method=4)
    store.put(key, buffer.getvalue(), "image/webp")
    return buffer.getvalue()


def forget_if_erased(context: Context, digest: str, upload_id: uuid.UUID, key: str) -> None:
    """Delete the file at `key`, just written, unless the upload's original still has this SHA-256.

    Erasing changes or deletes the row before this looks, or deletes the file after it was written.
    """
    now = context.database.scalar(select(Upload.sha256).where(Upload.id == upload_id))
    if now != digest:
        context.store.delete(key)
