"""One request to a recognition service: attempts, waits and typed errors, the same for every service.

Errors name the service and the kind of failure but never quote request or response, which hold a child's entry.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from core.errors import RecognitionError, RecognitionRefusedError, RecognitionUnavailableError
from core.http_retry import may_pass, seconds_to_wait
from core.retry import Attempts

if TYPE_CHECKING:
    import httpx

T = TypeVar("T")

#: The status of a successful response.
_ANSWERED = 200


#: Sends a request once and returns the response, whatever its status. Raises httpx's exceptions.
Send = Callable[[Mapping[str, object]], "httpx.Response"]


@dataclass(frozen=True)
class Post:
    """Sends a request as JSON, for services without a package of their own; uses a new connection for each."""

    url: str
    #: Headers with the API key: addresses end up in logs, headers do not.
    headers: Mapping[str, str] = field(repr=False)
    timeout_seconds: float

    def __call__(self, body: Mapping[str, object]) -> httpx.Response:
        """See `Send`."""
        # The import takes a tenth of a second, and most processes never send a request.
        import httpx

        # Redirects are not followed: picture and key would go along.
        return httpx.post(
            self.url,
            json=body,
            headers=dict(self.headers),
            timeout=self.timeout_seconds,
            follow_redirects=False,
        )


@dataclass(frozen=True)
class Service:
    """A recognition service, with retries and typed errors."""

    name: str
    send: Send = field(repr=False)
    #: Timeout of one attempt, in seconds.
    timeout_seconds: float
    max_attempts: int
    #: Whether a refusal with a final status is still worth a retry, by its body.
    passing: Callable[[bytes], bool] = lambda body: False
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)

    def ask(self, body: Mapping[str, object], understand: Callable[[bytes], T]) -> T:
        """Send `body` as JSON and return the response as parsed by `understand`.

        `understand` raises ValueError for a malformed response, or a RecognitionError of its own.
        Raises RecognitionUnavailableError (retryable) or RecognitionRefusedError.
        """
        attempts = Attempts(self.max_attempts, self.timeout_seconds * self.max_attempts, self.sleep)
        return attempts(lambda: self._attempt(body, understand))

    def _attempt(self, body: Mapping[str, object], understand: Callable[[bytes], T]) -> T:
        response = self._sent(body)
        if response.status_code != _ANSWERED:
            raise self._refusal(response)
        try:
            return understand(response.content)
        except ValueError:
            pass
        # Raised outside the handler: a validation error quotes the response and must not be chained.
        raise RecognitionUnavailableError(f"{self.name}: malformed answer")

    def _sent(self, body: Mapping[str, object]) -> httpx.Response:
        import httpx

        try:
            return self.send(body)
        except (httpx.UnsupportedProtocol, httpx.LocalProtocolError, httpx.InvalidURL, UnicodeError) as exc:
            failure: RecognitionError = RecognitionRefusedError(f"{self.name}: {type(exc).__name__}")
        except httpx.HTTPError as exc:
            failure = RecognitionUnavailableError(f"{self.name}: {type(exc).__name__}")
        # Raised outside the handler: the cause may quote the key.
        raise failure

    def _refusal(self, response: httpx.Response) -> RecognitionError:
        detail = f"{self.name}: http_{response.status_code}"
        if may_pass(response.status_code) or self.passing(response.content):
            wait = seconds_to_wait(response.headers.get("retry-after"))
            return RecognitionUnavailableError(detail, retry_after=wait)
        return RecognitionRefusedError(detail)
