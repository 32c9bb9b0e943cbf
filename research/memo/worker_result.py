"""A researcher's task and its result: plain data, stored as JSON in `report_tasks`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from research.memo import CatalogCandidate, SourceEntry

Kind = Literal["web", "academic", "book"]


@dataclass(frozen=True)
class PlannedTask:
    """One question for one researcher."""

    #: "r1_1", "r2_3", "v_1"; deterministic for the same plan.
    task_id: str
    kind: Kind
    question: str
    #: Search queries, best first; before a reader was asked for more, those that the plan suggests.
    queries: tuple[str, ...] = ()
    #: The gap that it should close.
    gap_id: str | None = None
    #: What is known and what is missing, for a model that generates the queries.
    instructions: str = ""
    #: Domains to avoid, because they were already used.
    avoid_domains: tuple[str, ...] = ()


@dataclass
class Finding:
    """A passage of a source that answers the question."""

    source_key: str
    #: Verbatim: `source text[start_char:end_char]`.
    quote: str
    start_char: int
    end_char: int
    page_no: int | None = None
    #: Aspects of the plan and missing topics that it covers.
    topics: list[str] = field(default_factory=list)
    #: How well it answers the question; comparable within one list.
    score: float = 0.0


@dataclass
class WorkerResult:
    """The result of a task, also of a failed one."""

    task_id: str
    kind: Kind
    question: str
    queries: list[str] = field(default_factory=list)
    #: "nothing_found" is a valid result; "failed" has an error code and no content.
    status: Literal["done", "nothing_found", "failed"] = "done"
    error_code: str | None = None
    #: Every source that was read or failed (`has_evidence` false).
    sources: list[SourceEntry] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    candidates: list[CatalogCandidate] = field(default_factory=list)
    #: The gap that the task should close.
    gap_id: str | None = None


def useful(results: Iterable[WorkerResult]) -> list[WorkerResult]:
    """Return the results that did not fail."""
    return [result for result in results if result.status != "failed"]
