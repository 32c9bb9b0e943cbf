"""Detect gaps of a catalog: missing fields of its candidates, and missing candidates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from research.catalog.candidate_merging import best_candidates, evidence_of, merge_candidates, status_of
from research.catalog.candidate_names import same_item
from research.config import Language, ResearchConfig
from research.gaps.gap_closing import closed, gap_id
from research.gaps.gap_queries import discovery_query, evidence_query, field_query
from research.gaps.narrative_gaps import topic_gaps
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


def required_fields_after(memo: ResearchMemo | None, query: str) -> list[str]:
    """Return the required fields: those of the memo, else those of the question."""
    if isinstance(memo, CatalogMemo) and memo.required_fields:
        return list(memo.required_fields)
    return required_fields_of(query) if query else list(DEFAULT_FIELDS)


def target_after(memo: ResearchMemo | None, config: ResearchConfig, query: str = "") -> int:
    """Return the number of items that the catalog should have."""
    from_memo = memo.target_items if isinstance(memo, CatalogMemo) else None
    return config.catalog_target_items or from_memo or target_items(query) or DEFAULT_TARGET


def catalog_gaps(
    round_index: int,
    results: Sequence[WorkerResult],
    memo: ResearchMemo | None,
    config: ResearchConfig,
    query: str,
    language: Language,
    waiting: Sequence[Gap],
) -> list[Gap]:
    required, target = required_fields_after(memo, query), target_after(memo, config, query)
    candidates = candidates_after(results, memo, required, target)
    of_candidates = [gap for gap in waiting if gap.candidate_name]
    gaps: list[Gap] = []
    for candidate in candidates:
        own = [gap for gap in of_candidates if same_item(gap.candidate_name or "", candidate.name)]
        gaps += _field_gaps(candidate, own, required, round_index, language)
    orphans = [
        gap for gap in of_candidates if not any(same_item(gap.candidate_name or "", c.name) for c in candidates)
    ]
    gaps += orphans
    gaps += _more_candidates(candidates, memo, target, round_index, query, language, waiting)
    gaps += topic_gaps([gap for gap in waiting if gap.missing_topic], results, round_index, language)
    return gaps


def _field_gaps(
    candidate: CatalogCandidate, own: Sequence[Gap], required: Sequence[str], round_index: int, language: Language
) -> list[Gap]:
    """Return the candidate's known gaps, updated, and new ones for other fields that are missing."""
    lacking = {f: s for f in required if (s := status_of(candidate, f)) != FieldStatus.FOUND}
    gaps: list[Gap] = []
    for gap in own:
        fields = gap.missing_fields or []
        left = [field for field in fields if status_of(candidate, field) != FieldStatus.FOUND]
        proof = [one for field in fields if field not in left for one in evidence_of(candidate, field)]
        if not left and proof:
            gaps.append(closed(gap, [*gap.evidence_ids, *proof], round_index))
        else:
            # A gap is not closed by a value without evidence.
            gaps.append(_field_gap(candidate, left or fields, gap, round_index, language))
        lacking = {field: status for field, status in lacking.items() if field not in fields}
    missing = [field for field, status in lacking.items() if status == FieldStatus.MISSING]
    weak = [field for field, status in lacking.items() if status == FieldStatus.PARTIAL]
    gaps += [_field_gap(candidate, fields, None, round_index, language) for fields in (missing, weak) if fields]
    return gaps


def _field_gap(
    candidate: CatalogCandidate, fields: Sequence[str], known: Gap | None, round_index: int, language: Language
) -> Gap:
    is_weak = all(status_of(candidate, field) != FieldStatus.MISSING for field in fields)
    gap_type = "weak_evidence" if is_weak else "missing_field"
    return Gap(
        gap_type=gap_type,
        description="",
        priority=1 if not is_weak and any(is_pricing(field) for field in fields) else 2,
        candidate_name=candidate.name,
        missing_fields=list(fields),
        suggested_query=evidence_query(candidate.name, language)
        if is_weak
        else field_query(candidate.name, fields, language),
        id=known.id if known else gap_id(gap_type, candidate.name),
        opened_round=known.opened_round if known else round_index,
    )


def _more_candidates(
    candidates: Sequence[CatalogCandidate],
    memo: ResearchMemo | None,
    target: int,
    round_index: int,
    query: str,
    language: Language,
    waiting: Sequence[Gap],
) -> list[Gap]:
    """Return a gap if there are fewer than twice the target candidates, which leaves a choice."""
    wanted = 2 * target
    known = next((gap for gap in waiting if gap.gap_type == "missing_candidates"), None)
    before = memo.candidates if isinstance(memo, CatalogMemo) else []
    new = [c for c in candidates if not any(same_item(c.name, old.name) for old in before)]
    proof = [one for candidate in new for one in _sources_of(candidate)]
    if len(candidates) >= wanted:
        if known is None:
            return []
        if proof:
            return [closed(known, proof, round_index)]
    gap = Gap(
        gap_type="missing_candidates",
        description="",
        have=len(candidates),
        wanted=wanted,
        priority=1,
        suggested_query=discovery_query(query, language) or None,
        id=known.id if known else gap_id("missing_candidates"),
        opened_round=known.opened_round if known else round_index,
    )
    return [gap]


def _sources_of(candidate: CatalogCandidate) -> list[str]:
    of_values = [value.source_key or value.url for values in candidate.values.values() for value in values]
    return [one for one in [*of_values, *candidate.evidence_urls] if one]
