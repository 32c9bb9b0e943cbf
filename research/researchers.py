"""Researchers: the graph that searches and reads for one task, and the merging of hits of several searches."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from langgraph.graph import END, StateGraph
from langgraph.graph.state import CompiledStateGraph
from pydantic import TypeAdapter

from core.models import ReportSource
from core.tracing.log import get_logger
from research.allocation import ResearcherState
from research.citations.references import WorkIdentity, canonical_url, identity_of, registrable_domain, same_work
from research.memo import SourceEntry, WorkerResult
from research.node_context import RoundContext, step
from research.sources.base import FetchedText, Hit, NoTextError, SourceError, SourceKind
from research.sources.library import LibrarySource
from research.storage import WORK, StoredTask, is_provider, reference_of
from research.text.language import detect_language
from research.text.meaning import fused

# The graph of one researcher: search → fetch → store; a repeated step reuses its stored results.
#
# Within the round loop it uses that graph's checkpoints, in a separate namespace per task, so that finished steps
# are not repeated after a crash. A provider or page that fails is recorded; a crash loses at most one fetch.


Researcher = CompiledStateGraph[ResearcherState, RoundContext, ResearcherState, ResearcherState]

log = get_logger(__name__)
#: Additional hits to replace those that cannot be fetched.
_SPARE_HITS = 4
_MOST_MORE_HITS = 12
_HITS = TypeAdapter(list[Hit])


def create_researcher() -> Researcher:
    """Build a researcher; its task gives the kind."""
    workflow = StateGraph(ResearcherState, context_schema=RoundContext)
    steps = (("search", search_node), ("fetch", fetch_node), ("store", store_node))
    workflow.add_sequence([(name, step(work, ResearcherState)) for name, work in steps])
    workflow.set_entry_point("search")
    workflow.add_edge("store", END)
    return workflow.compile()


def search_node(state: ResearcherState, context: RoundContext) -> ResearcherState:
    """Search for new hits, spread over domains; sources read in earlier rounds are returned as `known`."""
    stored, config = context.store.rounds.task(state["task_id"]), context.brief.config
    context.store.rounds.start_task(stored.task.task_id)
    works = [(one.key, identity_of(vars(reference_of(one)))) for one in context.store.sources.keyed()]
    # Request more hits, because some may be sources read before.
    lists = _searched(stored, context, config.hits_per_query + min(len(works), _MOST_MORE_HITS))
    new, known = list[Hit](), dict[str, None]()
    for hit in merged(lists, stored.task.avoid_domains):
        own = identity_of(vars(hit))
        if (key := next((key for key, work in works if same_work(own, work)), None)) is None:
            new.append(hit)
        else:
            known.setdefault(key)
    chosen = choose_diverse(new, hit_domain, config.sources_per_task + _SPARE_HITS, config.max_domain_share)
    return {"hits": _HITS.dump_python(chosen, mode="json"), "known": list(known)[: config.sources_per_task]}


def fetch_node(state: ResearcherState, context: RoundContext) -> ResearcherState:
    """Fetch and store the texts of hits, each in its own transaction, until enough are read or none is left."""
    stored, read = context.store.rounds.task(state["task_id"]), 0
    # Do not fetch stored hits again, whether read or failed.
    before = {row.key: row.status for row in context.store.sources.of_task(state["task_id"])}
    for number, hit in enumerate(_HITS.validate_python(state["hits"]), start=1):
        if read >= context.brief.config.sources_per_task or not context.budget.allow_work():
            break
        key = f"{state['task_id']}.{number}"
        if key not in before:
            context.store.progress.stop_if_asked()
            before[key] = _fetched(key, stored, context, hit)
        read += before[key] == "read"
    return {}


def store_node(state: ResearcherState, context: RoundContext) -> ResearcherState:
    """Store the task's result: its sources, which are read when the round is joined."""
    task, sources = context.store.rounds.task(state["task_id"]).task, context.store.sources
    own = sources.of_task(task.task_id)
    known = [source for source in sources.keyed() if source.key in state["known"]]
    is_read = known or any(source.status == "read" for source in own)
    failed = None if is_read else _failure(state, context, own)
    result = WorkerResult(
        task_id=task.task_id,
        kind=task.kind,
        question=task.question,
        queries=list(task.queries),
        status="failed" if failed else "done" if is_read else "nothing_found",
        error_code=failed,
        sources=[
            SourceEntry(one.url or "", one.domain, one.title, one.status == "read", key=one.key)
            for one in [*known, *own]
            if not is_provider(one)
        ],
        gap_id=task.gap_id,
    )
    context.store.rounds.finish_task(result)
    return {}


def _searched(stored: StoredTask, context: RoundContext, k: int) -> list[Sequence[Hit]]:
    """Search the permitted providers for `k` hits per query, as long as the budget allows.

    Return a list per query and provider; a provider that fails is recorded.
    """
    task, lists = stored.task, list[Sequence[Hit]]()
    kinds: list[SourceKind] = [task.kind, "essay"] if context.brief.asks_essays else [task.kind]
    for scope, provider in [(context.brief.scope(kind), one) for kind in kinds for one in context.providers(kind)]:
        try:
            for query in task.queries:
                if context.budget.allow_work():
                    lists.append(provider.search(query, k, scope))
        except SourceError as error:
            log.warning("search_failed", provider=provider.name, code=error.code, detail=error.detail)
            key = f"{task.task_id}.{provider.name}"
            context.store.sources.add(_row(key, stored, provider.name, error.code, kind=task.kind))
    return lists


def _fetched(key: str, stored: StoredTask, context: RoundContext, hit: Hit) -> str:
    """Store the text or the failure of a hit, and return the row's status."""
    try:
        text = context.sources.by_name(hit.provider).fetch(hit)
        if not text.text.strip():
            raise NoTextError(hit.locator)
        return _stored(key, stored, context, hit, text)
    except SourceError as error:
        log.warning("fetch_failed", provider=hit.provider, code=error.code, detail=error.detail)
        return _stored(key, stored, context, hit, FetchedText(()), error.code)


def _stored(
    key: str, stored: StoredTask, context: RoundContext, hit: Hit, text: FetchedText, error_code: str | None = None
) -> str:
    found = replace(hit, url=text.url or hit.url, year=hit.year or text.year)
    is_known = error_code is not None or hit.language in ("en", "es")
    row = _row(
        key,
        stored,
        hit.provider,
        error_code,
        domain=hit_domain(found),
        language=(hit.language if is_known else detect_language(text.text)) or None,
        canonical_url=canonical_url(found.url) if found.url else None,
        library_document_id=uuid.UUID(hit.locator)
        if hit.provider == LibrarySource.name and not error_code
        else None,
        **{name: getattr(found, name) for name in WORK},
    )
    context.store.sources.add(row, text.passages)
    return row.status


def _row(key: str, stored: StoredTask, provider: str, error_code: str | None, **columns: Any) -> ReportSource:
    return ReportSource(
        key=key,
        provider=provider,
        status="failed" if error_code else "read",
        error_code=error_code,
        round_index=stored.round_index,
        task_id=stored.task.task_id,
        **columns,
    )


def _failure(state: ResearcherState, context: RoundContext, own: Sequence[ReportSource]) -> str | None:
    """Return the error code of a task that read nothing, or None if there was nothing to find."""
    if context.budget.exhausted is not None and not own:
        return "budget_spent"
    # Without hits, the task counts as failed if any provider's search failed.
    failed = (source for source in own if source.error_code and not (is_provider(source) and state["hits"]))
    return next((source.error_code for source in failed), None)


# Combine the hits of several searches: merge by rank, remove duplicates, spread over domains.


T = TypeVar("T")

#: Hosts that only redirect to works or list them; `hit_domain` ignores them.
_RESOLVERS = frozenset({"doi.org", "openalex.org", "openlibrary.org"})


def hit_domain(hit: Hit) -> str:
    """Return the registrable domain of a web page; for other works the publisher, else domain or provider."""
    domain = registrable_domain(hit.url) if hit.url else ""
    if hit.kind == "web" and hit.provider != "library" and domain:
        return domain
    if hit.publisher:
        return " ".join(hit.publisher.casefold().split())
    return hit.provider if not domain or domain in _RESOLVERS else domain


def merged(lists: Iterable[Sequence[Hit]], avoided: Iterable[str] = ()) -> list[Hit]:
    """Merge lists by rank, best first, without the avoided domains; providers' scores are not comparable."""
    distinct: dict[Hit, WorkIdentity] = {}
    rankings: list[dict[Hit, None]] = []
    for hits in lists:
        rankings.append({})
        for hit in hits:
            own = identity_of(vars(hit))
            known = next(
                (
                    other
                    for other, its in distinct.items()
                    if (hit.provider, hit.locator) == (other.provider, other.locator) or same_work(own, its)
                ),
                hit,
            )
            distinct.setdefault(known, own)
            # Count a page once per list, even if the provider returns it twice.
            rankings[-1].setdefault(known)
    unwanted = {domain.casefold() for domain in avoided}
    return [hit for hit in fused(map(list, rankings)) if hit_domain(hit) not in unwanted]


def choose_diverse(items: Sequence[T], domain_of: Callable[[T], Hashable], k: int, max_share: float) -> list[T]:
    """Choose at most `k` items, in the given order (best first), with at most `max_share` of them from one domain.

    The best item of every domain is preferred to the second best of any. Fewer than `k` are chosen if the limit
    requires it; with too few domains to meet the limit at all, the items are spread as evenly as possible.
    """
    held: Counter[Hashable] = Counter()
    #: For each item, how many earlier items have the same domain, and its place.
    ranked: list[tuple[int, int]] = []
    for place, item in enumerate(items):
        ranked.append((held[domain_of(item)], place))
        held[domain_of(item)] += 1
    ranked.sort()
    are_too_few = len(held) * max_share < 1
    for count in range(min(k, len(items)), 0, -1):
        cap = -(-count // len(held)) if are_too_few else max(1, int(count * max_share + 1e-9))
        chosen = [place for rank, place in ranked if rank < cap][:count]
        if are_too_few or len(chosen) == count:
            return [items[place] for place in sorted(chosen)]
    return []
