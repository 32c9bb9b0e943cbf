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

#: Least share of stems that two topics have in common of which one gap is enough.
_SAME_TOPIC = 0.75


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
    told = "\n".join((gap_type, named, folded_topic(topic or "")))
    return f"g_{hashlib.sha256(told.encode('utf-8', 'replace')).hexdigest()[:12]}"


def folded_topic(topic: str) -> str:
    """Return a topic for comparison, without case, accents, and underscores in place of spaces."""
    return fold_accents(" ".join(topic.replace("_", " ").casefold().split()))


def alike(one: str, other: str, language: str, least: float = 0.5) -> bool:
    """Return whether two topics are one: written alike, or with a share of their stems in common."""
    stems, others = set(content_stems(one, language)), set(content_stems(other, language))
    return folded_topic(one) == folded_topic(other) or len(stems & others) >= least * len(stems | others) > 0


def merged_gaps(known: Sequence[Gap], proposed: Iterable[Gap], language: str) -> list[Gap]:
    """Return the known gaps and the proposed topics that are not nearly one of theirs."""
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
