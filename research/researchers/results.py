"""Build a researcher's result, which distinguishes a failure from finding nothing."""

from __future__ import annotations

from collections.abc import Sequence

from research.memo import SourceEntry
from research.memo.worker_result import WorkerResult
from research.plan.planned_task import PlannedTask
from research.researchers.relevance import relevance_of
from research.running.context import RoundContext
from research.running.state import ResearcherState
from research.storage.sources import StoredSource


def result_of(context: RoundContext, task: PlannedTask, state: ResearcherState) -> WorkerResult:
    """Return the sources read for the task; it is read for findings when the round is joined."""
    own = context.store.sources.of_task(task.task_id)
    earlier = context.store.sources.before(state["round_index"])
    known = [source for source in earlier if source.key in state["known"]]
    read = [*known, *(source for source in own if source.status == "read")]
    failed = _all_failed(context, state, own, read)
    return WorkerResult(
        task_id=task.task_id,
        kind=task.kind,
        question=task.question,
        queries=list(task.queries),
        status="failed" if failed else "done" if read else "nothing_found",
        error_code=failed,
        sources=[_entry(source) for source in [*known, *own] if not source.is_provider],
        gap_id=task.gap_id,
        other_gaps=task.other_gaps,
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


def _entry(source: StoredSource) -> SourceEntry:
    return SourceEntry(
        url=source.reference.url or "",
        domain=source.domain,
        title=source.reference.title,
        has_evidence=source.status == "read",
        relevance=relevance_of(source.reference.title, source.language),
        key=source.key,
    )


def _new_domains(read: Sequence[StoredSource], earlier: Sequence[StoredSource]) -> list[str]:
    used = {source.domain for source in earlier}
    return list(dict.fromkeys(source.domain for source in read if source.domain not in used))
