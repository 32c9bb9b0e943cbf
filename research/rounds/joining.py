"""Plan a report; join a round: keys of its sources, findings, memo and gaps."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.models import ReportSource
from research.allocation import (
    ResearcherAllocation,
    allocation_of,
    effective_allocation,
    explain_allocation,
    without_unavailable,
)
from research.citations.references import CitationRegistry
from research.document import Reference
from research.gap_detection import merged_gaps
from research.memo import CatalogMemo, Finding, Kind, ResearchMemo, WorkerResult, useful
from research.node_context import RoundContext
from research.questions.asking import asked_of_essays
from research.readers.listing import passages_on
from research.readers.protocol import Plan, ReaderLog, SourceText
from research.readers.reader import read_items
from research.report_type import ReportType
from research.rounds.memo_building import build_round_memo, cover, judge_coverage, not_found, open_topics
from research.storage import StoredTask, is_provisional, reference_of, split_key
from research.text.meaning import NoMeaning, Text, near_duplicates


def join_round(context: RoundContext, round_index: int) -> None:
    """Read the sources of a round and store its results, memo and gaps."""
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
        judge_coverage(results, aspects, proposed, previous, kept, reader.meaning, brief.asked.language)
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

    `texts`: all sources by citation key. `topics`: the aspects and missing topics that findings may cover. A
    finding goes to the task of its question that read the source, else to the first with that question. What is
    missing of known items is looked for in the sources of every round.
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
            # A copy, because similar questions on the essays share their findings.
            next(own, owners[0]).findings.append(replace(finding, topics=[*finding.topics]))
    _settle(worked)
    if brief.asked.report_type is ReportType.CATALOG and read:
        known = previous.candidates if isinstance(previous, CatalogMemo) else []
        worked[0].candidates = read_items(reader, brief.asked, texts if known else read, known)


def _listed(
    context: RoundContext, results: Sequence[WorkerResult], texts: Mapping[str, SourceText], aspects: Sequence[str]
) -> None:
    """Add to results the passages of the round's sources on each aspect, with the aspect as covered topic.

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


# Draw up the plan of a report, and read the approved one from its row.


def drawn_plan(context: RoundContext) -> tuple[dict[str, Any], dict[str, Any], str]:
    """Return plan, allocation (both as stored), and the reasoning for the researchers.

    The reasoning is "" if the reader did not choose the researchers.
    """
    brief = context.brief
    drawn = context.reader.plan(brief.asked, brief.config.max_questions)
    user = brief.allocation or None
    chosen = None if user or drawn.researchers is None else allocation_of(drawn.researchers)
    effective, reasons = without_unavailable(effective_allocation(user, chosen), available_kinds(context))
    plan = {
        "questions": list(drawn.questions),
        "angles": list(drawn.aspects),
        "reasoning": drawn.reasoning,
        "allocation": dict(effective),
    }
    allocation = {
        "user": user,
        "model": None if chosen is None else dict(chosen),
        "effective": dict(effective),
        "notes": [note.to_json() for note in (explain_allocation(user, chosen), *reasons)],
    }
    return plan, allocation, drawn.allocation_reasoning if chosen else ""


def approved_plan(context: RoundContext) -> tuple[Plan, ResearcherAllocation]:
    """Return the plan in the report's row, and its researchers."""
    stored = context.store.progress.plan() or {}
    plan = Plan(tuple(stored["questions"]), tuple(stored.get("angles", ())), "")
    return plan, stored["allocation"]


def available_kinds(context: RoundContext) -> Sequence[Kind]:
    """Return the permitted kinds of researchers that have something to search."""
    in_library = context.store.progress.library_kinds()
    if context.brief.asks_essays and "essay" in in_library:
        return context.brief.kinds
    return [
        kind
        for kind in context.brief.kinds
        if any(provider.name != "library" or kind in in_library for provider in context.providers(kind))
    ]


# Assign citation keys to the sources of tasks, in order of tasks, and detect duplicates.
#
# The result does not depend on the order in which researchers finish. Until a round is joined, or a focused
# research has ended, its sources have provisional keys (task id and number).


_FIGURE = re.compile(r"\d+")


@dataclass(frozen=True)
class SourceKeys:
    """The citation keys for provisional keys."""

    #: Citation key by provisional key, including those of duplicates.
    final: Mapping[str, str]
    #: Provisional keys of sources that are kept under another key.
    duplicates: Sequence[str]

    @property
    def renamed(self) -> dict[str, str]:
        """The keys of the sources that are kept."""
        return {old: new for old, new in self.final.items() if old not in self.duplicates}

    def of(self, result: WorkerResult) -> WorkerResult:
        """Return a result with citation keys, each source once."""
        sources = [replace(entry, key=self.final.get(entry.key, entry.key)) for entry in result.sources]
        return replace(result, sources=list({entry.key: entry for entry in sources}.values()))


def source_keys(
    rows: Sequence[ReportSource],
    stored: Sequence[StoredTask],
    texts: Mapping[str, SourceText],
    cited: Sequence[Reference] = (),
) -> SourceKeys:
    """Return the keys for the new sources among `rows`; a work of `cited`, which has no row, keeps its key.

    A duplicate is the same work as an earlier source, or a copy of its text if `texts` has both.
    """
    read = [row for row in rows if row.status == "read"]
    taken = [row for row in read if not is_provisional(row.key)]
    taken.sort(key=lambda row: (row.round_index, row.key))
    known = {row.key for row in taken}
    registry = CitationRegistry([*map(reference_of, taken), *(one for one in cited if one.key not in known)])
    order = [task.task.task_id for task in stored]
    new = [row for row in read if is_provisional(row.key) and row.task_id in order]
    new.sort(key=lambda row: (order.index(row.task_id or ""), split_key(row.key)))
    copies = _copies([row.key for row in [*taken, *new] if row.key in texts], texts)
    final: dict[str, str] = {}
    duplicates = []
    for row in new:
        first = copies.get(row.key)
        final[row.key] = key = registry.add(reference_of(row)) if first is None else final.get(first, first)
        if key in known:
            duplicates.append(row.key)
        known.add(key)
    return SourceKeys(final, duplicates)


def _copies(keys: Sequence[str], texts: Mapping[str, SourceText]) -> dict[str, str]:
    """Return {later source: first source} for texts that are nearly the same and have the same figures."""
    # Compare only words: a whole text is too long for an embedder.
    pairs = near_duplicates([Text(texts[key].text, texts[key].language) for key in keys], NoMeaning())
    figures = [set(_FIGURE.findall(texts[key].text)) for key in keys]
    found: dict[str, str] = {}
    for one, other in pairs:
        if figures[one] == figures[other]:
            found.setdefault(keys[other], found.get(keys[one], keys[one]))
    return found
