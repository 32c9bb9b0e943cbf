"""Join a round: give citation keys, read the sources, then build memo and gaps."""

from __future__ import annotations

from collections.abc import Sequence

from research.gaps.gap_closing import merged_gaps
from research.memo.types import Gap, ResearchMemo
from research.memo.worker_result import Finding, WorkerResult
from research.readers.protocol import Plan
from research.report_type import ReportType
from research.rounds.approved import approved_plan
from research.rounds.memo_building import build_round_memo
from research.rounds.reading import read_round
from research.rounds.source_keys import source_keys
from research.rounds.topics import judged, not_found, open_topics
from research.running.context import RoundContext


def join_round(context: RoundContext, round_index: int) -> None:
    """Read the sources of a round and store everything that it brought."""
    brief, reader, store = context.brief, context.reader, context.store
    rows, stored = store.sources.all(), store.rounds.tasks(round_index)
    texts = {row.key: store.sources.text(row) for row in rows if row.status == "read"}
    keys = source_keys(rows, stored, texts)
    kept = {keys.final.get(key, key): text for key, text in texts.items() if key not in keys.duplicates}
    plan, _ = approved_plan(context)
    previous = store.rounds.memo(round_index - 1)
    reader.log.clear()
    searched = [keys.of(task.result) for task in stored if task.result is not None]
    results = read_round(context, searched, kept, open_topics(plan.aspects, previous), previous)
    first = round_index == 1
    proposed = _proposed(context, plan, results) if first else []
    if reader.judges:
        aspects = plan.aspects if first else ()
        results = judged(results, aspects, proposed, previous, kept, reader.meaning, brief.language)
    memo = build_round_memo(
        brief.query,
        brief.report_type,
        round_index,
        results,
        previous,
        brief.config,
        earlier_results=[
            one.result for one in store.rounds.tasks() if one.round_index < round_index and one.result
        ],
        aspects=plan.aspects,
        meaning=reader.meaning,
    )
    memo.gaps = merged_gaps(memo.gaps, proposed)
    memo.not_found = not_found(memo)
    _take_log(context, memo)
    store.rounds.join(round_index, keys.renamed, keys.duplicates, results, memo)


def _proposed(context: RoundContext, plan: Plan, results: Sequence[WorkerResult]) -> list[Gap]:
    """Return the gaps that the reader proposes for a narrative."""
    if context.brief.report_type is ReportType.CATALOG:
        return []
    findings: dict[str, list[Finding]] = {}
    for result in results:
        findings.setdefault(result.question, []).extend(result.findings)
    return context.reader.gaps(context.brief.asked, plan, findings)


def _take_log(context: RoundContext, memo: ResearchMemo) -> None:
    """Move what the reader dropped in this round from its log to the memo, which survives the process."""
    log = context.reader.log
    memo.unproven += log.unproven
    memo.left_out += [item for item in log.left_out if item not in memo.left_out]
    memo.by_rule += [part for part in log.parts_by_rule if part not in memo.by_rule]
    log.clear()
