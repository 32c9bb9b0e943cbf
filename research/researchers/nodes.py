"""The three nodes of a researcher; one that is repeated after a crash reuses what it stored before."""

from __future__ import annotations

from collections.abc import Sequence

from research.citations import same_reference
from research.memo.worker_result import Kind
from research.researchers.fetching import fetch_hits, note_provider
from research.researchers.hits import from_json, identity, merged, spread, to_json, without
from research.researchers.results import result_of
from research.researchers.searching import search_all
from research.running.context import RoundContext
from research.running.state import ResearcherOutput, ResearcherState
from research.sources.base import Hit, SourceKind
from research.storage.sources import StoredSource

#: Additional hits, used in place of those that cannot be fetched.
_SPARE_HITS = 4
_MOST_MORE_HITS = 12


def search_node(kind: Kind, state: ResearcherState, context: RoundContext) -> ResearcherState:
    """Search for new hits, spread over domains; sources read in earlier rounds are returned as `known`."""
    task = context.store.rounds.task(state["task_id"]).task
    context.store.rounds.start_task(task.task_id)
    earlier = context.store.sources.before(state["round_index"])
    config = context.brief.config
    # Request more hits, because some may be sources read before.
    wanted = config.hits_per_query + min(len(earlier), _MOST_MORE_HITS)
    search = search_all(context, _kinds(kind, context), task.queries, wanted)
    for failure in search.failures:
        note_provider(context, kind, task.task_id, state["round_index"], failure)
    found = [(hit, _key_among(hit, earlier)) for hit in without(merged(search.lists), task.avoid_domains)]
    new = [hit for hit, key in found if key is None]
    chosen = spread(new, config.sources_per_task + _SPARE_HITS, config.max_domain_share)
    known = dict.fromkeys(key for _, key in found if key is not None)
    return {
        "hits": [to_json(hit) for hit in chosen],
        "known": list(known)[: config.sources_per_task],
        "failures": search.failures,
    }


def fetch_node(kind: Kind, state: ResearcherState, context: RoundContext) -> ResearcherState:
    """Fetch and store the texts of hits until enough are read or none is left."""
    hits = [from_json(kept) for kept in state["hits"]]
    wanted = context.brief.config.sources_per_task
    fetch_hits(context, state["task_id"], state["round_index"], hits, wanted)
    return {}


def store_node(kind: Kind, state: ResearcherState, context: RoundContext) -> ResearcherOutput:
    """Store the task's result: its sources, which are read when the round is joined."""
    stored = context.store.rounds.task(state["task_id"])
    if stored.result is None:
        context.store.rounds.finish_task(result_of(context, stored.task, state))
    return {"finished": [state["task_id"]]}


def _kinds(kind: Kind, context: RoundContext) -> list[SourceKind]:
    return [kind, "essay"] if context.brief.asks_essays else [kind]


def _key_among(hit: Hit, earlier: Sequence[StoredSource]) -> str | None:
    return next((source.key for source in earlier if same_reference(identity(hit), source.identity)), None)
