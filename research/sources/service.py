"""A provider's address: questions in JSON or in the address, an object in JSON back, or a typed error.

An error says which provider and what kind of failure, never what was sent or answered.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx

from core.retry import Attempts
from research.sources.base import SourceRefusedError, SourceUnavailableError
from research.sources.exchange import Answer, Bounds, direct_transport, exchange
from research.sources.pace import Pace
from research.sources.refusal import refusal

_ANSWERED = 200


@dataclass(frozen=True)
class Service:
    """Connections are made anew: none survives a fork."""

    name: str
    #: Without a slash at its end; nothing below another address is ever asked.
    url: str
    #: Carry the key: an address ends up in logs, a header does not.
    headers: Mapping[str, str] = field(repr=False)
    attempts: Attempts
    pace: Pace
    bounds: Bounds
    transport: Callable[[], httpx.BaseTransport] = direct_transport

    def ask(self, method: str, url: str, body: bytes | None = None) -> Answer:
        """The answer, whose body is an object in JSON. Raises SourceUnavailableError or SourceRefusedError."""
        if not url.startswith(f"{self.url}/"):
            raise SourceRefusedError(f"{self.name}: another address than its own")
        return self.attempts(lambda: self._attempt(method, url, body))

    def get(self, path: str, **params: str | int) -> dict[str, Any]:
        """The object at a path below its address."""
        query = f"?{httpx.QueryParams(params)}" if params else ""
        answer: dict[str, Any] = json.loads(self.ask("GET", f"{self.url}{path}{query}").body)
        return answer

    def _attempt(self, method: str, url: str, body: bytes | None) -> Answer:
        request = self._request(method, url, body)
        place = request.url.netloc.decode("ascii")
        self.pace.wait(place)
        try:
            # Redirects are not followed: the key would go along.
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
