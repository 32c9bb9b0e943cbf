"""Send the requests of providers' packages through `Service`, with its time-outs, attempts, pace and errors."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO

import requests
from requests.adapters import BaseAdapter
from requests.structures import CaseInsensitiveDict

from research.sources.base import SourceRefusedError
from research.sources.providers.service import Service

_OK = 200


def session_of(service: Service) -> requests.Session:
    """Return a session for a package built on `requests`; environment and .netrc file are ignored."""
    session = requests.Session()
    session.trust_env = False
    session.adapters.clear()
    session.mount("http://", _ServiceAdapter(service))
    session.mount("https://", _ServiceAdapter(service))
    return session


def response_of(url: str, body: bytes) -> requests.Response:
    """Return an answer of the service as a response; its status is 200, since the service raises for others."""
    response = requests.Response()
    response.status_code = _OK
    response.headers = CaseInsensitiveDict({"Content-Type": "application/json"})
    response.encoding = "utf-8"
    response.raw = BytesIO(body)
    response.url = url
    return response


class _ServiceAdapter(BaseAdapter):
    """Passes each request to the service; a SourceError propagates through the package."""

    def __init__(self, service: Service) -> None:
        super().__init__()
        self._service = service

    def send(
        self,
        request: requests.PreparedRequest,
        stream: bool = False,
        timeout: float | tuple[float | None, float | None] | None = None,
        verify: bool | str = True,
        cert: bytes | str | tuple[bytes | str, bytes | str] | None = None,
        proxies: Mapping[str, str] | None = None,
    ) -> requests.Response:
        """See `BaseAdapter.send`. The service's time-outs, proxies and headers replace the package's."""
        body = request.body.encode() if isinstance(request.body, str) else request.body
        if not isinstance(body, bytes | None):
            raise SourceRefusedError(f"{self._service.name}: a body that is no JSON")
        answer = self._service.ask(request.method or "GET", request.url or "", body)
        response = response_of(answer.url, answer.body)
        response.request = request
        return response

    def close(self) -> None:
        """Do nothing: no connection is kept open."""
