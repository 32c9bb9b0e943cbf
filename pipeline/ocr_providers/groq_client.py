"""Client of Groq's chat completions, using the `groq` package."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import SecretStr

if TYPE_CHECKING:
    import httpx


@dataclass(frozen=True)
class GroqCompletions:
    """Sends a request once, see `pipeline.ocr_providers.service.Send`; creates a new client for each."""

    address: str
    key: SecretStr
    timeout_seconds: float

    def __call__(self, question: Mapping[str, Any]) -> httpx.Response:
        """Return the response, whatever its status. Raises httpx's exceptions."""
        # The import takes half a second, and most processes never send a request.
        import groq

        with groq.Groq(
            api_key=self.key.get_secret_value(),
            base_url=self.address,
            timeout=self.timeout_seconds,
            max_retries=0,
            # Redirects are not followed: picture and key would go along.
            http_client=groq.DefaultHttpxClient(follow_redirects=False),
        ) as client:
            try:
                return client.chat.completions.with_raw_response.create(**question).http_response
            except groq.APIStatusError as exc:
                return exc.response
            except groq.APIConnectionError as exc:
                failure = exc.__cause__ or exc
        # The HTTP client's exception is more specific than the package's.
        raise failure
