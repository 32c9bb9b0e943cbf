"""Sources opened against loopback servers, without waits."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, cast

from core.config import Settings, load_settings
from core.database import Database
from core.file_store import LocalFileStore
from research.sources.providers import ActiveSources, open_sources
from tests.support.servers.firecrawl_server import FirecrawlServer
from tests.support.servers.openalex_server import OpenAlexServer
from tests.support.servers.openlibrary_server import OpenLibraryServer
from tests.support.servers.provider_server import ProviderServer
from tests.support.servers.tavily_server import TavilyServer
from tests.support.servers.web_pages import WebPages

#: Nothing is read from it where only remote sources are asked.
NO_DATABASE = cast(Database, None)


def settings_for(*servers: ProviderServer) -> dict[str, Any]:
    """The settings that switch on the providers of these servers."""
    found: dict[str, Any] = {"source_requests_per_second": 1000}
    for server in servers:
        if isinstance(server, OpenAlexServer):
            found |= {"openalex_api_key": server.key, "openalex_base_url": server.url}
        elif isinstance(server, OpenLibraryServer):
            found |= {"openlibrary_contact": server.contact, "openlibrary_base_url": server.url}
        elif isinstance(server, TavilyServer):
            found |= {"tavily_api_key": server.key, "tavily_base_url": server.url}
        elif isinstance(server, FirecrawlServer):
            found |= {"firecrawl_api_key": server.key, "firecrawl_base_url": server.url}
    return found


def no_web(*_: object) -> NoReturn:
    """For tests in which no page of the web may be opened, nor a name looked up."""
    raise AssertionError("a page was opened")


def opened(
    folder: Path,
    *servers: ProviderServer,
    web: WebPages | None = None,
    waits: list[float] | None = None,
    database: Database = NO_DATABASE,
    **settings: object,
) -> ActiveSources:
    """Sources of these servers; `waits` collects how long would have been waited."""
    sleep: Callable[[float], None] = (waits if waits is not None else []).append
    chosen: Settings = load_settings(_env_file=None, var_dir=folder, **(settings_for(*servers) | settings))
    store = LocalFileStore(folder / "files")
    if web is None:
        return open_sources(chosen, database, store, resolve=no_web, page_transport=no_web, sleep=sleep)
    return open_sources(chosen, database, store, resolve=web.resolve, page_transport=web.transport, sleep=sleep)
