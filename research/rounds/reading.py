"""Read the sources of a round: findings for its questions, with the topics that they cover, and catalog items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from research.material import SourceText
from research.memo import CatalogMemo, ResearchMemo
from research.memo.worker_result import Finding, WorkerResult, useful
from research.questions.asking import asked_of_essays
from research.readers.item_reading import read_items
from research.report_type import ReportType
from research.rounds.topics import covered
from research.running.context import RoundContext


def read_round(
    context: RoundContext,
    results: Sequence[WorkerResult],
    texts: Mapping[str, SourceText],
    topics: Sequence[str],
    previous: ResearchMemo | None,
) -> list[WorkerResult]:
    """Return the results with findings and candidates from all sources of the round.

    `texts`: of all sources, by citation key. `topics`: the aspects and missing topics that findings may cover.
    A finding goes to the task of its question that read the source, else to the first with that question.
    """
    brief, worked = context.brief, useful(results)
    read = {entry.key: texts[entry.key] for one in worked for entry in one.sources if entry.key in texts}
    wanted = {one.question: asked_of_essays(one.question) if brief.asks_essays else one.question for one in worked}
    found = context.reader.findings(brief.asked, list(dict.fromkeys(wanted.values())), read) if read else {}
    every = [(asked, finding) for asked, findings in found.items() for finding in findings]
    told = covered([finding for _, finding in every], topics, texts, context.reader.meaning, brief.query)
    shares = {result.task_id: list[Finding]() for result in worked}
    for question, asked in wanted.items():
        owners = [result for result in worked if result.question == question]
        for (of, _), finding in zip(every, told, strict=True):
            if of == asked:
                shares[_owner(owners, finding).task_id].append(finding)
    filled = [_with(result, shares[result.task_id]) if result in worked else result for result in results]
    if brief.report_type is ReportType.CATALOG and read:
        known = [candidate.name for candidate in previous.candidates] if isinstance(previous, CatalogMemo) else []
        items = read_items(context.reader, brief.asked, read, known)
        place = filled.index(next(result for result in filled if result.status != "failed"))
        filled[place] = replace(filled[place], candidates=items)
    return filled


def _owner(results: Sequence[WorkerResult], finding: Finding) -> WorkerResult:
    own = (result for result in results if finding.source_key in {entry.key for entry in result.sources})
    return next(own, results[0])


def _with(result: WorkerResult, findings: list[Finding]) -> WorkerResult:
    return replace(result, status="done" if findings else "nothing_found", findings=findings)
