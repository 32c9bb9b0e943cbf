"""Join a round: assign citation keys in order of tasks, merge duplicates, then build candidates, memo and gaps.

The result does not depend on the order in which researchers finish. Until a round is joined, its sources have
provisional keys: the task's id and a number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.errors import ModelError
from research.citations import CitationRegistry, verify_quote
from research.gaps.gap_closing import merged_gaps
from research.material import SourceText
from research.memo.types import Gap, ResearchMemo
from research.memo.worker_result import Finding, WorkerResult
from research.readers.model.gap_proposals import propose_gaps
from research.report_type import ReportType
from research.rounds.approved import approved_plan
from research.rounds.candidates import with_candidates
from research.rounds.memo_building import build_round_memo
from research.running.context import RoundContext
from research.storage.rounds import JoinedRound, StoredTask
from research.storage.sources import StoredSource, is_provisional, place_of


@dataclass(frozen=True)
class _Keys:
    """The citation keys for a round's provisional keys."""

    #: Citation key by provisional key, including those of duplicates.
    final: Mapping[str, str]
    duplicates: Sequence[str]


def joined_round(context: RoundContext, round_index: int) -> JoinedRound:
    """Return everything that is stored at the end of a round."""
    rows = context.store.sources.all()
    stored = context.store.rounds.tasks(round_index)
    keys = _keys(rows, stored)
    kept = {keys.final.get(row.key, row.key): row for row in rows if row.key not in keys.duplicates}
    texts = {key: context.store.sources.text(row) for key, row in kept.items() if row.status == "read"}
    previous = context.store.rounds.memo(round_index - 1)
    results = [
        with_candidates(context, _joined(task.result, keys, texts), texts, previous)
        for task in stored
        if task.result is not None
    ]
    before = [one.result for one in context.store.rounds.tasks() if one.round_index < round_index]
    memo = build_round_memo(
        context.brief.query,
        context.brief.report_type,
        round_index,
        results,
        previous,
        context.brief.config,
        earlier_results=[result for result in before if result is not None],
        angles=approved_plan(context).angles or None,
    )
    memo.gaps = _with_proposed(context, memo, results)
    renamed = {old: new for old, new in keys.final.items() if old not in keys.duplicates}
    return JoinedRound(round_index, renamed, keys.duplicates, results, memo, memo.gaps)


def _with_proposed(context: RoundContext, memo: ResearchMemo, results: Sequence[WorkerResult]) -> list[Gap]:
    """Return the gaps found by rule and, for a narrative after Round 1, those that a model proposes."""
    if context.model is None or memo.round_index != 1 or memo.report_type == ReportType.CATALOG:
        return memo.gaps
    notes = "\n\n".join(result.notes for result in results if result.notes)
    try:
        return merged_gaps(memo.gaps, propose_gaps(memo.query, memo.report_type, notes, context.model))
    except ModelError:
        # Keep the gaps found by rule; the failed call is reported with the report's costs.
        return memo.gaps


def _keys(rows: Sequence[StoredSource], stored: Sequence[StoredTask]) -> _Keys:
    taken = [row for row in rows if row.status == "read" and not is_provisional(row.key)]
    taken.sort(key=lambda row: (row.round_index, row.key))
    registry = CitationRegistry(row.reference for row in taken)
    order = {task.task.task_id: place for place, task in enumerate(stored)}
    new = [row for row in rows if row.status == "read" and is_provisional(row.key)]
    new.sort(key=lambda row: (order.get(row.task_id or "", len(order)), place_of(row.key)))
    known = {row.key for row in taken}
    final: dict[str, str] = {}
    duplicates = []
    for row in new:
        final[row.key] = key = registry.add(row.reference)
        if key in known:
            duplicates.append(row.key)
        known.add(key)
    return _Keys(final, duplicates)


def _joined(result: WorkerResult, keys: _Keys, texts: Mapping[str, SourceText]) -> WorkerResult:
    findings = [found for finding in result.findings if (found := _rekeyed(finding, keys, texts)) is not None]
    sources = [replace(entry, key=keys.final.get(entry.key, entry.key)) for entry in result.sources]
    return replace(result, findings=findings, sources=sources, notes=_renamed_notes(result.notes, keys))


def _rekeyed(finding: Finding, keys: _Keys, texts: Mapping[str, SourceText]) -> Finding | None:
    """Return the finding under its citation key, or None if the copy of the source that was kept lacks it."""
    key = keys.final.get(finding.source_key, finding.source_key)
    moved = replace(finding, source_key=key)
    text = texts[key].text
    if text[finding.start_char : finding.end_char] == finding.quote:
        return moved
    verdict = verify_quote(finding.quote, key, {key: text})
    if verdict.status != "verified" or verdict.start is None or verdict.end is None:
        return None
    return replace(moved, quote=text[verdict.start : verdict.end], start_char=verdict.start, end_char=verdict.end)


def _renamed_notes(notes: str, keys: _Keys) -> str:
    for old, new in keys.final.items():
        notes = notes.replace(f"[{old}]", f"[{new}]")
    return notes
