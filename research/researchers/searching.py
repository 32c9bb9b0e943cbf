"""Search every provider of a kind for every query; one that fails is recorded and skipped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.log import get_logger
from research.running.context import RoundContext
from research.sources.base import Hit, Source, SourceError, SourceKind

log = get_logger(__name__)
LIBRARY = "library"


@dataclass
class Search:
    """The providers' hits, one list per query and provider, and the providers that failed."""

    lists: list[Sequence[Hit]] = field(default_factory=list)
    #: `provider:code`.
    failures: list[str] = field(default_factory=list)

    @property
    def found(self) -> bool:
        """Return whether there is any hit."""
        return any(self.lists)


def search_all(context: RoundContext, kinds: Sequence[SourceKind], queries: Sequence[str], k: int) -> Search:
    """Search each kind for `k` hits per query; if all its providers fail, search the library instead."""
    search = Search()
    for kind in kinds:
        before = len(search.failures)
        providers = context.providers(kind)
        for provider in providers:
            _search_one(context, provider, kind, queries, k, search)
        failed = len(search.failures) - before
        if failed == len(providers) and all(provider.name != LIBRARY for provider in providers):
            _search_one(context, context.sources.by_name(LIBRARY), kind, queries, k, search)
    return search


def _search_one(
    context: RoundContext, provider: Source, kind: SourceKind, queries: Sequence[str], k: int, search: Search
) -> None:
    for query in queries:
        if not context.budget.allow_work():
            return
        try:
            hits = provider.search(query, k, context.brief.scope(kind))
        except SourceError as error:
            log.warning("search_failed", provider=provider.name, code=error.code, detail=error.detail)
            search.failures.append(f"{provider.name}:{error.code}")
            return
        search.lists.append(list(hits))
