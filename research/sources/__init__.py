"""Providers of sources, one per file, and the choice of those that are switched on."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import httpx

from core.config import Settings
from core.database import Database
from core.embeddings import open_embedder
from core.file_store import FileStore
from core.messages import Message
from core.retry import Attempts
from research.sources.base import Source, SourceKind, SourceRefusedError
from research.sources.library import LibrarySource
from research.sources.providers.cache import SourceCache
from research.sources.providers.firecrawl import FirecrawlSource
from research.sources.providers.openalex import OpenAlexSource
from research.sources.providers.openlibrary import OpenLibrarySource
from research.sources.providers.remote import AGENT, RemoteSource
from research.sources.providers.tavily import TavilySource
from research.sources.web.exchange import Limits, direct_transport
from research.sources.web.http_guard import Guard, Resolver, resolve

REMOTE_SOURCES: tuple[type[RemoteSource], ...] = (OpenAlexSource, OpenLibrarySource, TavilySource, FirecrawlSource)
#: The library comes last: providers that are switched on are asked before it.
ALL_SOURCES: tuple[type[Source], ...] = (*REMOTE_SOURCES, LibrarySource)


@dataclass(frozen=True)
class Sources:
    """The providers that are on, in the order of `ALL_SOURCES`, and why the others are not."""

    on: tuple[Source, ...]
    #: Name of each provider that is off, and the message on how to switch it on.
    off: list[tuple[str, Message]]

    def for_kind(self, kind: SourceKind) -> list[Source]:
        """Return the providers for this kind of researcher; the last is the library, which answers every kind."""
        return [source for source in self.on if kind in source.kinds]

    def by_name(self, name: str) -> Source:
        """Return the provider with this name. Raises SourceRefusedError if it is off or unknown."""
        for source in self.on:
            if source.name == name:
                return source
        raise SourceRefusedError(f"no source {name[:40]} is on")


def open_sources(
    settings: Settings,
    database: Database,
    store: FileStore,
    *,
    resolve: Resolver = resolve,
    page_transport: Callable[[], httpx.BaseTransport] = direct_transport,
    sleep: Callable[[float], None] = time.sleep,
) -> Sources:
    """Build every provider that the settings switch on, without connecting to any.

    `resolve` and `page_transport` look up and connect to hosts of web pages; the guard checks each one first.
    """
    contact = f"; +{settings.openlibrary_contact}" if settings.openlibrary_contact else ""
    # Some sites reject a user agent that does not begin with "Mozilla/5.0 (compatible".
    browser = f"Mozilla/5.0 (compatible; {AGENT}{contact})"
    most, seconds = settings.source_max_attempts, settings.source_timeout_seconds
    attempts = Attempts(most, most * seconds, sleep)
    limits = Limits(seconds, settings.source_max_bytes, settings.source_requests_per_second, sleep=sleep)
    guard = Guard(limits, browser, resolve, transport=page_transport)
    cache = SourceCache(store, settings.source_cache_hours)
    on = [kind(settings, cache, guard, attempts) for kind in REMOTE_SOURCES if kind.headers(settings) is not None]
    off = [(kind.name, Message.of(kind.off)) for kind in REMOTE_SOURCES if kind.headers(settings) is None]
    return Sources((*on, LibrarySource(database, open_embedder(settings))), off)
