"""Search providers, and fetch and store the texts of hits, each in its own transaction.

A provider or page that fails is recorded; a crash loses at most one fetch.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import replace

from core.log import get_logger
from core.models import ReportSource
from research.citations import canonical_url
from research.memo.worker_result import Kind
from research.researchers.hits import domain_of
from research.running.context import RoundContext
from research.sources.base import FetchedText, Hit, NoTextError, SourceError, SourceKind
from research.sources.library import LibrarySource
from research.text import detect_language

log = get_logger(__name__)
LIBRARY = LibrarySource.name
#: The fields of a hit that its reference takes.
_NAMES = ("kind", "title", "authors", "year", "publisher", "url", "doi", "isbn")


def search_all(
    context: RoundContext, kinds: Sequence[SourceKind], queries: Sequence[str], k: int
) -> tuple[list[Sequence[Hit]], list[str]]:
    """Search the permitted providers of each kind for `k` hits per query, as long as the budget allows.

    Return their hits, one list per query and provider, and the providers that failed, as `provider:code`.
    """
    lists, failures = list[Sequence[Hit]](), list[str]()
    asked = [(kind, provider) for kind in kinds for provider in context.providers(kind)]
    for kind, provider in asked:
        try:
            for query in queries:
                if context.budget.allow_work():
                    lists.append(provider.search(query, k, context.brief.scope(kind)))
        except SourceError as error:
            log.warning("search_failed", provider=provider.name, code=error.code, detail=error.detail)
            failures.append(f"{provider.name}:{error.code}")
    return lists, failures


def fetch_hits(context: RoundContext, task_id: str, round_index: int, hits: Sequence[Hit], wanted: int) -> None:
    """Fetch hits in order until `wanted` are read; stored ones, read or failed, are not fetched again."""
    before = {row.key: row.status for row in context.store.sources.of_task(task_id)}
    read = 0
    for number, hit in enumerate(hits, start=1):
        if read >= wanted or not context.budget.allow_work():
            return
        key = f"{task_id}.{number}"
        if key not in before:
            context.store.progress.stop_if_asked()
            before[key] = _fetch(context, key, task_id, round_index, hit)
        read += before[key] == "read"


def note_provider(context: RoundContext, kind: Kind, task_id: str, round_index: int, failure: str) -> None:
    """Record a provider whose search failed; `failure` is `provider:code`."""
    provider, _, code = failure.partition(":")
    context.store.sources.add(
        ReportSource(
            key=f"{task_id}.{provider}",
            kind=kind,
            provider=provider,
            status="failed",
            error_code=code,
            round_index=round_index,
            task_id=task_id,
        )
    )


def _fetch(context: RoundContext, key: str, task_id: str, round_index: int, hit: Hit) -> str:
    """Store the text or the failure, and return the row's status."""
    status, text, error_code = "read", FetchedText(()), None
    try:
        text = context.sources.by_name(hit.provider).fetch(hit)
        if not text.text.strip():
            raise NoTextError(hit.locator)
    except SourceError as error:
        log.warning("fetch_failed", provider=hit.provider, code=error.code, detail=error.detail)
        status, text, error_code = "failed", FetchedText(()), error.code
    found = replace(hit, url=text.url or hit.url, year=hit.year or text.year)
    is_known = error_code is not None or hit.language in ("en", "es")
    source = ReportSource(
        key=key,
        provider=hit.provider,
        domain=domain_of(found),
        language=(hit.language if is_known else detect_language(text.text)) or None,
        status=status,
        error_code=error_code,
        round_index=round_index,
        task_id=task_id,
        canonical_url=canonical_url(found.url) if found.url else None,
        library_document_id=uuid.UUID(hit.locator) if hit.provider == LIBRARY and not error_code else None,
        **{name: getattr(found, name) for name in _NAMES},
    )
    context.store.sources.add(source, text.passages)
    return status
