"""The types of a memo: sources, gaps, claims and candidates; and a memo as JSON, for `report_rounds.memo`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import TypeAdapter
from pydantic_core import to_jsonable_python

from core.labels import LabelledEnum
from research.report_type import ReportType


class FieldStatus(LabelledEnum):
    """How well a catalog field of a candidate is known."""

    MISSING = "missing", "missing"
    #: A value without a verified quotation.
    PARTIAL = "partial", "without a verified quotation"
    FOUND = "found", "found"


class GapState(LabelledEnum):
    """The state of a gap."""

    OPEN = "open", "Still open"
    CLOSED = "closed", "Closed"
    #: Searched for in the available rounds without success.
    UNFILLABLE = "unfillable", "Looked for, not found"


@dataclass
class SourceEntry:
    """The summary of a source."""

    url: str
    #: Registrable domain of a web source; publisher, else collection, of a library document.
    domain: str
    title: str
    #: Whether its text was read.
    has_evidence: bool
    #: What was found in it: "pricing", "case_study" with other figures, "overview" without, "other" for nothing.
    relevance: str = "other"
    #: Its citation key; empty where it has none yet.
    key: str = ""


@dataclass
class Gap:
    """Something still to be found out."""

    #: "missing_field", "weak_evidence", "missing_topic" or "missing_candidates".
    gap_type: str
    #: In the words of a model or the memo's author; "" for a gap found by rule, see `gap_message`.
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
    #: Ids of the evidence that closed it; never empty for a closed gap.
    evidence_ids: list[str] = field(default_factory=list)
    opened_round: int = 1
    closed_round: int | None = None
    #: Present and required number of candidates or domains.
    have: int | None = None
    wanted: int | None = None

    def __post_init__(self) -> None:
        """Raise ValueError for a closed gap without evidence."""
        if self.state == GapState.CLOSED and not self.evidence_ids:
            raise ValueError(f"A gap is closed by evidence alone: {self.id or self.gap_type}")


@dataclass
class Claim:
    """A claim that Round 3 should verify."""

    claim_text: str
    source_url: str
    #: "high" if other publishers say it with the same figures, "low" if with others, else "medium".
    confidence: str
    verification_query: str
    #: Registrable domain of its source; only a source from another one can confirm it.
    source_domain: str = ""
    claim_id: str = ""


@dataclass
class FieldValue:
    """A value of a candidate's field, with its quotation and source."""

    value: str
    #: Verbatim from the source; empty if there is none.
    quote: str = ""
    source_key: str = ""
    url: str = ""
    verified: bool = False
    #: Whether it completes or limits the values before it, told in another place; otherwise it stands by itself.
    adds: bool = False


@dataclass
class CatalogCandidate:
    """One item that a catalog may list."""

    name: str
    provider_url: str | None = None
    fields: dict[str, FieldStatus] = field(default_factory=dict)
    evidence_urls: list[str] = field(default_factory=list)
    #: Values by field, best first.
    values: dict[str, list[FieldValue]] = field(default_factory=dict)


@dataclass
class KnownFinding:
    """A finding as the memo tells it."""

    question: str
    text: str
    #: Title of its source.
    title: str
    source_key: str


@dataclass
class ResearchMemo:
    """The summary that a round passes to the next."""

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
    #: The best findings of all rounds, by question.
    findings: list[KnownFinding] = field(default_factory=list)
    #: Aspects of the plan and other topics that no finding covers so far.
    not_found: list[str] = field(default_factory=list)
    #: Number of quotations that readers gave and that stand in no source.
    unproven: int = 0
    #: Items that readers left out, each with the reason.
    left_out: list[tuple[str, str]] = field(default_factory=list)
    #: Parts of the rounds of which the model gave no usable reply.
    unread: list[str] = field(default_factory=list)


@dataclass
class CatalogMemo(ResearchMemo):
    """The memo of a catalog, with its candidates and their fields."""

    target_items: int = 5
    candidates: list[CatalogCandidate] = field(default_factory=list)
    required_fields: list[str] = field(default_factory=list)


_CATALOG: TypeAdapter[ResearchMemo] = TypeAdapter(CatalogMemo)
_NARRATIVE, _GAP = TypeAdapter(ResearchMemo), TypeAdapter(Gap)


def memo_to_json(memo: ResearchMemo) -> dict[str, Any]:
    """Return the memo in JSON types, without loss; a catalog's memo is recognised by its `candidates`."""
    data: dict[str, Any] = to_jsonable_python(memo)
    return data


def memo_from_json(data: Mapping[str, Any]) -> ResearchMemo:
    """Restore a memo written by `memo_to_json`. Raises pydantic.ValidationError for invalid data."""
    return (_CATALOG if "candidates" in data else _NARRATIVE).validate_python(dict(data))


def gap_from_json(data: Mapping[str, Any]) -> Gap:
    """Restore a gap of a stored memo. Raises pydantic.ValidationError for invalid data."""
    return _GAP.validate_python(dict(data))
