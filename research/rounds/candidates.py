"""Extract the catalog items that a task's sources name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from research.material import SourceText
from research.memo import CatalogMemo, ResearchMemo
from research.memo.worker_result import WorkerResult
from research.questions.catalog_fields import required_fields_of
from research.readers.rules.candidates import extract_candidates
from research.report_type import ReportType
from research.running.context import RoundContext


def with_candidates(
    context: RoundContext, result: WorkerResult, texts: Mapping[str, SourceText], previous: ResearchMemo | None
) -> WorkerResult:
    """Return the result with candidates from all its sources; unchanged if the report is not a catalog.

    Sources without findings are used too: an item's own page may not use the words of the question.
    """
    brief = context.brief
    if brief.report_type is not ReportType.CATALOG:
        return result
    read = {entry.key: texts[entry.key] for entry in result.sources if entry.key in texts}
    known = [candidate.name for candidate in previous.candidates] if isinstance(previous, CatalogMemo) else []
    found = extract_candidates((), read, required_fields_of(brief.query), brief.query, brief.language, known=known)
    return replace(result, candidates=found)
