"""The context of a report's nodes: request, storage, sources, budget and reader; and the wrapper around each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from langgraph.runtime import Runtime

from core.graphs.graph_state import checked
from research.budget import Budget
from research.config import ResearchConfig
from research.memo.worker_result import Kind
from research.readers.protocol import Asked
from research.readers.reader import Reader
from research.sources import Sources
from research.sources.base import SearchScope, Source, SourceKind
from research.storage import ReportStore


@dataclass(frozen=True)
class Brief:
    """The request of a report."""

    asked: Asked
    config: ResearchConfig
    #: Permitted kinds of researchers.
    kinds: tuple[Kind, ...]
    #: Permitted providers; empty: every one that is on.
    providers: tuple[str, ...] = ()
    domains_allowed: tuple[str, ...] = ()
    domains_denied: tuple[str, ...] = ()
    #: As the person typed it; None to decide automatically.
    allocation: str | None = None
    approve_plan: bool = False
    #: Whether a person chose the fields of a catalog; otherwise they were read from the words of the request.
    fields_chosen: bool = True
    #: Whether the entries' essays are among its sources.
    asks_essays: bool = False

    def with_fields(self, fields: Sequence[str]) -> Brief:
        """Return the request for a catalog with these fields, without the name."""
        asked, config = (
            replace(self.asked, fields=tuple(fields)),
            replace(self.config, catalog_fields=tuple(fields)),
        )
        return replace(self, asked=asked, config=config, fields_chosen=True)

    def scope(self, kind: SourceKind) -> SearchScope:
        """Return the limits of a search for this report."""
        return SearchScope(kind, self.asked.language, self.domains_allowed, self.domains_denied)


@dataclass
class RoundContext:
    """The context passed to every node through LangGraph's `Runtime`."""

    #: Changed once, where the fields of a catalog are read before its plan.
    brief: Brief
    store: ReportStore
    sources: Sources
    budget: Budget
    reader: Reader

    def providers(self, kind: SourceKind) -> list[Source]:
        """Return the providers permitted for this kind in this report."""
        wanted = self.brief.providers
        return [source for source in self.sources.for_kind(kind) if not wanted or source.name in wanted]


def step(work: Callable[[Any, RoundContext], Any], declared: type) -> Callable[..., Mapping[str, Any]]:
    """Return a node that does this work: it can be cancelled, and may only change keys of the `declared` state."""

    def run(state: Any, *, runtime: Runtime[RoundContext]) -> Mapping[str, Any]:
        context = runtime.context
        context.store.progress.stop_if_asked()
        delta: Mapping[str, Any] = checked(work.__name__, work(state, context), declared.__annotations__)
        context.store.progress.spend(context.budget.as_json())
        return delta

    return run
