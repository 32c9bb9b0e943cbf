"""What a memo is made of: sources, gaps, claims and candidates, each in a line."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.labels import LabelledEnum
from research.report_type import ReportType


class FieldStatus(LabelledEnum):
    """How well a catalog field of a candidate is known."""

    MISSING = "missing", "missing"
    #: A value without a verified quotation.
    PARTIAL = "partial", "without a verified quotation"
    FOUND = "found", "found"


class GapState(LabelledEnum):
    """Where a gap stands."""

    OPEN = "open", "Still open"
    CLOSED = "closed", "Closed"
    #: Looked for as often as the rounds allow, and not found.
    UNFILLABLE = "unfillable", "Looked for, not found"


@dataclass
class SourceEntry:
    """A source in a line."""

    url: str
    #: Registrable domain of a web source; publisher, else collection, of a library document.
    domain: str
    title: str
    #: Whether text of it was read.
    has_evidence: bool
    #: "pricing", "case_study", "overview" or "other".
    relevance: str
    #: Its citation key; empty where it has none yet.
    key: str = ""


@dataclass
class Gap:
    """One thing still to be found out."""

    #: "missing_field", "weak_evidence", "missing_topic" or "missing_candidates".
    gap_type: str
    #: In the words of a model or of whoever wrote the memo; "" for a gap that a rule found, see `gap_message`.
    description: str
    #: 1 high, 2 medium, 3 low.
    priority: int
    candidate_name: str | None = None
    missing_fields: list[str] | None = None
    missing_topic: str | None = None
    suggested_query: str | None = None
    #: The same for the same gap in every round.
    id: str = ""
    state: GapState = GapState.OPEN
    #: Ids of what closed it; never empty for a closed gap.
    evidence_ids: list[str] = field(default_factory=list)
    opened_round: int = 1
    closed_round: int | None = None
    #: Of candidates or publishers: how many there are, and how many there should be.
    have: int | None = None
    wanted: int | None = None

    def __post_init__(self) -> None:
        """Raises ValueError for a gap that is called closed without evidence."""
        if self.state == GapState.CLOSED and not self.evidence_ids:
            raise ValueError(f"A gap is closed by evidence alone: {self.id or self.gap_type}")


@dataclass
class Claim:
    """A claim that Round 3 should verify."""

    claim_text: str
    source_url: str
    #: "high", "medium" or "low".
    confidence: str
    verification_query: str
    #: Registrable domain that it came from: another one must confirm it.
    source_domain: str = ""
    claim_id: str = ""


@dataclass
class FieldValue:
    """What was found for a field of a candidate, with where it stands."""

    value: str
    #: Verbatim from the source; empty where there is none.
    quote: str = ""
    source_key: str = ""
    url: str = ""
    verified: bool = False
    #: Id of the claim that carries it.
    claim_id: str = ""


@dataclass
class CatalogCandidate:
    """One item that a catalog may list."""

    name: str
    provider_url: str | None = None
    fields: dict[str, FieldStatus] = field(default_factory=dict)
    evidence_urls: list[str] = field(default_factory=list)
    #: All that was found, by field; the best first.
    values: dict[str, list[FieldValue]] = field(default_factory=dict)


@dataclass
class ResearchMemo:
    """What a round leaves to the next."""

    query: str
    report_type: ReportType
    round_index: int
    tasks_completed: int
    tasks_remaining: int
    unique_citations: int
    unique_domains: int
    pages_extracted: int
    themes_covered: list[str] = field(default_factory=list)
    sources_summary: list[SourceEntry] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)
    claims_to_verify: list[Claim] = field(default_factory=list)
    tasks_failed: int = 0


@dataclass
class CatalogMemo(ResearchMemo):
    """The memo of a catalog: candidates with what is known of each."""

    target_items: int = 5
    candidates: list[CatalogCandidate] = field(default_factory=list)
    required_fields: list[str] = field(default_factory=list)
