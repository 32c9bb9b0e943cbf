"""Detect gaps of a catalog: fields without proof, and too few candidates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from research.catalog.candidate_merging import best_candidates, evidence_of, merge_candidates, status_of
from research.catalog.candidate_names import same_item
from research.config import ResearchConfig
from research.gaps.gap_closing import closed, gap_id
from research.gaps.gap_queries import discovery_query, evidence_query, field_query
from research.gaps.narrative_gaps import topic_gaps
from research.gaps.round_facts import RoundFacts
from research.memo.types import CatalogCandidate, CatalogMemo, FieldStatus, Gap, ResearchMemo
from research.memo.worker_result import WorkerResult
from research.questions.catalog_fields import DEFAULT_FIELDS, is_pricing, required_fields_of
from research.report_type import target_items

DEFAULT_TARGET = 5


def candidates_after(
    results: Iterable[WorkerResult], memo: ResearchMemo | None, required_fields: Sequence[str], target: int
) -> list[CatalogCandidate]:
    """Return the candidates of the memo and of this round's results, merged and limited."""
    before = memo.candidates if isinstance(memo, CatalogMemo) else []
    found = [candidate for result in results for candidate in result.candidates]
    return best_candidates(merge_candidates([*before, *found], required_fields), target)


def required_fields_after(memo: ResearchMemo | None, config: ResearchConfig, query: str) -> list[str]:
    """Return the required fields: those of the memo, else those that a person confirmed, else the question's."""
    if isinstance(memo, CatalogMemo) and memo.required_fields:
        return list(memo.required_fields)
    if config.catalog_fields:
        return list(dict.fromkeys(["name", *config.catalog_fields]))
    return required_fields_of(query) if query else list(DEFAULT_FIELDS)


def target_after(memo: ResearchMemo | None, config: ResearchConfig, query: str = "") -> int:
    """Return the number of items that the catalog should have."""
    from_memo = memo.target_items if isinstance(memo, CatalogMemo) else None
    return config.catalog_target_items or from_memo or target_items(query) or DEFAULT_TARGET


def catalog_gaps(facts: RoundFacts) -> list[Gap]:
    """Return the gaps of each candidate, of known ones that are no candidates now, and of the catalog."""
    required = required_fields_after(facts.memo, facts.config, facts.query)
    target = target_after(facts.memo, facts.config, facts.query)
    candidates = candidates_after(facts.results, facts.memo, required, target)
    gaps: list[Gap] = []
    waiting = [gap for gap in facts.waiting if gap.candidate_name]
    for candidate in candidates:
        own = [gap for gap in waiting if same_item(gap.candidate_name or "", candidate.name)]
        waiting = [gap for gap in waiting if gap not in own]
        gaps += _field_gaps(candidate, own, required, facts)
    return [*gaps, *waiting, *_more_candidates(candidates, required, target, facts), *topic_gaps(facts)]


def _field_gaps(
    candidate: CatalogCandidate, own: Sequence[Gap], required: Sequence[str], facts: RoundFacts
) -> list[Gap]:
    """Return the candidate's known gaps, updated, and new ones for other fields that are missing."""
    lacking = {f: s for f in required if (s := status_of(candidate, f)) != FieldStatus.FOUND}
    gaps: list[Gap] = []
    for gap in own:
        fields = gap.missing_fields or []
        left = [field for field in fields if status_of(candidate, field) != FieldStatus.FOUND]
        proof = [one for field in fields if field not in left for one in evidence_of(candidate, field)]
        if not left and proof:
            gaps.append(closed(gap, [*gap.evidence_ids, *proof], facts.round_index))
        else:
            # A gap is not closed by a value without evidence.
            gaps.append(_field_gap(candidate, left or fields, gap, facts))
        lacking = {field: status for field, status in lacking.items() if field not in fields}
    missing = [field for field, status in lacking.items() if status == FieldStatus.MISSING]
    weak = [field for field, status in lacking.items() if status == FieldStatus.PARTIAL]
    return gaps + [_field_gap(candidate, fields, None, facts) for fields in (missing, weak) if fields]


def _field_gap(candidate: CatalogCandidate, fields: Sequence[str], known: Gap | None, facts: RoundFacts) -> Gap:
    is_weak = all(status_of(candidate, field) != FieldStatus.MISSING for field in fields)
    gap_type = "weak_evidence" if is_weak else "missing_field"
    search = evidence_query if is_weak else field_query
    return Gap(
        gap_type=gap_type,
        description="",
        priority=1 if not is_weak and any(is_pricing(field) for field in fields) else 2,
        candidate_name=candidate.name,
        missing_fields=list(fields),
        suggested_query=search(candidate.name, fields, facts.language),
        id=known.id if known else gap_id(gap_type, candidate.name),
        opened_round=known.opened_round if known else facts.round_index,
    )


def _more_candidates(
    candidates: Sequence[CatalogCandidate], required: Sequence[str], target: int, facts: RoundFacts
) -> list[Gap]:
    """Return a gap if fewer items than were asked for have a proven field besides their name."""
    known = next((gap for gap in facts.waiting if gap.gap_type == "missing_candidates"), None)
    told = [field for field in required if field != "name"]
    usable = [c for c in candidates if any(status_of(c, field) == FieldStatus.FOUND for field in told)]
    if len(usable) >= target:
        proof = [one for candidate in usable for one in _sources_of(candidate)]
        return [closed(known, proof, facts.round_index)] if known and proof else [known] if known else []
    gap = Gap(
        gap_type="missing_candidates",
        description="",
        have=len(usable),
        wanted=target,
        priority=1,
        suggested_query=discovery_query(facts.query, facts.language) or None,
        id=known.id if known else gap_id("missing_candidates"),
        opened_round=known.opened_round if known else facts.round_index,
    )
    return [gap]


def _sources_of(candidate: CatalogCandidate) -> list[str]:
    of_values = [value.source_key or value.url for values in candidate.values.values() for value in values]
    return [one for one in [*of_values, *candidate.evidence_urls] if one]
