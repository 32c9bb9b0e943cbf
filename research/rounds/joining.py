"""Join a round: give citation keys, read the sources, then build memo and gaps."""

from __future__ import annotations

from collections.abc import Sequence

from research.gaps.gap_closing import folded_topic, merged_gaps
from research.memo.gap_messages import DIVERSE_SOURCES
from research.memo.types import Gap, GapState, ResearchMemo
from research.memo.worker_result import Finding, WorkerResult
from research.readers.protocol import Plan
from research.report_type import ReportType
from research.rounds.approved import approved_plan
from research.rounds.judged import with_judged
from research.rounds.memo_building import build_round_memo
from research.rounds.reading import read_round
from research.rounds.source_keys import source_keys
from research.running.context import RoundContext


def join_round(context: RoundContext, round_index: int) -> None:
    """Read the sources of a round and store everything that it brought."""
    rows = context.store.sources.all()
    stored = context.store.rounds.tasks(round_index)
    texts = {row.key: context.store.sources.text(row) for row in rows if row.status == "read"}
    keys = source_keys(rows, stored, texts)
    kept = {keys.final.get(key, key): text for key, text in texts.items() if key not in keys.duplicates}
    previous = context.store.rounds.memo(round_index - 1)
    plan = approved_plan(context)
    context.reader.log.clear()
    results = read_round(
        context,
        [keys.of(task.result) for task in stored if task.result is not None],
        kept,
        _topics(plan.aspects, previous),
        previous,
    )
    earlier = [one.result for one in context.store.rounds.tasks() if one.round_index < round_index and one.result]
    proposed = _proposed(context, round_index, results)
    if context.reader.judges:
        results = with_judged(results, plan.aspects if round_index == 1 else (), proposed, previous, context)
    memo = build_round_memo(
        context.brief.query,
        context.brief.report_type,
        round_index,
        results,
        previous,
        context.brief.config,
        earlier_results=earlier,
        aspects=plan.aspects,
        meaning=context.reader.meaning,
    )
    memo.gaps = merged_gaps(memo.gaps, proposed)
    memo.not_found = _not_found(memo)
    _take_log(context, memo)
    context.store.rounds.join(round_index, keys.renamed, keys.duplicates, results, memo)


def _topics(aspects: Sequence[str], previous: ResearchMemo | None) -> list[str]:
    """Return the plan's aspects and the topics of gaps that may still be closed."""
    known = [gap.missing_topic for gap in previous.gaps if gap.state != GapState.CLOSED] if previous else []
    topics = [topic for topic in [*aspects, *known] if topic and topic != DIVERSE_SOURCES]
    return list({folded_topic(topic): topic for topic in topics}.values())


def _proposed(context: RoundContext, round_index: int, results: Sequence[WorkerResult]) -> list[Gap]:
    """Return the gaps that the reader proposes for a narrative after Round 1."""
    if round_index != 1 or context.brief.report_type is ReportType.CATALOG:
        return []
    plan = approved_plan(context)
    findings: dict[str, list[Finding]] = {}
    for result in results:
        findings.setdefault(result.question, []).extend(result.findings)
    return context.reader.gaps(context.brief.asked, Plan(tuple(plan.questions), tuple(plan.aspects), ""), findings)


def _not_found(memo: ResearchMemo) -> list[str]:
    """Return the memo's topics without a finding, and those of the gaps that are not closed."""
    gaps = [gap.missing_topic for gap in memo.gaps if gap.state != GapState.CLOSED]
    topics = [*memo.not_found, *(topic for topic in gaps if topic and topic != DIVERSE_SOURCES)]
    found = {folded_topic(gap.missing_topic or "") for gap in memo.gaps if gap.state == GapState.CLOSED}
    once = {folded_topic(topic): topic for topic in reversed(topics)}
    return [topic for key, topic in reversed(once.items()) if key not in found]


def _take_log(context: RoundContext, memo: ResearchMemo) -> None:
    """Move what the reader dropped in this round from its log to the memo, which survives the process."""
    log = context.reader.log
    memo.unproven += log.unproven
    memo.left_out += [item for item in log.left_out if item not in memo.left_out]
    memo.by_rule += [part for part in log.parts_by_rule if part not in memo.by_rule]
    log.clear()
