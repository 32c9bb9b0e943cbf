"""Web search and page loading by Firecrawl (https://docs.firecrawl.dev, API version 2)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, ClassVar, Self

import requests

from core.config import Settings
from research.markdown_text.parsing import paragraphs_of
from research.sources.base import (
    FetchedText,
    Hit,
    NoTextError,
    SearchScope,
    SourceError,
    SourceKind,
    SourceRefusedError,
)
from research.sources.domains import domains_of, host_of
from research.sources.providers.codes import ProviderOff
from research.sources.providers.remote import AGENT, RemoteSource, Tools
from research.sources.providers.sdk_session import response_of
from research.sources.providers.service import Service
from research.sources.providers.sound import each, hit_of, year_of
from research.sources.web.addresses import checked_url
from research.sources.web.exchange import refusal
from research.sources.web.extraction import text_from

_URL = "https://api.firecrawl.dev"
#: Share of our own time-out given to Firecrawl, so that it reports a time-out before ours ends.
_SHARE_OF_TIME = 0.9
#: The lowest page status that means the page could not be loaded.
_FIRST_FAILURE = 400
_SHORTEST_MS, _LONGEST_MS = 1_000, 300_000


class FirecrawlSource(RemoteSource):
    """Web pages found and loaded by Firecrawl."""

    name: ClassVar[str] = "firecrawl"
    kinds: ClassVar[frozenset[SourceKind]] = frozenset({"web"})
    off = ProviderOff.FIRECRAWL
    longest_query = 500
    most_hits = 100

    @classmethod
    def open(cls, settings: Settings, tools: Tools) -> Self | None:
        """See `RemoteSource.open`."""
        if settings.firecrawl_api_key is None:
            return None
        headers = {"Authorization": f"Bearer {settings.firecrawl_api_key.get_secret_value()}"}
        return cls(tools.service(cls.name, settings.firecrawl_base_url or _URL, headers), tools)

    def _find(self, query: str, k: int, scope: SearchScope) -> Sequence[Hit]:
        allowed = domains_of(scope.domains_allowed) or None
        denied = None if allowed else domains_of(scope.domains_denied) or None
        # Firecrawl accepts only one of the two lists; `RemoteSource.search` applies both to its results.
        answer = self._client().search(
            query,
            limit=k,
            include_domains=allowed,
            exclude_domains=denied,
            timeout=self._ms,
        )
        return each(answer.web or [], self._take)

    def _take(self, rank: int, result: Any) -> Hit | None:
        """Return the hit of a search result, and store its page if it has one."""
        about = getattr(result, "metadata", None)
        url = str(getattr(result, "url", None) or getattr(about, "source_url", None) or getattr(about, "url", ""))
        host = host_of(url)
        hit = hit_of(
            self.name,
            "web",
            rank,
            locator=url,
            url=url,
            title=getattr(result, "title", None) or getattr(about, "title", None) or host,
            publisher=host.removeprefix("www."),
            snippet=getattr(result, "description", None) or getattr(about, "description", None),
        )
        if hit is not None and getattr(result, "markdown", None):
            with suppress(SourceError):
                self._keep(hit.locator, _text(result, hit))
        return hit

    def _read(self, hit: Hit) -> FetchedText:
        checked_url(hit.locator)
        page = self._client().scrape(
            hit.locator,
            formats=["markdown"],
            only_main_content=True,
            skip_tls_verification=False,
            timeout=self._ms,
        )
        return _text(page, hit)

    @property
    def _ms(self) -> int:
        return min(_LONGEST_MS, max(_SHORTEST_MS, int(self._service.bounds.seconds * _SHARE_OF_TIME * 1000)))

    def _client(self) -> Any:
        from firecrawl.v2.client import FirecrawlClient

        # The service's headers carry the key; without an argument the client would read the environment.
        client = FirecrawlClient("in the header", api_url=self._service.url, origin=AGENT)
        client.http_client = _ServiceClient(self._service)
        return client


class _ServiceClient:
    """The HTTP client given to Firecrawl's package: it sends requests through our service."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def post(self, endpoint: str, data: Mapping[str, object], **_: object) -> requests.Response:
        """Return a successful answer in the shape of version 2. Raises SourceRefusedError without success."""
        body = json.dumps({**data, "origin": AGENT}).encode()
        answer = self._service.ask("POST", f"{self._service.url}{endpoint}", body)
        said = json.loads(answer.body)
        if said.get("success") is not True:
            raise SourceRefusedError(f"{self._service.name}: no success")
        if isinstance(said.get("data"), list):
            # The shape of version 1, which the package would read as an empty result.
            said["data"] = {"web": said["data"]}
        for result in said.get("data", {}).get("web") or []:
            _tell_page(result)
        return response_of(answer.url, json.dumps(said).encode())


def _tell_page(result: Any) -> None:
    """Copy URL, title and description into a result's metadata if it contains its page.

    The package keeps only page and metadata of such a result.
    """
    if isinstance(result, dict) and "markdown" in result:
        about = {
            "sourceURL": result.get("url"),
            "title": result.get("title"),
            "description": result.get("description"),
        }
        said = {name: value for name, value in (result.get("metadata") or {}).items() if value is not None}
        result["metadata"] = about | said


def _text(page: Any, hit: Hit) -> FetchedText:
    """Return the page's text. Raises SourceError if the page itself answered with an error."""
    about = page.metadata
    if about is not None and about.status_code is not None and about.status_code >= _FIRST_FAILURE:
        raise refusal("page", about.status_code, None)
    if about is not None and about.error:
        raise NoTextError("a page that Firecrawl could not load")
    return text_from(
        [(paragraph, None) for paragraph in paragraphs_of(page.markdown or "")],
        url=(about and (about.url or about.source_url)) or hit.url,
        title=(about and about.title) or hit.title,
        language=((about and about.language) or "")[:2].lower() or None,
        year=year_of(about.published_time) if about else None,
    )
