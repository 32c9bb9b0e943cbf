"""Questions to Groq's chat completions, sent by the `groq` package."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import SecretStr

if TYPE_CHECKING:
    import httpx


@dataclass(frozen=True)
class GroqCompletions:
    """Sends a question once, see `pipeline.ocr_providers.service.Send`. A client is made anew for each."""

    address: str
    key: SecretStr
    timeout_seconds: float

    def __call__(self, question: Mapping[str, Any]) -> httpx.Response:
        """Return the answer, whatever its status. Raises what httpx raises."""
        # Half a second to import; most processes never ask.
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
        # What the HTTP client raised says more than what the package made of it.
        raise failure
