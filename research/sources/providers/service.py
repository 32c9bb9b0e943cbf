"""The client of a provider's API: it sends requests and returns validated answers or raises typed errors.

An error names the provider and the kind of failure, never the content of request or answer.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

import httpx
from pydantic import BaseModel

from core.retry import Attempts
from research.sources.base import SourceRefusedError, SourceUnavailableError
from research.sources.web.exchange import Bounds, Pace, direct_transport, exchange

R = TypeVar("R", bound=BaseModel)


@dataclass(frozen=True)
class Service:
    """A provider's API. Each request opens a new connection, so none is shared across a fork."""

    name: str
    #: Base URL without a trailing slash.
    url: str
    #: They carry the key: URLs end up in logs, headers do not.
    headers: Mapping[str, str] = field(repr=False)
    attempts: Attempts
    pace: Pace
    bounds: Bounds

    def get(self, shape: type[R], path: str, **params: str | int) -> R:
        """Return the answer to a GET request below the base URL.

        Raises SourceUnavailableError, also for an answer of another shape, or SourceRefusedError.
        """
        return self.attempts(lambda: self._attempt(shape, "GET", path, params=params))

    def post(self, shape: type[R], path: str, body: Mapping[str, Any]) -> R:
        """Return the answer to a POST request, like `get`; values of the body that are None are not sent."""
        sent = {name: value for name, value in body.items() if value is not None}
        return self.attempts(lambda: self._attempt(shape, "POST", path, json=sent))

    def _attempt(self, shape: type[R], method: str, path: str, **sent: Any) -> R:
        request = self._request(method, path, **sent)
        answer = exchange(self.name, request, direct_transport(), self.bounds, self.pace)
        if answer.status != httpx.codes.OK:
            # Redirects are not followed: they would carry the key to another host.
            raise SourceRefusedError(f"{self.name}: http_{answer.status}")
        # Errors are raised outside their handlers: the causes quote the answer, or the key.
        with suppress(ValueError, RecursionError):
            # Halves of surrogate pairs, as in texts that JavaScript cut, become question marks.
            said = json.dumps(json.loads(answer.body), ensure_ascii=False).encode(errors="replace")
            return shape.model_validate_json(said)
        raise SourceUnavailableError(f"{self.name}: an answer of another shape")

    def _request(self, method: str, path: str, **sent: Any) -> httpx.Request:
        with suppress(httpx.InvalidURL, ValueError):
            return httpx.Request(
                method, self.url + path, headers={"Accept": "application/json", **self.headers}, **sent
            )
        raise SourceRefusedError(f"{self.name}: its address or key cannot be sent")
