"""What is still to be found out after a round. Pure: the same results leave the same gaps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from research.angles import angles_of
from research.candidate_merging import best_candidates, evidence_of, merge_candidates, status_of
from research.candidate_names import same_item
from research.catalog_fields import DEFAULT_FIELDS, is_pricing, required_fields_of
from research.config import Language, ResearchConfig
from research.domain_use import domains_after, evidence_of_new_domains
from research.gap_closing import closed, gap_id, given_up, topic_evidence, with_id
from research.gap_queries import discovery_query, evidence_query, field_query, other_domains_query, topic_query
from research.memo_json import memo_from_json
from research.memo_types import CatalogCandidate, CatalogMemo, FieldStatus, Gap, GapState, ResearchMemo
from research.report_type import ReportType, target_items
from research.result_reading import read_results, useful
from research.text import detect_language
from research.worker_result import WorkerResult

MAX_OPEN = 10
#: Open gaps of a type that are kept before others fill the places that are left: none crowds out another.
QUOTAS = {"missing_candidates": 1, "missing_field": 5, "weak_evidence": 2, "missing_topic": 2}
DIVERSE_SOURCES = "diverse_sources"
DEFAULT_TARGET = 5


def detect_gaps(
    report_type: ReportType | str,
    round_index: int,
    worker_results: Iterable[object],
    previous_memo: ResearchMemo | Mapping[str, object] | None,
    config: ResearchConfig,
    *,
    query: str | None = None,
    angles: Sequence[str] | None = None,
) -> list[Gap]:
    """Gaps after a round: at most ten open ones, most urgent first, then those given up, then those closed.

    `worker_results` are those of this round; what earlier rounds brought is in the memo. `query` and `angles` are
    the question and the plan's angles where there is no memo yet; without them the questions of the results and
    their angles stand in. An open gap of the memo keeps its id until evidence closes it, or until a
    researcher looked for it in vain in Round 2 or 3: then it is unfillable.
    """
    memo = _memo(previous_memo)
    results = useful(read_results(worker_results))
    asked = query or (memo.query if memo else "") or " ".join(dict.fromkeys(result.question for result in results))
    language = detect_language(asked) if asked.strip() else config.language
    known = [with_id(gap) for gap in memo.gaps] if memo else []
    settled = [gap for gap in known if gap.state == GapState.CLOSED]
    waiting = [gap for gap in known if gap.state != GapState.CLOSED]
    if ReportType(report_type) == ReportType.CATALOG:
        found = _catalog_gaps(round_index, results, memo, config, asked, language, waiting)
    else:
        wanted = angles if angles is not None else angles_of(asked, language)
        found = _narrative_gaps(round_index, results, memo, config, asked, language, waiting, wanted)
    found = [
        given_up(gap, results, round_index) if gap.state != GapState.CLOSED else gap
        for gap in _distinct(found, settled)
    ]
    still_open = shown_gaps([gap for gap in found if gap.state == GapState.OPEN])
    return [*still_open, *(gap for gap in found if gap.state != GapState.OPEN), *settled]


def shown_gaps(gaps: Sequence[Gap], limit: int = MAX_OPEN) -> list[Gap]:
    """At most `limit` gaps by priority, each type with its quota."""
    ranked = sorted(gaps, key=lambda gap: gap.priority)
    left = dict(QUOTAS)
    first: list[Gap] = []
    others: list[Gap] = []
    for gap in ranked:
        within = left.get(gap.gap_type, 1) > 0
        left[gap.gap_type] = left.get(gap.gap_type, 1) - 1
        (first if within else others).append(gap)
    chosen = {id(gap) for gap in (first + others)[:limit]}
    return [gap for gap in ranked if id(gap) in chosen]


def candidates_after(
    results: Iterable[WorkerResult], memo: ResearchMemo | None, required_fields: Sequence[str], target: int
) -> list[CatalogCandidate]:
    """Candidates of the memo and of this round's results, merged and bounded."""
    before = memo.candidates if isinstance(memo, CatalogMemo) else []
    found = [candidate for result in results for candidate in result.candidates]
    return best_candidates(merge_candidates([*before, *found], required_fields), target)


def required_fields_after(memo: ResearchMemo | None, query: str) -> list[str]:
    """The fields that a catalog's candidates need: those of the memo, else those of the question."""
    if isinstance(memo, CatalogMemo) and memo.required_fields:
        return list(memo.required_fields)
    return required_fields_of(query) if query else list(DEFAULT_FIELDS)


def target_after(memo: ResearchMemo | None, config: ResearchConfig, query: str = "") -> int:
    """How many items the catalog should have."""
    from_memo = memo.target_items if isinstance(memo, CatalogMemo) else None
    return config.catalog_target_items or from_memo or target_items(query) or DEFAULT_TARGET


def _memo(previous: ResearchMemo | Mapping[str, object] | None) -> ResearchMemo | None:
    return memo_from_json(previous) if isinstance(previous, Mapping) else previous


def _catalog_gaps(
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
    gaps += _topic_gaps([gap for gap in waiting if gap.missing_topic], results, round_index, language)
    return gaps


def _field_gaps(
    candidate: CatalogCandidate, own: Sequence[Gap], required: Sequence[str], round_index: int, language: Language
) -> list[Gap]:
    """The candidate's known gaps, filled as far as they are, and new ones for fields that none of them holds."""
    lacking = {f: s for f in required if (s := status_of(candidate, f)) != FieldStatus.FOUND}
    gaps: list[Gap] = []
    for gap in own:
        fields = gap.missing_fields or []
        left = [field for field in fields if status_of(candidate, field) != FieldStatus.FOUND]
        proof = [one for field in fields if field not in left for one in evidence_of(candidate, field)]
        if not left and proof:
            gaps.append(closed(gap, [*gap.evidence_ids, *proof], round_index))
        else:
            # Nothing is closed on a candidate's word alone.
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
    told = "weak evidence for" if is_weak else "missing"
    return Gap(
        gap_type=gap_type,
        description=f"{candidate.name}: {told} {', '.join(fields)}",
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
    """Twice as many as are wanted, so that there is a choice."""
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
        description=f"Need more candidates: have {len(candidates)}, want {wanted}",
        priority=1,
        suggested_query=discovery_query(query, language) or None,
        id=known.id if known else gap_id("missing_candidates"),
        opened_round=known.opened_round if known else round_index,
    )
    return [gap]


def _sources_of(candidate: CatalogCandidate) -> list[str]:
    of_values = [value.source_key or value.url for values in candidate.values.values() for value in values]
    return [one for one in [*of_values, *candidate.evidence_urls] if one]


def _narrative_gaps(
    round_index: int,
    results: Sequence[WorkerResult],
    memo: ResearchMemo | None,
    config: ResearchConfig,
    query: str,
    language: Language,
    waiting: Sequence[Gap],
    angles: Sequence[str],
) -> list[Gap]:
    gaps = _diversity(results, memo, config, round_index, query, language, waiting)
    topics = [gap for gap in waiting if gap.missing_topic != DIVERSE_SOURCES]
    gaps += _topic_gaps(topics, results, round_index, language)
    # Later rounds follow what the first left open; they do not open the question anew.
    if memo is None:
        gaps += [
            _topic_gap(topic, round_index, query, language)
            for topic in angles
            if not topic_evidence(topic, results, language)
        ]
    return gaps


def _topic_gaps(
    waiting: Iterable[Gap], results: Sequence[WorkerResult], round_index: int, language: Language
) -> list[Gap]:
    gaps = []
    for gap in waiting:
        proof = topic_evidence(gap.missing_topic or gap.description, results, language)
        gaps.append(closed(gap, [*gap.evidence_ids, *proof], round_index) if proof else gap)
    return gaps


def _topic_gap(topic: str, round_index: int, query: str, language: Language) -> Gap:
    return Gap(
        gap_type="missing_topic",
        description=f"Missing coverage: {topic}",
        priority=2,
        missing_topic=topic,
        suggested_query=topic_query(query, topic, language),
        id=gap_id("missing_topic", topic=topic),
        opened_round=round_index,
    )


def _diversity(
    results: Sequence[WorkerResult],
    memo: ResearchMemo | None,
    config: ResearchConfig,
    round_index: int,
    query: str,
    language: Language,
    waiting: Sequence[Gap],
) -> list[Gap]:
    """Domains of all rounds together against those that a report should rest on."""
    count = domains_after(results, memo)
    known = next((gap for gap in waiting if gap.missing_topic == DIVERSE_SOURCES), None)
    if count >= config.min_total_domains:
        proof = evidence_of_new_domains(results, memo)
        if known is None:
            return []
        return [closed(known, proof, round_index)] if proof else [known]
    gap = Gap(
        gap_type="missing_topic",
        description=f"Need more diverse sources: {count} domains, want {config.min_total_domains}",
        priority=2,
        missing_topic=DIVERSE_SOURCES,
        suggested_query=other_domains_query(query, language),
        id=known.id if known else gap_id("missing_topic", topic=DIVERSE_SOURCES),
        opened_round=known.opened_round if known else round_index,
    )
    return [gap]


def _distinct(gaps: Iterable[Gap], settled: Iterable[Gap]) -> list[Gap]:
    """Each id once. A gap that was closed once and stands open again gets an id of its own."""
    taken = {gap.id for gap in settled}
    kept = []
    for gap in gaps:
        one = gap if gap.id not in taken else replace(gap, id=f"{gap.id}_{gap.opened_round}")
        if one.id not in taken:
            taken.add(one.id)
            kept.append(one)
    return kept
