"""A second look at the page for fields that the first reading left missing or weak."""

from __future__ import annotations

from collections.abc import Sequence

from core.config import Settings
from core.file_store import FileStore
from pipeline.ocr_providers import get_provider
from pipeline.pages import read_pages
from pipeline.schema import FieldReading, SubmissionRecord
from pipeline.second_reading import propose


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
    # From the cache: the pictures of these pages were recognised by the first reading.
    provider = get_provider(ocr_provider_name, settings)
    wanted = list(range(record.page_start, record.page_end + 1))
    pages = read_pages(pdf, settings, store, provider, pages=wanted)
    return {name: propose(name, pdf, record, pages, settings, store, schools) for name in fields}
