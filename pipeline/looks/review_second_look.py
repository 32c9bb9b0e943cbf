"""Read missing or weak fields of a page again, and locate a model's values on the pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce

from core.config import Settings
from core.file_store import FileStore
from pipeline.extraction.values.text import squeezed
from pipeline.looks.second_reading import by_page, enlarged, propose
from pipeline.ocr_providers import get_provider
from pipeline.pages.page_model import Box, PageContent, Word
from pipeline.profiles import ANY_FORM
from pipeline.recognition.page_contents import read_pages
from pipeline.schema import EvidenceBox, FieldReading, SubmissionRecord

#: A value of fewer letters may occur by chance: it is located only if it occurs once.
SHORT = 3


def second_readings(
    fields: Sequence[str],
    pdf_key: str,
    ocr_provider_name: str,
    record: SubmissionRecord,
    *,
    settings: Settings,
    store: FileStore,
    schools: Mapping[str, Sequence[str]],
) -> dict[str, list[FieldReading]]:
    """Return further readings by field, by the form of the first; `method` says how each was made.

    Raises DocumentError, RecognitionError."""
    pdf = store.get(pdf_key)
    pages = _pages(pdf, ocr_provider_name, record, settings, store)
    # The run's provider may differ from the configured one; all readings of a run must use the same.
    own = settings.model_copy(update={"ocr_provider": ocr_provider_name})
    forms = (record.profile,) if record.profile else ANY_FORM
    alone, looked = by_page(fields, pages, forms), enlarged(fields, pdf, pages, own, store, forms)
    seen = {name: [*alone.get(name, ()), *looked.get(name, ())] for name in fields}
    return {name: propose(name, pdf, record, pages, own, store, schools, seen[name], forms) for name in fields}


def places_of(
    values: Mapping[str, str],
    pdf_key: str,
    ocr_provider_name: str,
    record: SubmissionRecord,
    *,
    settings: Settings,
    store: FileStore,
) -> dict[str, list[EvidenceBox]]:
    """Locate values on the entry's pages, one box per line; values not found word for word are omitted."""
    pages = _pages(store.get(pdf_key), ocr_provider_name, record, settings, store)
    found = {name: place_on(pages, value) for name, value in values.items()}
    return {name: place for name, place in found.items() if place}


def place_on(pages: Sequence[PageContent], value: str) -> list[EvidenceBox]:
    """Return the boxes of the first place where the words of `value` follow each other on a page.

    Empty where there is none, and for a short value that occurs more than once."""
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
    """Return the entry's pages; recognition comes from the cache, which the first reading filled."""
    wanted = list(range(record.page_start, record.page_end + 1))
    return read_pages(pdf, settings, store, get_provider(ocr_provider_name, settings), pages=wanted)
