"""The client of a provider's API: it sends requests and returns JSON objects or raises typed errors.

An error names the provider and the kind of failure, never the content of request or answer.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx

from core.retry import Attempts
from research.sources.base import SourceRefusedError, SourceUnavailableError
from research.sources.web.exchange import Answer, Bounds, direct_transport, exchange, refusal
from research.sources.web.pace import Pace

_ANSWERED = 200


@dataclass(frozen=True)
class Service:
    """A provider's API. Each request opens a new connection, so none is shared across a fork."""

    name: str
    #: Base URL without a trailing slash; requests outside it are refused.
    url: str
    #: They carry the key: URLs end up in logs, headers do not.
    headers: Mapping[str, str] = field(repr=False)
    attempts: Attempts
    pace: Pace
    bounds: Bounds
    transport: Callable[[], httpx.BaseTransport] = direct_transport

    def ask(self, method: str, url: str, body: bytes | None = None) -> Answer:
        """Return the answer, whose body is a JSON object. Raises SourceUnavailableError or SourceRefusedError."""
        if not url.startswith(f"{self.url}/"):
            raise SourceRefusedError(f"{self.name}: another address than its own")
        return self.attempts(lambda: self._attempt(method, url, body))

    def get(self, path: str, **params: str | int) -> dict[str, Any]:
        """Return the JSON object at a path below the base URL."""
        query = f"?{httpx.QueryParams(params)}" if params else ""
        answer: dict[str, Any] = json.loads(self.ask("GET", f"{self.url}{path}{query}").body)
        return answer

    def _attempt(self, method: str, url: str, body: bytes | None) -> Answer:
        request = self._request(method, url, body)
        place = request.url.netloc.decode("ascii")
        self.pace.wait(place)
        try:
            # Redirects are not followed: they would carry the key to another host.
            answer = exchange(self.name, request, self.transport(), self.bounds, self._look)
        except SourceUnavailableError as exc:
            if exc.retry_after is not None:
                self.pace.hold(place, min(exc.retry_after, self.attempts.patience))
            raise
        if not _is_object(answer.body):
            raise SourceUnavailableError(f"{self.name}: malformed answer")
        return answer

    def _request(self, method: str, url: str, body: bytes | None) -> httpx.Request:
        headers = {"Accept": "application/json", **self.headers}
        if body is not None:
            headers["Content-Type"] = "application/json"
        try:
            return httpx.Request(method, url, headers=headers, content=body)
        except (httpx.InvalidURL, UnicodeError, ValueError):
            pass
        # Raised outside the handler: the cause may quote the key.
        raise SourceRefusedError(f"{self.name}: its address or key cannot be sent")

    def _look(self, response: httpx.Response) -> None:
        if response.status_code != _ANSWERED:
            raise refusal(self.name, response.status_code, response.headers.get("Retry-After"))


def _is_object(body: bytes) -> bool:
    try:
        return isinstance(json.loads(body), dict)
    except (ValueError, RecursionError):
        return False
