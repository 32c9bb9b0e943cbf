"""What findings cover according to a reader that judges them, beside what their words and meaning show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from research.gaps.gap_closing import alike, folded_topic
from research.meaning import Text, rank_texts
from research.memo.types import Gap, ResearchMemo
from research.memo.worker_result import Finding, WorkerResult
from research.running.context import RoundContext


def with_judged(
    results: Sequence[WorkerResult],
    aspects: Iterable[str],
    proposed: Sequence[Gap],
    previous: ResearchMemo | None,
    context: RoundContext,
) -> list[WorkerResult]:
    """Return the results with the topics that the reader holds to be covered.

    An aspect of the plan that no proposed gap names is covered by the finding nearest to it. A finding of a task
    that was to close a gap covers the gap's topic, since it was judged to answer the task's question.
    """
    language = context.brief.language
    lacking = [gap.missing_topic for gap in proposed if gap.missing_topic]
    covered = [aspect for aspect in aspects if not any(alike(aspect, topic, language) for topic in lacking)]
    topics = {gap.id: gap.missing_topic for gap in previous.gaps if gap.missing_topic} if previous else {}
    told = [_with_gaps(result, topics) for result in results]
    for aspect in covered:
        told = _with_aspect(told, aspect, context)
    return told


def _with_gaps(result: WorkerResult, topics: dict[str, str]) -> WorkerResult:
    own = [topics[one] for one in (result.gap_id, *result.other_gaps) if one in topics]
    return replace(result, findings=[_with(finding, own) for finding in result.findings])


def _with_aspect(results: Sequence[WorkerResult], aspect: str, context: RoundContext) -> list[WorkerResult]:
    findings = [finding for result in results for finding in result.findings]
    if not findings or any(_has(finding, aspect) for finding in findings):
        return list(results)
    texts = [Text(finding.quote, context.brief.language) for finding in findings]
    scores = rank_texts(aspect, texts, context.reader.meaning)
    nearest = findings[max(range(len(scores)), key=scores.__getitem__)]
    return [
        replace(one, findings=[_with(f, [aspect]) if f is nearest else f for f in one.findings]) for one in results
    ]


def _with(finding: Finding, topics: Sequence[str]) -> Finding:
    return replace(finding, topics=[*finding.topics, *(topic for topic in topics if not _has(finding, topic))])


def _has(finding: Finding, topic: str) -> bool:
    return folded_topic(topic) in map(folded_topic, finding.topics)
