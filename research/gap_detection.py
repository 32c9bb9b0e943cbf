"""Detect what is still to be found out after a round; a pure function of results and memo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from research.config import ResearchConfig
from research.gaps.catalog_gaps import catalog_gaps
from research.gaps.gap_closing import RoundFacts, topic_evidence
from research.memo.gap_messages import DIVERSE_SOURCES
from research.memo.sources import domains_after, new_domains
from research.memo.types import Gap, GapState, ResearchMemo
from research.memo.worker_result import WorkerResult, useful
from research.questions.asking import subject_of
from research.report_type import ReportType
from research.text import detect_language
from research.words import phrases_of

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
    subject, gaps = subject_of(facts.query, facts.language), []
    known = next((gap for gap in facts.waiting if gap.missing_topic == DIVERSE_SOURCES), None)
    count, wanted = domains_after(facts.results, facts.memo), facts.config.min_total_domains
    if count < wanted:
        query = f"{subject} {phrases_of('tasks', facts.language)['search_elsewhere']}".strip()
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
