"""The items that a task's sources name, for a catalog."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from research.candidates import extract_candidates
from research.catalog_fields import required_fields_of
from research.material import SourceText
from research.memo import CatalogMemo, ResearchMemo
from research.report_type import ReportType
from research.round_context import RoundContext
from research.worker_result import WorkerResult


def with_candidates(
    context: RoundContext, result: WorkerResult, texts: Mapping[str, SourceText], previous: ResearchMemo | None
) -> WorkerResult:
    """The result with the candidates of all that was read for it; as it is where no catalog is asked for.

    Not only sources with a finding: the page of an item tells of it in other words than those of the question.
    """
    brief = context.brief
    if brief.report_type is not ReportType.CATALOG:
        return result
    read = {entry.key: texts[entry.key] for entry in result.sources if entry.key in texts}
    known = [candidate.name for candidate in previous.candidates] if isinstance(previous, CatalogMemo) else []
    found = extract_candidates((), read, required_fields_of(brief.query), brief.query, brief.language, known=known)
    return replace(result, candidates=found)
