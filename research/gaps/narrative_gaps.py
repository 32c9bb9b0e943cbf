"""Detect gaps of a narrative: uncovered angles and too few domains."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from research.config import Language, ResearchConfig
from research.gaps.gap_closing import closed, gap_id, topic_evidence
from research.gaps.gap_queries import other_domains_query, topic_query
from research.memo.domain_use import domains_after, evidence_of_new_domains
from research.memo.gap_messages import DIVERSE_SOURCES
from research.memo.types import Gap, ResearchMemo
from research.memo.worker_result import WorkerResult


def narrative_gaps(
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
    gaps += topic_gaps(topics, results, round_index, language)
    # Only the first round opens gaps for angles; later rounds work on those.
    if memo is None:
        gaps += [
            _topic_gap(topic, round_index, query, language)
            for topic in angles
            if not topic_evidence(topic, results, language)
        ]
    return gaps


def topic_gaps(
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
        description="",
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
    """Return the gap for too few domains over all rounds, if there is one."""
    count = domains_after(results, memo)
    known = next((gap for gap in waiting if gap.missing_topic == DIVERSE_SOURCES), None)
    if count >= config.min_total_domains:
        proof = evidence_of_new_domains(results, memo)
        if known is None:
            return []
        return [closed(known, proof, round_index)] if proof else [known]
    gap = Gap(
        gap_type="missing_topic",
        description="",
        have=count,
        wanted=config.min_total_domains,
        priority=2,
        missing_topic=DIVERSE_SOURCES,
        suggested_query=other_domains_query(query, language),
        id=known.id if known else gap_id("missing_topic", topic=DIVERSE_SOURCES),
        opened_round=known.opened_round if known else round_index,
    )
    return [gap]
