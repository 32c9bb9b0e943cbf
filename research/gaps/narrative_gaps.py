"""Detect gaps of a narrative: aspects that no finding covers, and too few domains."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from research.gaps.gap_closing import closed, gap_id, topic_evidence
from research.gaps.gap_queries import other_domains_query, topic_query
from research.gaps.round_facts import RoundFacts
from research.memo.gap_messages import DIVERSE_SOURCES
from research.memo.sources import domains_after, evidence_of_new_domains
from research.memo.types import Gap


def narrative_gaps(facts: RoundFacts, aspects: Sequence[str]) -> list[Gap]:
    """Return known gaps, updated; in Round 1 also one per aspect without evidence."""
    gaps = _diversity(facts) + topic_gaps(facts)
    if facts.memo is not None:
        return gaps
    return gaps + [_topic_gap(topic, facts) for topic in aspects if not topic_evidence(topic, facts.results)]


def topic_gaps(facts: RoundFacts) -> list[Gap]:
    """Return the known gaps of topics; one that a finding covers is closed."""
    topics = [gap for gap in facts.waiting if gap.missing_topic not in (None, DIVERSE_SOURCES)]
    return [_closed_by(gap, topic_evidence(gap.missing_topic or "", facts.results), facts) for gap in topics]


def _closed_by(gap: Gap, evidence: Iterable[str], facts: RoundFacts) -> Gap:
    found = list(evidence)
    return closed(gap, [*gap.evidence_ids, *found], facts.round_index) if found else gap


def _topic_gap(topic: str, facts: RoundFacts) -> Gap:
    return Gap(
        gap_type="missing_topic",
        description="",
        priority=2,
        missing_topic=topic,
        suggested_query=topic_query(facts.query, topic, facts.language),
        id=gap_id("missing_topic", topic=topic),
        opened_round=facts.round_index,
    )


def _diversity(facts: RoundFacts) -> list[Gap]:
    """Return the gap for too few domains over all rounds, if there is one."""
    count = domains_after(facts.results, facts.memo)
    known = next((gap for gap in facts.waiting if gap.missing_topic == DIVERSE_SOURCES), None)
    if count >= facts.config.min_total_domains:
        return (
            [] if known is None else [_closed_by(known, evidence_of_new_domains(facts.results, facts.memo), facts)]
        )
    gap = Gap(
        gap_type="missing_topic",
        description="",
        have=count,
        wanted=facts.config.min_total_domains,
        priority=2,
        missing_topic=DIVERSE_SOURCES,
        suggested_query=other_domains_query(facts.query, facts.language),
        id=known.id if known else gap_id("missing_topic", topic=DIVERSE_SOURCES),
        opened_round=known.opened_round if known else facts.round_index,
    )
    return [gap]
