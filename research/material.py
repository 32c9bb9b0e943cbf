"""The input and output of a writer: question, findings and sources; document and checked claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from research.config import ResearchConfig
from research.document import Reference, ReportDocument
from research.memo import ResearchMemo
from research.report_type import ReportType
from research.sources.base import Passage
from research.worker_result import WorkerResult


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
    #: Sentences on problems during the rounds, for the report's limits.
    troubles: tuple[str, ...] = ()


@dataclass(frozen=True)
class CheckedClaim:
    """A sentence, the quotation given for it, and where it was found; a row of `report_claims`."""

    claim_id: str
    sentence: str
    quote: str
    claimed_source_key: str | None
    #: None: in no source; such a claim is never published.
    source_key: str | None
    start_char: int | None
    end_char: int | None
    page_no: int | None
    status: Literal["verified", "misattributed", "fabricated"]
    #: Result of Round 3: whether sources of other domains agree.
    verification: Literal["confirmed", "contradicted", "not_found"] | None = None


@dataclass(frozen=True)
class WrittenReport:
    """A document, and every claim that was checked for it, published or dropped."""

    document: ReportDocument
    claims: tuple[CheckedClaim, ...] = field(default=())
