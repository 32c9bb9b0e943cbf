"""A second look at the page: for fields left missing or weak, and for the spot where a model's value stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce

from core.config import Settings
from core.file_store import FileStore
from pipeline.extraction.values.text import squeezed
from pipeline.looks.second_reading import propose
from pipeline.ocr_providers import get_provider
from pipeline.pages.page_model import Box, PageContent, Word
from pipeline.recognition.page_contents import read_pages
from pipeline.schema import EvidenceBox, FieldReading, SubmissionRecord

#: A value of fewer letters may stand anywhere: it is located only where it stands once.
SHORT = 3


def second_readings(
    fields: Sequence[str],
    pdf_key: str,
    ocr_provider_name: str,
    record: SubmissionRecord,
    *,
    settings: Settings,
    store: FileStore,
    schools: Sequence[str],
) -> dict[str, list[FieldReading]]:
    """Read the fields again; each reading's `method` names how. Raises DocumentError, RecognitionError."""
    pdf = store.get(pdf_key)
    pages = _pages(pdf, ocr_provider_name, record, settings, store)
    # The run's provider may be another than the office's: what one reads, the other must not be asked again.
    own = settings.model_copy(update={"ocr_provider": ocr_provider_name})
    return {name: propose(name, pdf, record, pages, own, store, schools) for name in fields}


def places_of(
    values: Mapping[str, str],
    pdf_key: str,
    ocr_provider_name: str,
    record: SubmissionRecord,
    *,
    settings: Settings,
    store: FileStore,
) -> dict[str, list[EvidenceBox]]:
    """Where values stand on the entry's pages, a box a line; what is not found word for word is left out."""
    pages = _pages(store.get(pdf_key), ocr_provider_name, record, settings, store)
    found = {name: place_on(pages, value) for name, value in values.items()}
    return {name: place for name, place in found.items() if place}


def place_on(pages: Sequence[PageContent], value: str) -> list[EvidenceBox]:
    """The first place where the words of `value` follow each other on a page."""
    wanted = [part for part in map(squeezed, value.split()) if part]
    places = list(_places(pages, wanted)) if wanted else []
    if not places or (len("".join(wanted)) < SHORT and len(places) > 1):
        return []
    return places[0]


def _places(pages: Sequence[PageContent], wanted: list[str]) -> Iterator[list[EvidenceBox]]:
    for page in pages:
        parts = [(part, word) for word in page.words for part in map(squeezed, word.text.split()) if part]
        for start in range(len(parts) - len(wanted) + 1):
            run = parts[start : start + len(wanted)]
            if [part for part, _ in run] == wanted:
                yield _boxes(page.number, [word for _, word in run])


def _boxes(page: int, words: list[Word]) -> list[EvidenceBox]:
    lines: dict[int, list[Box]] = {}
    for word in words:
        lines.setdefault(word.line, []).append(word.box)
    return [EvidenceBox(page=page, box=reduce(Box.union, boxes)) for boxes in lines.values()]


def _pages(
    pdf: bytes, ocr_provider_name: str, record: SubmissionRecord, settings: Settings, store: FileStore
) -> list[PageContent]:
    """From the cache: the pictures of these pages were recognised by the first reading."""
    wanted = list(range(record.page_start, record.page_end + 1))
    return read_pages(pdf, settings, store, get_provider(ocr_provider_name, settings), pages=wanted)
