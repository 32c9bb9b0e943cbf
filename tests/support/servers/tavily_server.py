"""Tavily's search on this machine, strict about what it is sent (https://docs.tavily.com)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from tests.support.servers.loopback import Request, Response, json_response
from tests.support.servers.provider_server import Fault, ProviderServer, matching

_KEYS = frozenset(
    [
        "query",
        "search_depth",
        "topic",
        "time_range",
        "start_date",
        "end_date",
        "days",
        "max_results",
        "include_domains",
        "exclude_domains",
        "include_answer",
        "include_raw_content",
        "include_images",
        "country",
        "auto_parameters",
        "include_favicon",
        "chunks_per_source",
        "include_image_descriptions",
    ]
)
#: Never to be read: Tavily writes it itself.
GENERATED = "Tavily's own answer, which no report may quote."

Result = dict[str, Any]


def result(
    url: str, title: str, content: str, raw_content: str | None = None, published_date: str | None = None
) -> Result:
    """A result as Tavily writes it; `content` is the snippet."""
    found = {"title": title, "url": url, "content": content, "score": 0.81, "raw_content": raw_content}
    return found | ({"published_date": published_date} if published_date else {})


def refusal(status: int, message: str = "", retry_after: str | None = None) -> Response:
    headers = {"Retry-After": retry_after} if retry_after is not None else {}
    return json_response({"detail": {"error": message}}, status, headers)


class TavilyServer(ProviderServer):
    key = "tvly-loopback-key-0000"

    def __init__(
        self, results: Sequence[Result] = (), faults: Sequence[Fault] = (), response_time: str | float = "1.67"
    ) -> None:
        super().__init__(faults)
        self.results = list(results)
        self.response_time = response_time

    def check(self, request: Request) -> Response | None:
        if (request.method, request.path) != ("POST", "/search"):
            return json_response({"detail": "Not Found"}, 404)
        if request.headers.get("authorization") != f"Bearer {self.key}":
            return refusal(401, "Unauthorized: missing or invalid API key.")
        if request.headers.get("content-type", "").split(";")[0] != "application/json":
            return refusal(400, "Content-Type must be application/json")
        try:
            body = request.json()
        except ValueError:
            return refusal(400, "invalid JSON")
        fault = _fault(body)
        return refusal(400, fault) if fault else None

    def answer(self, request: Request) -> Response:
        body = request.json()
        found = [
            item
            for item in matching(body["query"], self.results, lambda item: f"{item['title']} {item['content']}")
            if not body.get("include_domains") or _is_in(item["url"], body["include_domains"])
            if not _is_in(item["url"], body.get("exclude_domains") or [])
        ][: body.get("max_results", 5)]
        raw = bool(body.get("include_raw_content"))
        shown = [item if raw else {**item, "raw_content": None} for item in found]
        answer = GENERATED if body.get("include_answer") else None
        said = {"query": body["query"], "answer": answer, "images": [], "results": shown}
        return json_response(said | {"response_time": self.response_time, "request_id": "loopback"})


def tavily_server(results: Sequence[Result] = (), faults: Sequence[Fault] = ()) -> TavilyServer:
    return TavilyServer(results, faults)


def _fault(body: Any) -> str | None:
    if not isinstance(body, dict) or set(body) - _KEYS:
        return f"unknown parameters {sorted(set(body) - _KEYS)}"
    query = body.get("query")
    if not isinstance(query, str) or not query:
        return "Query is missing."
    if len(query) > 400:
        return "Query is too long. Max query length is 400 characters."
    if not 0 <= body.get("max_results", 5) <= 20:
        return "max_results must be between 0 and 20"
    if body.get("include_raw_content", False) not in (True, False, "markdown", "text"):
        return "include_raw_content"
    domains = (body.get("include_domains", []), body.get("exclude_domains", []))
    return None if all(isinstance(names, list) for names in domains) else "domains must be lists"


def _is_in(url: str, domains: Sequence[str]) -> bool:
    host = urlsplit(url).hostname or ""
    return any(host == domain or host.endswith(f".{domain}") for domain in domains)
