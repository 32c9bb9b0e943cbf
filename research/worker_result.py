"""What one researcher brings back from one task; plain data, kept as JSON in `report_tasks.result`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from research.memo import CatalogCandidate, Claim, SourceEntry

Kind = Literal["web", "academic", "book"]


@dataclass
class Finding:
    """A stretch of a source that answers the question."""

    source_key: str
    #: Verbatim: `source text[start_char:end_char]`.
    quote: str
    start_char: int
    end_char: int
    page_no: int | None = None
    #: What of the question it is about, as lower-case words of the report's language.
    topics: list[str] = field(default_factory=list)
    #: 0 to 1, how much it answers the question.
    score: float = 0.0


@dataclass
class WorkerResult:
    """The outcome of one task, failed ones included."""

    task_id: str
    kind: Kind
    question: str
    queries: list[str] = field(default_factory=list)
    #: "nothing_found" is an honest result; "failed" carries the error's code and brings nothing.
    status: Literal["done", "nothing_found", "failed"] = "done"
    error_code: str | None = None
    #: Every source that was read, and those that could not be (`has_evidence` false).
    sources: list[SourceEntry] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    #: Topics that the findings cover.
    topics: list[str] = field(default_factory=list)
    candidates: list[CatalogCandidate] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    #: In Markdown, for a planner that is a model; never published.
    notes: str = ""
    #: The gap that the task was to close.
    gap_id: str | None = None
    #: Domains that answered, other than those already used.
    new_domains: list[str] = field(default_factory=list)
