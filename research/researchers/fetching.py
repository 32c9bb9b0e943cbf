"""Fetch and store the texts of hits, each in its own transaction, so that a crash loses at most one fetch."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import replace

from core.log import get_logger
from research.citations import canonical_url
from research.document import Reference
from research.memo.worker_result import Kind
from research.researchers.hits import domain_of
from research.researchers.searching import LIBRARY
from research.running.context import RoundContext
from research.sources.base import FetchedText, Hit, NoTextError, Passage, SourceError
from research.storage.sources import StoredSource
from research.text import detect_language

log = get_logger(__name__)


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
    key = f"{task_id}.{provider}"
    reference = Reference(key=key, kind=kind, title="")
    context.store.sources.add(
        StoredSource(key, reference, provider, "", "", "failed", code, round_index, task_id), None
    )


def _fetch(context: RoundContext, key: str, task_id: str, round_index: int, hit: Hit) -> str:
    """Store the text or the failure, and return the row's status."""
    text, error_code = FetchedText(()), None
    try:
        text = context.sources.by_name(hit.provider).fetch(hit)
        if not text.text.strip():
            raise NoTextError(hit.locator)
    except SourceError as error:
        log.warning("fetch_failed", provider=hit.provider, code=error.code, detail=error.detail)
        text, error_code = FetchedText(()), error.code
    found = replace(hit, url=text.url or hit.url, year=hit.year or text.year)
    names = ("kind", "title", "authors", "year", "publisher", "url", "doi", "isbn")
    reference = Reference(key=key, **{name: getattr(found, name) for name in names})
    is_known = error_code is not None or hit.language in ("en", "es")
    language = (hit.language if is_known else detect_language(text.text)) or ""
    status = "failed" if error_code else "read"
    source = StoredSource(
        key, reference, hit.provider, domain_of(found), language, status, error_code, round_index, task_id
    )
    # PostgreSQL cannot store NUL; a space in its place keeps the positions of characters.
    passages = [
        Passage(one.text.replace("\x00", " "), one.start_char, one.end_char, one.page_no) for one in text.passages
    ]
    library_id = uuid.UUID(hit.locator) if hit.provider == LIBRARY and not error_code else None
    context.store.sources.add(source, canonical_url(found.url) if found.url else None, passages, library_id)
    return status
