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
    try:
        fetched = context.sources.by_name(hit.provider).fetch(hit)
        if not fetched.text.strip():
            raise NoTextError(hit.locator)
    except SourceError as error:
        log.warning("fetch_failed", provider=hit.provider, code=error.code, detail=error.detail)
        context.store.sources.add(_source(key, task_id, round_index, hit, None, error.code), _canonical(hit.url))
        return "failed"
    source = _source(key, task_id, round_index, hit, fetched, None)
    passages = [_storable(passage) for passage in fetched.passages]
    context.store.sources.add(source, _canonical(source.reference.url), passages, _library_id(hit))
    return "read"


def _source(
    key: str, task_id: str, round_index: int, hit: Hit, fetched: FetchedText | None, error_code: str | None
) -> StoredSource:
    language = (fetched.language if fetched else None) or hit.language
    if fetched is not None and language not in ("en", "es"):
        language = detect_language(fetched.text)
    url = (fetched.url if fetched else None) or hit.url
    return StoredSource(
        key=key,
        reference=Reference(
            key=key,
            kind=hit.kind,
            title=hit.title or (fetched.title if fetched and fetched.title else ""),
            authors=hit.authors,
            year=hit.year,
            publisher=hit.publisher,
            url=url,
            doi=hit.doi,
            isbn=hit.isbn,
        ),
        provider=hit.provider,
        domain=domain_of(replace(hit, url=url)),
        language=language or "",
        status="read" if fetched is not None else "failed",
        error_code=error_code,
        round_index=round_index,
        task_id=task_id,
    )


def _storable(passage: Passage) -> Passage:
    """Replace NUL, which PostgreSQL cannot store, by a space, so that character positions stay valid."""
    return Passage(passage.text.replace("\x00", " "), passage.start_char, passage.end_char, passage.page_no)


def _canonical(url: str | None) -> str | None:
    return canonical_url(url) if url else None


def _library_id(hit: Hit) -> uuid.UUID | None:
    return uuid.UUID(hit.locator) if hit.provider == LIBRARY else None
