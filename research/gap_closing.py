"""Gaps over the rounds: who they are, and what closes them."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from research.angles import covers, names_angle
from research.candidate_names import folded_name
from research.memo_types import Gap, GapState
from research.text.stems import fold_accents
from research.worker_result import Finding, WorkerResult


def gap_id(gap_type: str, candidate_name: str | None = None, topic: str | None = None) -> str:
    """The same in every round for the same type, candidate and topic, however these are written.

    A candidate has one gap of a type: its fields may be filled one after the other.
    """
    told = fold_accents(" ".join((topic or "").replace("_", " ").casefold().split()))
    named = folded_name(candidate_name) if candidate_name else ""
    digest = hashlib.sha256("\n".join((gap_type, named, told)).encode("utf-8", "replace")).hexdigest()
    return f"g_{digest[:12]}"


def with_id(gap: Gap) -> Gap:
    """The gap with its id, a copy."""
    return replace(gap, id=gap.id or gap_id(gap.gap_type, gap.candidate_name, gap.missing_topic))


def closed(gap: Gap, evidence_ids: Iterable[str], round_index: int) -> Gap:
    """The gap, closed by its evidence. Raises ValueError where there is none."""
    ids = list(dict.fromkeys(one for one in evidence_ids if one))
    return replace(gap, state=GapState.CLOSED, evidence_ids=ids, closed_round=round_index)


def given_up(gap: Gap, results: Sequence[WorkerResult], round_index: int, before: Collection[str] = ()) -> Gap:
    """The gap, unfillable if a researcher looked for it in Round 2 or later and it still stands open.

    A failed task did not look. `before` are ids of gaps that were given up in an earlier round.
    """
    looked = round_index > 1 and any(result.gap_id == gap.id for result in results)
    state = GapState.UNFILLABLE if looked or gap.id in before else GapState.OPEN
    return replace(gap, state=state)


def topic_evidence(topic: str, results: Iterable[WorkerResult], language: str) -> list[str]:
    """Ids of the sources whose findings cover a topic; empty where none does."""
    ids: dict[str, None] = {}
    for result in results:
        ids |= dict.fromkeys(
            finding.source_key or _address(result)
            for finding in result.findings
            if _is_on(topic, finding, language)
        )
        if names_angle(result.topics, topic):
            ids |= dict.fromkeys(source.key or source.url for source in result.sources if source.has_evidence)
    return [one for one in ids if one]


def _is_on(topic: str, finding: Finding, language: str) -> bool:
    return bool(finding.quote.strip()) and (
        names_angle(finding.topics, topic) or covers(topic, finding.quote, language)
    )


def _address(result: WorkerResult) -> str:
    """Of the only source that a finding without a key can stand in."""
    read = [source for source in result.sources if source.has_evidence]
    return (read[0].key or read[0].url) if len(read) == 1 else ""
