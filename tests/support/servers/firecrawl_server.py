"""Firecrawl's search and scrape (v2) on this machine, strict about what it is sent (https://docs.firecrawl.dev)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.support.servers.loopback import Request, Response, json_response
from tests.support.servers.provider_server import Fault, ProviderServer, matching

_SEARCH_KEYS = frozenset(
    [
        "query",
        "limit",
        "sources",
        "categories",
        "includeDomains",
        "excludeDomains",
        "tbs",
        "location",
        "country",
        "timeout",
        "ignoreInvalidURLs",
        "scrapeOptions",
        "origin",
        "integration",
    ]
)
_SCRAPE_KEYS = frozenset(
    [
        "url",
        "formats",
        "onlyMainContent",
        "includeTags",
        "excludeTags",
        "maxAge",
        "headers",
        "waitFor",
        "mobile",
        "skipTlsVerification",
        "timeout",
        "parsers",
        "actions",
        "location",
        "removeBase64Images",
        "blockAds",
        "proxy",
        "storeInCache",
        "fastMode",
        "origin",
        "integration",
    ]
)

Page = dict[str, Any]


def page(
    url: str, title: str, markdown: str, description: str = "", status: int = 200, **metadata: object
) -> Page:
    """A page as Firecrawl would load it."""
    about = {"title": title, "sourceURL": url, "url": url, "statusCode": status, "language": "en", **metadata}
    return {"url": url, "title": title, "description": description, "markdown": markdown, "metadata": about}


def refusal(status: int, message: str = "error", retry_after: str | None = None) -> Response:
    headers = {"Retry-After": retry_after} if retry_after is not None else {}
    return json_response({"success": False, "error": message}, status, headers)


class FirecrawlServer(ProviderServer):
    key = "fc-loopback-key-0000"

    def __init__(self, pages: Sequence[Page] = (), faults: Sequence[Fault] = ()) -> None:
        super().__init__(faults)
        self.pages = list(pages)

    def check(self, request: Request) -> Response | None:
        if request.method != "POST" or request.path not in ("/v2/search", "/v2/scrape"):
            return Response(404, b"<!DOCTYPE html><pre>Cannot POST</pre>", {"Content-Type": "text/html"})
        if request.headers.get("authorization") != f"Bearer {self.key}":
            return refusal(401, "Unauthorized: Invalid token")
        try:
            body = request.json()
        except ValueError:
            return refusal(400, "Bad Request")
        keys, needed = (_SEARCH_KEYS, "query") if request.path == "/v2/search" else (_SCRAPE_KEYS, "url")
        if not isinstance(body, dict) or set(body) - keys or not isinstance(body.get(needed), str):
            return refusal(400, f"Bad Request: unrecognized keys {sorted(set(body) - keys)}")
        if body.get("includeDomains") and body.get("excludeDomains"):
            return refusal(400, "Bad Request: includeDomains and excludeDomains")
        return None if 1 <= body.get("limit", 5) <= 100 else refusal(400, "Bad Request: limit")

    def answer(self, request: Request) -> Response:
        body = request.json()
        if request.path == "/v2/scrape":
            return self._scraped(body["url"])
        found = matching(body["query"], self.pages, lambda item: f"{item['title']} {item['description']}")
        names = ("url", "title", "description")
        results = [{name: item[name] for name in names} for item in found[: body.get("limit", 5)]]
        return json_response({"success": True, "data": {"web": results}, "creditsUsed": 2})

    def _scraped(self, url: str) -> Response:
        missing = page(url, "Not found", "# Page not found\n\nThe page was not found.", status=404)
        found = next((item for item in self.pages if item["url"] == url), missing)
        data = {"markdown": found["markdown"], "metadata": found["metadata"]}
        return json_response({"success": True, "data": data})


def firecrawl_server(pages: Sequence[Page] = (), faults: Sequence[Fault] = ()) -> FirecrawlServer:
    return FirecrawlServer(pages, faults)
