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


def search_all(context: RoundContext, kinds: Sequence[SourceKind], queries: Sequence[str], k: int) -> Search:
    """Search each kind for `k` hits per query; if all its providers fail, search the library instead."""
    search = Search()
    for kind in kinds:
        providers = context.providers(kind)
        answered = [_search_one(context, provider, kind, queries, k, search) for provider in providers]
        if not any(answered) and all(provider.name != LIBRARY for provider in providers):
            _search_one(context, context.sources.by_name(LIBRARY), kind, queries, k, search)
    return search


def _search_one(
    context: RoundContext, provider: Source, kind: SourceKind, queries: Sequence[str], k: int, search: Search
) -> bool:
    """Search a provider as long as the budget allows; return whether it did not fail."""
    for query in queries:
        if not context.budget.allow_work():
            break
        try:
            search.lists.append(list(provider.search(query, k, context.brief.scope(kind))))
        except SourceError as error:
            log.warning("search_failed", provider=provider.name, code=error.code, detail=error.detail)
            search.failures.append(f"{provider.name}:{error.code}")
            return False
    return True
