"""Detect what is still to be found out after a round; a pure function of results and memo."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from research.config import ResearchConfig
from research.gaps.catalog_gaps import catalog_gaps
from research.gaps.gap_closing import RoundFacts, given_up, with_id
from research.gaps.narrative_gaps import narrative_gaps
from research.memo.types import Gap, GapState, ResearchMemo
from research.memo.worker_result import WorkerResult, useful
from research.report_type import ReportType
from research.text import detect_language

__all__ = ["MAX_OPEN", "QUOTAS", "detect_gaps", "shown_gaps"]

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
    the first memo; the default is the results' questions and no aspects. An open gap of the memo keeps its id
    until evidence closes it, or until a researcher searched for it in vain in Round 2 or 3: then it is unfillable.
    """
    results = useful(worker_results)
    asked = query or (previous_memo.query if previous_memo else "")
    asked = asked or " ".join(dict.fromkeys(result.question for result in results))
    language = detect_language(asked) if asked.strip() else config.language
    known = [with_id(gap) for gap in previous_memo.gaps] if previous_memo else []
    settled = [gap for gap in known if gap.state == GapState.CLOSED]
    waiting = [gap for gap in known if gap.state != GapState.CLOSED]
    hopeless = {gap.id for gap in known if gap.state == GapState.UNFILLABLE}
    facts = RoundFacts(round_index, results, previous_memo, config, asked, language, waiting)
    is_catalog = ReportType(report_type) is ReportType.CATALOG
    found = [
        gap if gap.state == GapState.CLOSED else given_up(gap, results, round_index, hopeless)
        for gap in _distinct(catalog_gaps(facts) if is_catalog else narrative_gaps(facts, aspects), settled)
    ]
    still_open = shown_gaps([gap for gap in found if gap.state == GapState.OPEN])
    return [*still_open, *(gap for gap in found if gap.state != GapState.OPEN), *settled]


def shown_gaps(gaps: Sequence[Gap]) -> list[Gap]:
    """Return at most `MAX_OPEN` gaps by priority, filling each type's quota first."""
    ranked = sorted(gaps, key=lambda gap: gap.priority)
    left = dict(QUOTAS)
    first: list[Gap] = []
    others: list[Gap] = []
    for gap in ranked:
        within = left.get(gap.gap_type, 1) > 0
        left[gap.gap_type] = left.get(gap.gap_type, 1) - 1
        (first if within else others).append(gap)
    chosen = {id(gap) for gap in (first + others)[:MAX_OPEN]}
    return [gap for gap in ranked if id(gap) in chosen]


def _distinct(gaps: Iterable[Gap], settled: Iterable[Gap]) -> list[Gap]:
    """Return each gap once by id; one that was closed before and is found again gets a new id."""
    ended = {gap.id for gap in settled}
    taken = set(ended)
    kept = []
    for gap in gaps:
        one = gap if gap.id not in ended else replace(gap, id=f"{gap.id}_{gap.opened_round}")
        if one.id not in taken:
            taken.add(one.id)
            kept.append(one)
    return kept
