"""Track gaps over the rounds: their ids, the facts of a round, and the evidence that closes them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from research.catalog.candidate_names import folded_name
from research.config import Language, ResearchConfig
from research.memo.types import Gap, GapState, ResearchMemo
from research.memo.worker_result import WorkerResult
from research.text import content_stems
from research.text.stems import fold_accents


@dataclass(frozen=True)
class RoundFacts:
    """What the detection of gaps looks at: a round's results, the memo before it, and the request."""

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
        """Return the gap as one that continues the known one, else as one opened in this round."""
        if known:
            return replace(gap, id=known.id, opened_round=known.opened_round, state=known.state)
        return with_id(replace(gap, opened_round=self.round_index))

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
    told = "\n".join((gap_type, named, folded_topic(topic or "")))
    return f"g_{hashlib.sha256(told.encode('utf-8', 'replace')).hexdigest()[:12]}"


def folded_topic(topic: str) -> str:
    """Return a topic for comparison, without case, accents, and underscores in place of spaces."""
    return fold_accents(" ".join(topic.replace("_", " ").casefold().split()))


def alike(one: str, other: str, language: str, least: float = 0.5) -> bool:
    """Return whether two topics are one: written alike, or with a share of their stems in common."""
    stems, others = set(content_stems(one, language)), set(content_stems(other, language))
    return folded_topic(one) == folded_topic(other) or len(stems & others) >= least * len(stems | others) > 0


def with_id(gap: Gap) -> Gap:
    """Return a copy of the gap with its id."""
    return replace(gap, id=gap.id or gap_id(gap.gap_type, gap.candidate_name, gap.missing_topic))


def merged_gaps(first: Iterable[Gap], others: Iterable[Gap]) -> list[Gap]:
    """Merge both lists by id; a gap of the first precedes and replaces the same gap of the others."""
    merged: dict[str, Gap] = {}
    for gap in [*map(with_id, first), *map(with_id, others)]:
        merged.setdefault(gap.id, gap)
    return list(merged.values())


def topic_evidence(topic: str, results: Iterable[WorkerResult]) -> list[str]:
    """Return the keys of the sources whose findings name the topic among theirs."""
    wanted = folded_topic(topic)
    findings = (finding for result in results for finding in result.findings)
    return list(dict.fromkeys(one.source_key for one in findings if wanted in map(folded_topic, one.topics)))
