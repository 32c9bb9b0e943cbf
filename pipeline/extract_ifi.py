"""Named entry of the extraction; all that knows the contest's forms is in `pipeline/profiles/`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipeline.document_analysis import Chunk
from pipeline.extraction.entry import read_entry
from pipeline.page_model import PageContent
from pipeline.schema import FieldReading


def extract_ifi_submission(
    pages: Sequence[PageContent], chunk: Chunk | None = None
) -> tuple[dict[str, FieldReading], dict[str, Any]]:
    """The fields of one entry with their evidence, and how each page was read.

    `pages` are the entry's own; with a `chunk`, those outside it are left out.
    """
    inside = [p for p in pages if chunk is None or chunk.page_start <= p.number <= chunk.page_end]
    return read_entry(inside)
