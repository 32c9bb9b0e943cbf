"""Read a memo from any origin with every field coerced to its type, so that invalid values do no harm."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from research.memo.plain_values import given, items_of, pairs_of, text_of, texts_of, whole
from research.memo.types import (
    CatalogCandidate,
    CatalogMemo,
    Claim,
    FieldStatus,
    FieldValue,
    Gap,
    GapState,
    ResearchMemo,
    SourceEntry,
)
from research.report_type import ReportType

#: Default priority of a gap.
_LEAST_URGENT = 3
#: Most characters of an item's name and of a topic.
_LONGEST_NAME = 300
_COUNTS = (
    "round_index",
    "tasks_completed",
    "tasks_remaining",
    "unique_citations",
    "unique_domains",
    "pages_extracted",
    "tasks_failed",
)


def read_memo(one: ResearchMemo | Mapping[str, object]) -> ResearchMemo:
    """Return a new memo; it is a catalog's if it has candidates."""
    catalog = isinstance(one, CatalogMemo) or (isinstance(one, Mapping) and "candidates" in one)
    said = given(one, CatalogMemo)
    common: dict[str, Any] = {
        "query": text_of(said.get("query")),
        "report_type": _report_type(said.get("report_type"), catalog=catalog),
        **{name: max(whole(said.get(name)), 0) for name in _COUNTS},
        "themes_covered": texts_of(said.get("themes_covered")),
        "sources_summary": [read_source(source) for source in items_of(said.get("sources_summary"))],
        "gaps": [read_gap(gap) for gap in items_of(said.get("gaps"))],
        "claims_to_verify": [read_claim(claim) for claim in items_of(said.get("claims_to_verify"))],
    }
    if not catalog:
        return ResearchMemo(**common)
    return CatalogMemo(
        **common,
        target_items=max(whole(said.get("target_items"), CatalogMemo.target_items), 0),
        candidates=[read_candidate(candidate) for candidate in items_of(said.get("candidates"))],
        required_fields=texts_of(said.get("required_fields")),
    )


def read_gap(one: object) -> Gap:
    """Return a gap; one marked closed without evidence becomes open."""
    said = given(one, Gap)
    proof = texts_of(said.get("evidence_ids"))
    state = _state(said.get("state"))
    return Gap(
        gap_type=text_of(said.get("gap_type")) or "missing_topic",
        description=text_of(said.get("description")),
        priority=whole(said.get("priority"), _LEAST_URGENT),
        candidate_name=text_of(said.get("candidate_name"))[:_LONGEST_NAME] or None,
        missing_fields=texts_of(said["missing_fields"]) if "missing_fields" in said else None,
        missing_topic=text_of(said.get("missing_topic"))[:_LONGEST_NAME] or None,
        suggested_query=text_of(said.get("suggested_query")) or None,
        id=text_of(said.get("id")),
        state=GapState.OPEN if state == GapState.CLOSED and not proof else state,
        evidence_ids=proof,
        opened_round=whole(said.get("opened_round"), 1),
        closed_round=whole(said["closed_round"]) if "closed_round" in said else None,
        have=whole(said["have"]) if "have" in said else None,
        wanted=whole(said["wanted"]) if "wanted" in said else None,
    )


def read_source(one: object) -> SourceEntry:
    """Return a source; by default it counts as read."""
    said = given(one, SourceEntry)
    told = {name: text_of(said.get(name)) for name in ("url", "domain", "title", "key")}
    relevance = text_of(said.get("relevance")) or "other"
    return SourceEntry(**told, has_evidence=bool(said.get("has_evidence", True)), relevance=relevance)


def read_claim(one: object) -> Claim:
    """Return a claim; the default confidence is medium."""
    told = {name: text_of(value) for name, value in given(one, Claim).items()}
    empty = {"claim_text": "", "source_url": "", "confidence": "medium", "verification_query": ""}
    return Claim(**(empty | told))


def read_candidate(one: object) -> CatalogCandidate:
    """Return a candidate; an unknown status becomes missing."""
    said = given(one, CatalogCandidate)
    return CatalogCandidate(
        name=text_of(said.get("name"))[:_LONGEST_NAME],
        provider_url=text_of(said.get("provider_url")) or None,
        fields={name: _status(status) for name, status in pairs_of(said.get("fields"))},
        evidence_urls=texts_of(said.get("evidence_urls")),
        values={
            name: [read_value(value) for value in items_of(found)] for name, found in pairs_of(said.get("values"))
        },
    )


def read_value(one: object) -> FieldValue:
    """Return a field's value."""
    said = given(one, FieldValue)
    told = {name: text_of(said.get(name)) for name in ("value", "quote", "source_key", "url", "claim_id")}
    return FieldValue(**told, verified=said.get("verified") is True)


def _report_type(said: object, *, catalog: bool) -> ReportType:
    known = text_of(said)
    fallback = ReportType.CATALOG if catalog else ReportType.NARRATIVE
    return ReportType(known) if known in set(ReportType) else fallback


def _state(said: object) -> GapState:
    known = text_of(said)
    return GapState(known) if known in set(GapState) else GapState.OPEN


def _status(said: object) -> FieldStatus:
    known = text_of(said).strip().lower()
    return FieldStatus(known) if known in set(FieldStatus) else FieldStatus.MISSING
