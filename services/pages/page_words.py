"""The words of a page with their places, for selectable text; no OCR is started for it."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from sqlalchemy import select

from core.config import Settings
from core.confined.child import within
from core.errors import NotFoundError, RecognitionError
from core.models import Page, Upload
from pipeline.ocr_providers import get_provider
from pipeline.ocr_providers.base import OcrProvider, Pixels, RecognisedLine
from pipeline.pages.geometry import inside
from pipeline.pages.page_model import Box, PageContent
from pipeline.recognition.page_contents import read_pages
from services.context import Context
from services.pages.drawn_page import one_of_few
from services.pages.forget_erased import forget_if_erased

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
    with context.database.session() as session:
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
