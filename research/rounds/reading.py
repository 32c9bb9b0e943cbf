"""Read the sources of a round: findings for its questions, catalog items, and the topics that findings cover."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from research.material import SourceText
from research.meaning import Text, covering
from research.memo import CatalogMemo, ResearchMemo
from research.memo.worker_result import Finding, WorkerResult, useful
from research.questions.asks_essays import asked_of_essays
from research.readers.item_reading import read_items
from research.report_type import ReportType
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
    asked, worked = context.brief.asked, useful(results)
    read = {entry.key: texts[entry.key] for one in worked for entry in one.sources if entry.key in texts}
    questions = {result.question: _for_reader(context, result.question) for result in worked}
    found = context.reader.findings(asked, list(dict.fromkeys(questions.values())), read) if read else {}
    covered = _covered(context, [finding for one in found.values() for finding in one], texts, topics)
    shares = {result.task_id: list[Finding]() for result in worked}
    for question, wanted in questions.items():
        owners = [result for result in worked if result.question == question]
        for finding in found.get(wanted, ()):
            shares[_owner(owners, finding).task_id].append(covered[id(finding)])
    filled = [_with(result, shares[result.task_id]) if result in worked else result for result in results]
    if context.brief.report_type is ReportType.CATALOG and read:
        known = [candidate.name for candidate in previous.candidates] if isinstance(previous, CatalogMemo) else []
        items = read_items(context.reader, asked, read, known)
        place = filled.index(next(result for result in filled if result.status != "failed"))
        filled[place] = replace(filled[place], candidates=items)
    return filled


def _for_reader(context: RoundContext, question: str) -> str:
    return asked_of_essays(question) if context.brief.asks_essays else question


def _covered(
    context: RoundContext, findings: Sequence[Finding], texts: Mapping[str, SourceText], topics: Sequence[str]
) -> dict[int, Finding]:
    """Return each finding, by identity, with the topics that it covers."""
    told = [Text(finding.quote, texts[finding.source_key].language) for finding in findings]
    places = covering(topics, told, context.reader.meaning, context.brief.query)
    return {
        id(finding): replace(finding, topics=[topic for topic, at in zip(topics, places, strict=True) if n in at])
        for n, finding in enumerate(findings)
    }


def _owner(results: Sequence[WorkerResult], finding: Finding) -> WorkerResult:
    keys = ((result, {entry.key for entry in result.sources}) for result in results)
    return next((result for result, own in keys if finding.source_key in own), results[0])


def _with(result: WorkerResult, findings: Sequence[Finding]) -> WorkerResult:
    return replace(
        result,
        status="done" if findings else "nothing_found",
        findings=list(findings),
        topics=_once(topic for finding in findings for topic in finding.topics),
    )


def _once(topics: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(topics))
