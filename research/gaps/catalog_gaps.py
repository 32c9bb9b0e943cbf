"""Detect gaps of a catalog: fields without proof, and too few candidates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from research.catalog.candidate_merging import best_candidates, evidence_of, merge_candidates, status_of
from research.catalog.candidate_names import same_item
from research.config import ResearchConfig
from research.gaps.gap_closing import RoundFacts
from research.memo.types import CatalogCandidate, CatalogMemo, FieldStatus, Gap, GapState, ResearchMemo
from research.memo.worker_result import WorkerResult
from research.questions.asking import subject_of
from research.questions.catalog_fields import (
    is_pricing,
    is_proof,
    required_fields_of,
    search_words,
)
from research.report_type import target_items
from research.text import detect_language
from research.words import phrases_of

DEFAULT_TARGET = 5


def candidates_after(
    results: Iterable[WorkerResult], memo: ResearchMemo | None, config: ResearchConfig, query: str
) -> list[CatalogCandidate]:
    """Return the candidates of the memo and of this round's results, merged and limited."""
    before = memo.candidates if isinstance(memo, CatalogMemo) else []
    found = [candidate for result in results for candidate in result.candidates]
    merged = merge_candidates([*before, *found], required_fields(config, query))
    return best_candidates(merged, wanted_items(config, query))


def required_fields(config: ResearchConfig, query: str) -> list[str]:
    """Return the required fields: those that a person confirmed, else the question's."""
    confirmed = ["name", *config.catalog_fields]
    return list(dict.fromkeys(confirmed)) if config.catalog_fields else required_fields_of(query)


def wanted_items(config: ResearchConfig, query: str) -> int:
    """Return the number of items that the catalog should have."""
    return config.catalog_target_items or target_items(query) or DEFAULT_TARGET


def catalog_gaps(facts: RoundFacts) -> list[Gap]:
    """Return the gaps of each candidate, of known ones that are no candidates now, and of the catalog."""
    candidates = candidates_after(facts.results, facts.memo, facts.config, facts.query)
    required = required_fields(facts.config, facts.query)
    gaps: list[Gap] = []
    waiting = [gap for gap in facts.waiting if gap.candidate_name]
    for candidate in candidates:
        own = [gap for gap in waiting if same_item(gap.candidate_name or "", candidate.name)]
        waiting = [gap for gap in waiting if gap not in own]
        gaps += _field_gaps(candidate, own, required, facts)
    return [*gaps, *waiting, *_more_candidates(candidates, required, facts)]


def settled(memo: CatalogMemo, listed: Sequence[CatalogCandidate], config: ResearchConfig) -> CatalogMemo:
    """Return the last memo as its report has it: the listed items, what each lacks, and how many are missing.

    A gap whose fields the report proves is closed, one that it does not prove is none, and those of items that it
    does not list go. `listed`: with the values that it shows. `config`: with its table's fields and count.
    """
    before = {gap.id: gap for gap in memo.gaps}
    closed = {key for key, gap in before.items() if gap.state == GapState.CLOSED}
    topics = [gap for gap in memo.gaps if gap.missing_topic]
    known = [gap for gap in memo.gaps if not gap.candidate_name or _is_listed(gap.candidate_name, listed)]
    # Whether they are closed is told anew.
    waiting = [replace(gap, state=GapState.OPEN) if gap.id in closed else gap for gap in known]
    required = required_fields(config, memo.query)
    told = replace(memo, candidates=merge_candidates(listed, required), required_fields=required)
    facts = RoundFacts(memo.round_index, (), told, config, memo.query, detect_language(memo.query), waiting)
    found = {gap.id: gap for gap in catalog_gaps(facts)}
    stayed = {key: before[key] for key in closed & {*found} if found[key].state == GapState.CLOSED}
    return replace(told, gaps=[*(found | stayed).values(), *topics])


def _is_listed(name: str, listed: Iterable[CatalogCandidate]) -> bool:
    return any(same_item(name, one.name) for one in listed)


def field_query(candidate_name: str, fields: Sequence[str], language: str) -> str:
    """Return a query for a candidate's most urgent fields: pricing, then proof, then others."""
    urgent = [field for asks in (is_pricing, is_proof) for field in fields if asks(field)]
    words = " ".join(search_words(field, language) for field in urgent[:1] or fields)
    return " ".join(f"{_quoted(candidate_name)} {words}".split())


def evidence_query(candidate_name: str, language: str) -> str:
    """Return a query for independent evidence on a candidate."""
    return f"{_quoted(candidate_name)} {phrases_of('tasks', language)['search_independent']}"


def discovery_query(query: str, language: str) -> str:
    """Return a query for more items of the requested kind."""
    return f"{subject_of(query, language)} {phrases_of('tasks', language)['search_more']}".strip()


def _quoted(name: str) -> str:
    return '"' + name.replace('"', "").strip() + '"'


def _field_gaps(
    candidate: CatalogCandidate, own: Sequence[Gap], required: Sequence[str], facts: RoundFacts
) -> list[Gap]:
    """Return the candidate's known gaps, updated, and new ones for other fields that are missing."""
    gaps = []
    for gap in own:
        fields = gap.missing_fields or []
        left = [field for field in fields if status_of(candidate, field) != FieldStatus.FOUND]
        proof = [one for field in fields for one in evidence_of(candidate, field)]
        gaps.append(_field_gap(candidate, left, facts, gap) if left else facts.closed(gap, proof))
    told = {field for gap in own for field in gap.missing_fields or ()}
    for status in (FieldStatus.MISSING, FieldStatus.PARTIAL):
        fields = [field for field in required if field not in told and status_of(candidate, field) == status]
        gaps += [_field_gap(candidate, fields, facts)] if fields else []
    return gaps


def _field_gap(
    candidate: CatalogCandidate, fields: Sequence[str], facts: RoundFacts, known: Gap | None = None
) -> Gap:
    is_weak = all(status_of(candidate, field) != FieldStatus.MISSING for field in fields)
    query = evidence_query(candidate.name, facts.language)
    gap = Gap("weak_evidence", "", 2, candidate.name, list(fields), suggested_query=query)
    if not is_weak:
        query = field_query(candidate.name, fields, facts.language)
        priority = 1 if any(map(is_pricing, fields)) else 2
        gap = replace(gap, gap_type="missing_field", priority=priority, suggested_query=query)
    return facts.opened(gap, known)


def _more_candidates(
    candidates: Sequence[CatalogCandidate], required: Sequence[str], facts: RoundFacts
) -> list[Gap]:
    """Return a gap if fewer items than were asked for have a proven field besides their name."""
    known = next((gap for gap in facts.waiting if gap.gap_type == "missing_candidates"), None)
    target, told = wanted_items(facts.config, facts.query), [field for field in required if field != "name"]
    usable = [c for c in candidates if any(status_of(c, field) == FieldStatus.FOUND for field in told)]
    if len(usable) >= target:
        proof = [one for candidate in usable for field in told for one in evidence_of(candidate, field)]
        return [facts.closed(known, proof)] if known else []
    query = discovery_query(facts.query, facts.language)
    gap = Gap("missing_candidates", "", 1, suggested_query=query, have=len(usable), wanted=target)
    return [facts.opened(gap, known)]
