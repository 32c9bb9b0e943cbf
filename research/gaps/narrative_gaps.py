"""Detect gaps of a narrative: aspects that no finding covers, and too few domains."""

from __future__ import annotations

from collections.abc import Sequence

from research.gaps.gap_closing import RoundFacts, topic_evidence
from research.memo.gap_messages import DIVERSE_SOURCES
from research.memo.sources import domains_after, evidence_of_new_domains
from research.memo.types import Gap
from research.questions.asking import subject_of
from research.words import phrases_of


def narrative_gaps(facts: RoundFacts, aspects: Sequence[str]) -> list[Gap]:
    """Return known gaps, updated; in Round 1 also one per aspect without evidence."""
    gaps = _diversity(facts) + topic_gaps(facts)
    if facts.memo is not None:
        return gaps
    return gaps + [_topic_gap(topic, facts) for topic in aspects if not topic_evidence(topic, facts.results)]


def topic_gaps(facts: RoundFacts) -> list[Gap]:
    """Return the known gaps of topics; one that a finding covers is closed."""
    topics = [gap for gap in facts.waiting if gap.missing_topic not in (None, DIVERSE_SOURCES)]
    return [facts.closed(gap, topic_evidence(gap.missing_topic or "", facts.results)) for gap in topics]


def _topic_gap(topic: str, facts: RoundFacts) -> Gap:
    subject, named = subject_of(facts.query, facts.language), topic.replace("_", " ")
    query = subject if named.casefold() in subject.casefold() else f"{named} {subject}".strip()
    return facts.opened(Gap("missing_topic", "", 2, missing_topic=topic, suggested_query=query))


def _diversity(facts: RoundFacts) -> list[Gap]:
    """Return the gap for too few domains over all rounds, if there is one."""
    count, wanted = domains_after(facts.results, facts.memo), facts.config.min_total_domains
    known = next((gap for gap in facts.waiting if gap.missing_topic == DIVERSE_SOURCES), None)
    if count >= wanted:
        return [facts.closed(known, evidence_of_new_domains(facts.results, facts.memo))] if known else []
    words = phrases_of("tasks", facts.language)["search_elsewhere"]
    query = f"{subject_of(facts.query, facts.language)} {words}".strip()
    gap = Gap(
        "missing_topic", "", 2, missing_topic=DIVERSE_SOURCES, suggested_query=query, have=count, wanted=wanted
    )
    return [facts.opened(gap, known)]
