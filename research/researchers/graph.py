"""The graph of one researcher: search → fetch → store; a step that is repeated reuses what it stored before.

Within the round loop it uses that graph's checkpoints, in a separate namespace per task, so that finished steps
are not repeated after a crash.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from langgraph.graph import END, StateGraph
from langgraph.graph.state import CompiledStateGraph
from pydantic import TypeAdapter

from core.models import ReportSource
from research.citations.same_reference import Identity, same_work
from research.memo import SourceEntry
from research.memo.worker_result import Kind, WorkerResult
from research.plan.planning import PlannedTask
from research.researchers.hits import choose_diverse, domain_of, identity, merged
from research.researchers.searching import fetch_hits, note_provider, search_all
from research.running.context import RoundContext, step
from research.running.state import ResearcherOutput, ResearcherState
from research.sources.base import Hit, SourceKind
from research.storage.sources import is_provider, reference_of

Researcher = CompiledStateGraph[ResearcherState, RoundContext, ResearcherState, ResearcherOutput]

#: Additional hits, used in place of those that cannot be fetched.
_SPARE_HITS = 4
_MOST_MORE_HITS = 12
_HITS = TypeAdapter(list[Hit])


def create_researcher(kind: Kind) -> Researcher:
    """Build a researcher of this kind."""
    declared = ResearcherState.__annotations__ | ResearcherOutput.__annotations__
    workflow = StateGraph(ResearcherState, context_schema=RoundContext, output_schema=ResearcherOutput)
    works: dict[str, Any] = {"search": search_node, "fetch": fetch_node, "store": store_node}
    workflow.add_sequence(
        [(name, step(f"{kind}.{name}", partial(work, kind), declared)) for name, work in works.items()]
    )
    workflow.set_entry_point("search")
    workflow.add_edge("store", END)
    return workflow.compile()


def search_node(kind: Kind, state: ResearcherState, context: RoundContext) -> ResearcherState:
    """Search for new hits, spread over domains; sources read in earlier rounds are returned as `known`."""
    task = context.store.rounds.task(state["task_id"]).task
    context.store.rounds.start_task(task.task_id)
    earlier = context.store.sources.keyed()
    config = context.brief.config
    # Request more hits, because some may be sources read before.
    wanted = config.hits_per_query + min(len(earlier), _MOST_MORE_HITS)
    kinds: list[SourceKind] = [kind, "essay"] if context.brief.asks_essays else [kind]
    lists, failures = search_all(context, kinds, task.queries, wanted)
    for failure in failures:
        note_provider(context, kind, task.task_id, state["round_index"], failure)
    works = [(one.key, identity(reference_of(one))) for one in earlier]
    found = [(hit, _key_among(hit, works)) for hit in merged(lists, task.avoid_domains)]
    new = [hit for hit, key in found if key is None]
    chosen = choose_diverse(new, domain_of, config.sources_per_task + _SPARE_HITS, config.max_domain_share)
    known = dict.fromkeys(key for _, key in found if key is not None)
    return {
        "hits": _HITS.dump_python(chosen, mode="json"),
        "known": list(known)[: config.sources_per_task],
        "failures": failures,
    }


def fetch_node(kind: Kind, state: ResearcherState, context: RoundContext) -> ResearcherState:
    """Fetch and store the texts of hits until enough are read or none is left."""
    hits = _HITS.validate_python(state["hits"])
    fetch_hits(context, state["task_id"], state["round_index"], hits, context.brief.config.sources_per_task)
    return {}


def store_node(kind: Kind, state: ResearcherState, context: RoundContext) -> ResearcherOutput:
    """Store the task's result: its sources, which are read when the round is joined."""
    stored = context.store.rounds.task(state["task_id"])
    if stored.result is None:
        context.store.rounds.finish_task(_result_of(context, stored.task, state))
    return {"finished": [state["task_id"]]}


def _key_among(hit: Hit, works: Sequence[tuple[str, Identity]]) -> str | None:
    own = identity(hit)
    return next((key for key, work in works if same_work(own, work)), None)


def _result_of(context: RoundContext, task: PlannedTask, state: ResearcherState) -> WorkerResult:
    """Return the task's sources and its status, which distinguishes a failure from finding nothing."""
    own = context.store.sources.of_task(task.task_id)
    earlier = context.store.sources.keyed()
    known = [source for source in earlier if source.key in state["known"]]
    read = [*known, *(source for source in own if source.status == "read")]
    failed = None if read else _failure(context, state, own)
    return WorkerResult(
        task_id=task.task_id,
        kind=task.kind,
        question=task.question,
        queries=list(task.queries),
        status="failed" if failed else "done" if read else "nothing_found",
        error_code=failed,
        sources=[_entry(source) for source in [*known, *own] if not is_provider(source)],
        gap_id=task.gap_id,
    )


def _failure(context: RoundContext, state: ResearcherState, own: Sequence[ReportSource]) -> str | None:
    """Return the error code of a task that read nothing, or None if there was nothing to find."""
    if context.budget.exhausted is not None and not own:
        return "budget_spent"
    codes = [source.error_code for source in own if source.error_code and not is_provider(source)]
    # Without hits, the task counts as failed if any provider's search failed.
    codes += [failure.partition(":")[2] for failure in state["failures"] if not state["hits"]]
    return codes[0] if codes else None


def _entry(source: ReportSource) -> SourceEntry:
    return SourceEntry(
        url=source.url or "",
        domain=source.domain,
        title=source.title,
        has_evidence=source.status == "read",
        key=source.key,
    )
