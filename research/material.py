"""The input and output of a writer: question, findings and sources; document and checked claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from research.config import ResearchConfig
from research.document import CheckedClaim, Reference, ReportDocument
from research.memo import ResearchMemo
from research.memo.worker_result import WorkerResult
from research.report_type import ReportType
from research.sources.base import Passage


@dataclass(frozen=True)
class SourceText:
    """A read source with its full text."""

    reference: Reference
    domain: str
    passages: tuple[Passage, ...]
    language: str = "en"

    @property
    def text(self) -> str:
        """The full text, in which quotations are verified."""
        return "".join(passage.text for passage in self.passages)

    def page_at(self, position: int) -> int | None:
        """Return the number of the page that holds a position of the text; None if it is on no numbered page."""
        return next((one.page_no for one in self.passages if one.start_char <= position < one.end_char), None)


@dataclass(frozen=True)
class ReportMaterial:
    """Everything that the three rounds collected."""

    query: str
    report_type: ReportType
    config: ResearchConfig
    #: Of the last round.
    memo: ResearchMemo
    #: Of all rounds, in the order of their tasks.
    results: tuple[WorkerResult, ...]
    #: By citation key.
    sources: Mapping[str, SourceText]
    #: Questions of the plan, in the order of their sections.
    questions: tuple[str, ...] = ()
    #: What the report should say something about, as short headings.
    aspects: tuple[str, ...] = ()
    #: Year of the request.
    year: int = 0
    #: Sentences on problems during the rounds, for the report's limits.
    troubles: tuple[str, ...] = ()


@dataclass(frozen=True)
class WrittenReport:
    """A document, and every claim that was checked for it, published or dropped."""

    document: ReportDocument
    claims: tuple[CheckedClaim, ...] = ()
