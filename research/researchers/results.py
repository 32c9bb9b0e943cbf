"""Build a researcher's result, which distinguishes a failure from finding nothing."""

from __future__ import annotations

from collections.abc import Sequence

from research.material import SourceText
from research.memo import SourceEntry
from research.memo.worker_result import Finding, WorkerResult
from research.plan.planning import PlannedTask
from research.questions.asks_essays import asked_of_essays
from research.readers.rules.findings import read_for
from research.researchers.relevance import relevance_of
from research.running.context import RoundContext
from research.running.state import ResearcherState
from research.storage.sources import StoredSource

#: Most lines in the notes for a planning model.
_NOTES = 8


def result_of(context: RoundContext, task: PlannedTask, state: ResearcherState) -> WorkerResult:
    """Return the findings from all sources read for the task."""
    own = context.store.sources.of_task(task.task_id)
    earlier = context.store.sources.before(state["round_index"])
    known = [source for source in earlier if source.key in state["known"]]
    read = [*known, *(source for source in own if source.status == "read")]
    texts = {source.key: context.store.sources.text(source) for source in read}
    question = asked_of_essays(task.question) if context.brief.asks_essays else task.question
    findings = read_for(question, texts)
    failed = _all_failed(context, state, own, read)
    return WorkerResult(
        task_id=task.task_id,
        kind=task.kind,
        question=task.question,
        queries=state["queries"],
        status="failed" if failed else "done" if findings else "nothing_found",
        error_code=failed,
        sources=[_entry(source, texts, findings) for source in [*known, *own] if not source.is_provider],
        findings=findings,
        topics=list(dict.fromkeys(topic for finding in findings for topic in finding.topics)),
        notes="\n".join(f"- {finding.quote} [{finding.source_key}]" for finding in findings[:_NOTES]),
        gap_id=task.gap_id,
        new_domains=_new_domains(read, earlier),
    )


def _all_failed(
    context: RoundContext, state: ResearcherState, own: Sequence[StoredSource], read: Sequence[StoredSource]
) -> str | None:
    """Return the error code if the task had only failures, else None."""
    if read:
        return None
    if context.budget.exhausted is not None and not own:
        return "budget_spent"
    codes = [source.error_code for source in own if source.error_code and not source.is_provider]
    if codes:
        return codes[0]
    # Without hits, the task counts as failed if any provider's search failed.
    return state["failures"][0].partition(":")[2] if state["failures"] and not state["hits"] else None


def _entry(source: StoredSource, texts: dict[str, SourceText], findings: Sequence[Finding]) -> SourceEntry:
    quotes = [finding.quote for finding in findings if finding.source_key == source.key]
    return SourceEntry(
        url=source.reference.url or "",
        domain=source.domain,
        title=source.reference.title,
        has_evidence=source.key in texts,
        relevance=relevance_of(source.reference.title, quotes, source.language),
        key=source.key,
    )


def _new_domains(read: Sequence[StoredSource], earlier: Sequence[StoredSource]) -> list[str]:
    used = {source.domain for source in earlier}
    return list(dict.fromkeys(source.domain for source in read if source.domain not in used))
