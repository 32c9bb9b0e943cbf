"""Track gaps over the rounds: their ids and the evidence that closes them."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from research.catalog.candidate_names import folded_name
from research.memo.types import Gap, GapState
from research.memo.worker_result import Finding, WorkerResult
from research.questions.angles import covers, names_angle
from research.text.stems import fold_accents


def gap_id(gap_type: str, candidate_name: str | None = None, topic: str | None = None) -> str:
    """Return an id that is the same in every round for the same type, candidate and topic, however written.

    A candidate has one gap per type, because its fields may be filled one by one.
    """
    told = fold_accents(" ".join((topic or "").replace("_", " ").casefold().split()))
    named = folded_name(candidate_name) if candidate_name else ""
    digest = hashlib.sha256("\n".join((gap_type, named, told)).encode("utf-8", "replace")).hexdigest()
    return f"g_{digest[:12]}"


def with_id(gap: Gap) -> Gap:
    """Return a copy of the gap with its id."""
    return replace(gap, id=gap.id or gap_id(gap.gap_type, gap.candidate_name, gap.missing_topic))


def merged_gaps(by_rule: Iterable[Gap], proposed: Iterable[Gap]) -> list[Gap]:
    """Merge both lists by id; a gap found by rule precedes a proposed one."""
    merged: dict[str, Gap] = {}
    for gap in [*map(with_id, by_rule), *map(with_id, proposed)]:
        merged.setdefault(gap.id, gap)
    return list(merged.values())


def closed(gap: Gap, evidence_ids: Iterable[str], round_index: int) -> Gap:
    """Return the gap, closed by its evidence. Raises ValueError without evidence."""
    ids = list(dict.fromkeys(one for one in evidence_ids if one))
    return replace(gap, state=GapState.CLOSED, evidence_ids=ids, closed_round=round_index)


def given_up(gap: Gap, results: Sequence[WorkerResult], round_index: int, before: Collection[str] = ()) -> Gap:
    """Return the gap: unfillable if a researcher searched for it in Round 2 or later and it is still open.

    Failed tasks do not count. `before`: ids of gaps given up in earlier rounds.
    """
    looked = round_index > 1 and any(result.gap_id == gap.id for result in results)
    state = GapState.UNFILLABLE if looked or gap.id in before else GapState.OPEN
    return replace(gap, state=state)


def topic_evidence(topic: str, results: Iterable[WorkerResult], language: str) -> list[str]:
    """Return ids of the sources whose findings cover a topic."""
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
    """Return the key or URL of the result's only read source, or "" if there are several."""
    read = [source for source in result.sources if source.has_evidence]
    return (read[0].key or read[0].url) if len(read) == 1 else ""
