"""Detect gaps after a round, in narratives and catalogs, and close them by evidence."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from research.candidates import (
    best_candidates,
    field_evidence,
    folded_name,
    merge_candidates,
    same_item,
    status_of,
)
from research.config import Language, ResearchConfig
from research.memo import (
    DIVERSE_SOURCES,
    CatalogCandidate,
    CatalogMemo,
    FieldStatus,
    Gap,
    GapState,
    ResearchMemo,
    WorkerResult,
    domains_after,
    new_domains,
    useful,
)
from research.questions.asking import search_subject
from research.questions.catalog_fields import is_pricing, is_proof, required_fields_of, search_words
from research.report_type import ReportType, target_items
from research.text.language import content_stems, detect_language, fold_accents, phrases_for

MAX_OPEN = 10
#: Open gaps of each type kept first, so that no type displaces another; others fill the remaining places.
QUOTAS = {"missing_candidates": 1, "missing_field": 5, "weak_evidence": 2, "missing_topic": 2}


def detect_gaps(
    report_type: ReportType,
    round_index: int,
    worker_results: Sequence[WorkerResult],
    previous_memo: ResearchMemo | None,
    config: ResearchConfig,
    *,
    query: str | None = None,
    aspects: Sequence[str] = (),
) -> list[Gap]:
    """Return the gaps after a round: at most ten open ones, most urgent first, then the others.

    `worker_results` are those of this round; the memo summarises earlier ones. A finding's `topics` are the
    aspects and missing topics that it covers. `query` and `aspects` are the question and the plan's aspects before
    the first memo. An open gap of the memo keeps its id until evidence closes it, or until a researcher searched
    for it in vain: then it is unfillable. A closed gap stays closed.
    """
    results = useful(worker_results)
    asked = query or (previous_memo.query if previous_memo else "")
    known = previous_memo.gaps if previous_memo else []
    closed = {gap.id: gap for gap in known if gap.state == GapState.CLOSED}
    waiting = [gap for gap in known if gap.id not in closed]
    facts = RoundFacts(round_index, results, previous_memo, config, asked, detect_language(asked), waiting)
    is_catalog = ReportType(report_type) is ReportType.CATALOG
    by_kind = catalog_gaps(facts) if is_catalog else _detect_narrative_gaps(facts, aspects)
    once: dict[str, Gap] = {}
    for gap in (*by_kind, *_topic_gaps(facts)):
        once.setdefault(gap.id, gap)
    looked_for = {result.gap_id for result in results}
    found = [
        replace(gap, state=GapState.UNFILLABLE) if gap.state == GapState.OPEN and gap.id in looked_for else gap
        for gap in once.values()
        if gap.id not in closed
    ]
    still_open = shown_gaps([gap for gap in found if gap.state == GapState.OPEN])
    return [*still_open, *(gap for gap in found if gap.state != GapState.OPEN), *closed.values()]


def shown_gaps(gaps: Sequence[Gap]) -> list[Gap]:
    """Return at most `MAX_OPEN` gaps by priority, filling each type's quota first."""
    ranked = sorted(gaps, key=lambda gap: gap.priority)
    first = [
        gap for kind, most in QUOTAS.items() for gap in [one for one in ranked if one.gap_type == kind][:most]
    ]
    chosen = [*first, *(gap for gap in ranked if gap not in first)][:MAX_OPEN]
    return [gap for gap in ranked if gap in chosen]


def _detect_narrative_gaps(facts: RoundFacts, aspects: Sequence[str]) -> list[Gap]:
    """Return the gap for too few domains over all rounds; in Round 1 also one per aspect without evidence."""
    subject, gaps = search_subject(facts.query, facts.language), []
    known = next((gap for gap in facts.waiting if gap.missing_topic == DIVERSE_SOURCES), None)
    count, wanted = domains_after(facts.results, facts.memo), facts.config.min_total_domains
    if count < wanted:
        query = f"{subject} {phrases_for('tasks', facts.language)['search_elsewhere']}".strip()
        few = Gap("missing_topic", "", 2, missing_topic=DIVERSE_SOURCES, suggested_query=query)
        gaps.append(facts.opened(replace(few, have=count, wanted=wanted), known))
    elif known:
        new = new_domains(facts.results, facts.memo)
        gaps.append(facts.closed(known, [one for ids in new.values() for one in ids]))
    for topic in aspects if facts.memo is None else ():
        if not topic_evidence(topic, facts.results):
            named = topic.replace("_", " ")
            query = subject if named.casefold() in subject.casefold() else f"{named} {subject}".strip()
            gaps.append(facts.opened(Gap("missing_topic", "", 2, missing_topic=topic, suggested_query=query)))
    return gaps


def _topic_gaps(facts: RoundFacts) -> list[Gap]:
    """Return the known gaps of topics; one that a finding covers is closed."""
    topics = [gap for gap in facts.waiting if gap.missing_topic not in (None, DIVERSE_SOURCES)]
    return [facts.closed(gap, topic_evidence(gap.missing_topic or "", facts.results)) for gap in topics]


# Detect gaps of a catalog: fields without proof, and too few candidates.


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


def catalog_gaps(facts: RoundFacts, with_addresses: bool = False) -> list[Gap]:
    """Return the gaps of each candidate, of former candidates, and of the catalog as a whole.

    A missing address is a gap only `with_addresses`, in the finished report: it is worth no search, because the
    report takes it from the item's own page.
    """
    candidates = candidates_after(facts.results, facts.memo, facts.config, facts.query)
    required = required_fields(facts.config, facts.query)
    gaps: list[Gap] = []
    waiting = [gap for gap in facts.waiting if gap.candidate_name]
    for candidate in candidates:
        own = [gap for gap in waiting if same_item(gap.candidate_name or "", candidate.name)]
        waiting = [gap for gap in waiting if gap not in own]
        wanted = [field for field in required if with_addresses or field != "provider_url"]
        gaps += _field_gaps(candidate, own, wanted, facts)
    return [*gaps, *waiting, *_more_candidates(candidates, required, facts)]


def settled(memo: CatalogMemo, listed: Sequence[CatalogCandidate], config: ResearchConfig) -> CatalogMemo:
    """Return the last memo adjusted to the report: the listed items, what each lacks, and how many are missing.

    A gap is closed only if the report proves its fields; gaps of items that are not listed are removed. `listed`:
    the items with the values shown. `config`: with the fields and the count of the table.
    """
    before = {gap.id: gap for gap in memo.gaps}
    closed = {key for key, gap in before.items() if gap.state == GapState.CLOSED}
    topics = [gap for gap in memo.gaps if gap.missing_topic]
    known = [gap for gap in memo.gaps if not gap.candidate_name or _is_listed(gap.candidate_name, listed)]
    # Reopen all gaps, so that `catalog_gaps` decides again which are closed.
    waiting = [replace(gap, state=GapState.OPEN) if gap.id in closed else gap for gap in known]
    required = required_fields(config, memo.query)
    adjusted = replace(memo, candidates=merge_candidates(listed, required), required_fields=required)
    facts = RoundFacts(memo.round_index, (), adjusted, config, memo.query, detect_language(memo.query), waiting)
    found = {gap.id: gap for gap in catalog_gaps(facts, with_addresses=True)}
    stayed = {key: before[key] for key in closed & {*found} if found[key].state == GapState.CLOSED}
    return replace(adjusted, gaps=[*(found | stayed).values(), *topics])


def _is_listed(name: str, listed: Iterable[CatalogCandidate]) -> bool:
    return any(same_item(name, one.name) for one in listed)


def field_query(candidate_name: str, fields: Sequence[str], language: str) -> str:
    """Return a query for a candidate's most urgent fields: pricing, then proof, then others."""
    urgent = [field for asks in (is_pricing, is_proof) for field in fields if asks(field)]
    words = " ".join(search_words(field, language) for field in urgent[:1] or fields)
    return " ".join(f"{_quoted(candidate_name)} {words}".split())


def evidence_query(candidate_name: str, language: str) -> str:
    """Return a query for independent evidence on a candidate."""
    return f"{_quoted(candidate_name)} {phrases_for('tasks', language)['search_independent']}"


def discovery_query(query: str, language: str) -> str:
    """Return a query for more items of the requested kind."""
    return f"{search_subject(query, language)} {phrases_for('tasks', language)['search_more']}".strip()


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
        proof = [one for field in fields for one in field_evidence(candidate, field)]
        gaps.append(_field_gap(candidate, left, facts, gap) if left else facts.closed(gap, proof))
    named = {field for gap in own for field in gap.missing_fields or ()}
    for status in (FieldStatus.MISSING, FieldStatus.PARTIAL):
        fields = [field for field in required if field not in named and status_of(candidate, field) == status]
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
    target, fields = wanted_items(facts.config, facts.query), [field for field in required if field != "name"]
    usable = [c for c in candidates if any(status_of(c, field) == FieldStatus.FOUND for field in fields)]
    if len(usable) >= target:
        proof = [one for candidate in usable for field in fields for one in field_evidence(candidate, field)]
        return [facts.closed(known, proof)] if known else []
    query = discovery_query(facts.query, facts.language)
    gap = Gap("missing_candidates", "", 1, suggested_query=query, have=len(usable), wanted=target)
    return [facts.opened(gap, known)]


# Track gaps over the rounds: their ids, the facts of a round, and the evidence that closes them.


#: Least share of common stems of two topics that count as one gap.
_SAME_TOPIC = 0.75


@dataclass(frozen=True)
class RoundFacts:
    """The input of gap detection: a round's results, the memo before it, and the request."""

    round_index: int
    #: Of this round, without failed ones.
    results: Sequence[WorkerResult]
    #: Of the round before; None in Round 1.
    memo: ResearchMemo | None
    config: ResearchConfig
    query: str
    language: Language
    #: Known gaps that are not closed.
    waiting: Sequence[Gap]

    def opened(self, gap: Gap, known: Gap | None = None) -> Gap:
        """Return the gap as a continuation of the known one, else as opened in this round."""
        if known:
            return replace(gap, id=known.id, opened_round=known.opened_round, state=known.state)
        own = gap_id(gap.gap_type, gap.candidate_name, gap.missing_topic)
        return replace(gap, id=own, opened_round=self.round_index)

    def closed(self, gap: Gap, evidence_ids: Iterable[str]) -> Gap:
        """Return the gap, closed by its evidence; unchanged without evidence."""
        ids = list(dict.fromkeys(filter(None, evidence_ids)))
        if not ids:
            return gap
        return replace(gap, state=GapState.CLOSED, evidence_ids=ids, closed_round=self.round_index)


def gap_id(gap_type: str, candidate_name: str | None = None, topic: str | None = None) -> str:
    """Return an id that is the same in every round for the same type, candidate and topic, however written.

    A candidate has one gap per type, because its fields may be filled one by one.
    """
    named = folded_name(candidate_name) if candidate_name else ""
    key = "\n".join((gap_type, named, folded_topic(topic or "")))
    return f"g_{hashlib.sha256(key.encode('utf-8', 'replace')).hexdigest()[:12]}"


def folded_topic(topic: str) -> str:
    """Return a topic for comparison, without case, accents, and underscores in place of spaces."""
    return fold_accents(" ".join(topic.replace("_", " ").casefold().split()))


def alike(one: str, other: str, language: str, least: float = 0.5) -> bool:
    """Return whether two topics are one: written alike, or with a share of their stems in common."""
    stems, others = set(content_stems(one, language)), set(content_stems(other, language))
    return folded_topic(one) == folded_topic(other) or len(stems & others) >= least * len(stems | others) > 0


def merged_gaps(known: Sequence[Gap], proposed: Iterable[Gap], language: str) -> list[Gap]:
    """Return the known gaps and the proposed topics that are not similar to one of them."""
    topics = [gap.missing_topic for gap in known if gap.missing_topic]
    merged = list(known)
    for gap in proposed:
        topic = gap.missing_topic or ""
        if not any(alike(topic, one, language, _SAME_TOPIC) for one in topics):
            topics.append(topic)
            merged.append(gap)
    return merged


def topic_evidence(topic: str, results: Iterable[WorkerResult]) -> list[str]:
    """Return the keys of the sources whose findings name the topic among theirs."""
    wanted = folded_topic(topic)
    findings = (finding for result in results for finding in result.findings)
    return list(dict.fromkeys(one.source_key for one in findings if wanted in map(folded_topic, one.topics)))
