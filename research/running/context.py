"""The context of a report's nodes: request, storage, sources, budget and reader; and the wrapper around each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
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
    """The request of a report, constant during its research."""

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
    #: Whether the entries' essays are among its sources.
    asks_essays: bool = False

    def scope(self, kind: SourceKind) -> SearchScope:
        """Return the limits of a search for this report."""
        return SearchScope(kind, self.asked.language, self.domains_allowed, self.domains_denied)


@dataclass(frozen=True)
class RoundContext:
    """The context passed to every node through LangGraph's `Runtime`."""

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
