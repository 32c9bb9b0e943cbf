"""Entry point of the extraction. Everything specific to the contest's forms is in `pipeline/profiles/`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipeline.document_analysis import Chunk
from pipeline.extraction.entry import Improve, as_they_are, read_entry
from pipeline.extraction.model_fields import extract_missing_fields_only
from pipeline.extraction.page_roles import RoledPage
from pipeline.pages.page_model import PageContent
from pipeline.schema import FieldReading

__all__ = ["extract_ifi_submission", "extract_missing_fields_only"]


def extract_ifi_submission(
    pages: Sequence[PageContent],
    chunk: Chunk | None = None,
    roled_pages: Sequence[RoledPage] | None = None,
    improve: Improve = as_they_are,
) -> tuple[dict[str, FieldReading], dict[str, Any]]:
    """Return the fields of one entry with their evidence, and a report of how each page was read.

    With a `chunk`, pages outside it are ignored. `roled_pages` are the same pages, classified before; `improve`
    may refine the readings of a page that was read by zones.
    """
    if roled_pages is not None:
        return read_entry(pages, roled_pages, improve)
    inside = [p for p in pages if chunk is None or chunk.page_start <= p.number <= chunk.page_end]
    return read_entry(inside, improve=improve)
