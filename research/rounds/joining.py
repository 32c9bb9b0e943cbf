"""Join a round: give citation keys, read the sources, then build memo and gaps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from research.gaps.gap_closing import merged_gaps
from research.material import SourceText
from research.memo import CatalogMemo, ResearchMemo
from research.memo.worker_result import Finding, WorkerResult, useful
from research.questions.asking import asked_of_essays
from research.readers.item_reading import read_items
from research.readers.listing import passages_on
from research.readers.protocol import ReaderLog
from research.report_type import ReportType
from research.rounds.approved import approved_plan
from research.rounds.memo_building import build_round_memo
from research.rounds.source_keys import source_keys
from research.rounds.topics import cover, judge, not_found, open_topics
from research.running.context import RoundContext


def join_round(context: RoundContext, round_index: int) -> None:
    """Read the sources of a round and store everything that it brought."""
    brief, reader, store = context.brief, context.reader, context.store
    rows, tasks = store.sources.all(), store.rounds.tasks()
    stored = [task for task in tasks if task.round_index == round_index]
    texts = store.sources.texts(rows)
    keys = source_keys(rows, stored, texts)
    kept = {keys.final.get(key, key): text for key, text in texts.items() if key not in keys.duplicates}
    plan, _ = approved_plan(context)
    previous = store.rounds.memo(round_index - 1)
    log = reader.log = ReaderLog()
    results = [keys.of(task.result) for task in stored if task.result is not None]
    if reader.judges:
        _read(context, results, kept, open_topics(plan.aspects, previous), previous)
    else:
        _listed(context, results, kept, plan.aspects)
    proposed = []
    is_narrative = brief.asked.report_type is ReportType.NARRATIVE
    if round_index == 1 and is_narrative:
        findings: dict[str, list[Finding]] = {}
        for result in results:
            findings.setdefault(result.question, []).extend(result.findings)
        proposed = reader.gaps(brief.asked, plan, findings)
    if is_narrative and reader.judges:
        aspects = plan.aspects if round_index == 1 else ()
        judge(results, aspects, proposed, previous, kept, reader.meaning, brief.asked.language)
    memo = build_round_memo(
        brief.asked.query,
        brief.asked.report_type,
        round_index,
        results,
        previous,
        brief.config,
        earlier_results=[one.result for one in tasks if one.round_index < round_index and one.result],
        aspects=plan.aspects,
        meaning=reader.meaning,
        verifies=reader.judges,
    )
    memo.gaps = merged_gaps(memo.gaps, proposed, brief.asked.language)
    memo.not_found = not_found(memo)
    # What the reader dropped in this round is kept in the memo, which survives the process.
    memo.unproven += log.unproven
    memo.left_out = list(dict.fromkeys([*memo.left_out, *log.left_out]))
    memo.unread = list(dict.fromkeys([*memo.unread, *log.unread_parts]))
    store.rounds.join(keys.renamed, keys.duplicates, results, memo)


def _read(
    context: RoundContext,
    results: Sequence[WorkerResult],
    texts: Mapping[str, SourceText],
    topics: Sequence[str],
    previous: ResearchMemo | None,
) -> None:
    """Add to results the findings and candidates from all sources of the round.

    `texts`: of all sources, by citation key. `topics`: the aspects and missing topics that findings may cover.
    A finding goes to the task of its question that read the source, else to the first with that question.
    """
    brief, reader, worked = context.brief, context.reader, useful(results)
    read = {entry.key: texts[entry.key] for one in worked for entry in one.sources if entry.key in texts}
    wanted = {one.question: asked_of_essays(one.question) if brief.asks_essays else one.question for one in worked}
    found = reader.findings(brief.asked, list(dict.fromkeys(wanted.values())), read) if read else {}
    every = [finding for findings in found.values() for finding in findings]
    cover(every, topics, texts, reader.meaning, brief.asked.query)
    for question, asked in wanted.items():
        owners = [result for result in worked if result.question == question]
        for finding in found.get(asked, ()):
            own = (one for one in owners if finding.source_key in {entry.key for entry in one.sources})
            # A copy, because questions that ask the essays alike share their findings.
            next(own, owners[0]).findings.append(replace(finding, topics=[*finding.topics]))
    _settle(worked)
    if brief.asked.report_type is ReportType.CATALOG and read:
        known = previous.candidates if isinstance(previous, CatalogMemo) else []
        worked[0].candidates = read_items(reader, brief.asked, read, known)


def _listed(
    context: RoundContext, results: Sequence[WorkerResult], texts: Mapping[str, SourceText], aspects: Sequence[str]
) -> None:
    """Add to results the passages of the round's sources on each aspect, which they cover.

    A passage goes to the first task that read its source.
    """
    brief, worked = context.brief, useful(results)
    owner = {entry.key: one for one in reversed(worked) for entry in one.sources if entry.key in texts}
    read = {key: text for key, text in texts.items() if key in owner}
    for found in passages_on(aspects, brief.asked, read, context.reader.meaning, asks_essays=brief.asks_essays):
        owner[found.source_key].findings.append(found)
    _settle(worked)


def _settle(results: Sequence[WorkerResult]) -> None:
    for result in results:
        result.status = "done" if result.findings else "nothing_found"
