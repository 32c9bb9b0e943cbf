"""An OpenAI-compatible server: `POST <base>/embeddings`.

Format: https://platform.openai.com/docs/api-reference/embeddings. Errors name the kind of failure and never quote
a request or an answer.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from pydantic import BaseModel, ValidationError

from core.embeddings.embedder import Vectors
from core.errors import EmbeddingError, EmbeddingUnavailableError
from core.http_retry import may_pass, seconds_to_wait
from core.retry import Attempts

if TYPE_CHECKING:
    import httpx

#: Texts of one request.
_BATCH = 64
#: Characters of a text that are sent: most models read 512 tokens.
_MOST_CHARACTERS = 8000


class _Item(BaseModel):
    index: int
    embedding: list[float]


class _Reply(BaseModel):
    data: list[_Item]


@dataclass(frozen=True)
class EndpointEmbedder:
    """The provider named "endpoint"."""

    name: ClassVar[str] = "endpoint"

    base_url: str
    model: str
    dimensions: int
    key: str | None = field(repr=False)
    #: Of one attempt.
    timeout_seconds: float
    max_attempts: int
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)

    @property
    def content_id(self) -> str:
        """See `Embedder.content_id`. A server does not tell when the model behind a name changes."""
        told = f"{self.base_url.rstrip('/')} {self.model} {self.dimensions}"
        return f"{self.model}:{hashlib.sha256(told.encode()).hexdigest()[:16]}"

    def texts(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.texts`. Raises EmbeddingUnavailableError where the failure may pass."""
        found = np.empty((len(texts), self.dimensions), dtype=np.float32)
        for start in range(0, len(texts), _BATCH):
            batch = texts[start : start + _BATCH]
            attempts = Attempts(self.max_attempts, self.timeout_seconds * self.max_attempts, self.sleep)
            found[start : start + len(batch)] = attempts(lambda batch=batch: self._asked(batch))  # type: ignore[misc]
        return found

    def questions(self, questions: Sequence[str]) -> Vectors:
        """See `Embedder.questions`."""
        return self.texts(questions)

    def _asked(self, texts: Sequence[str]) -> Vectors:
        # Servers refuse an empty text.
        given = [text[:_MOST_CHARACTERS].strip() or "-" for text in texts]
        response = self._sent({"model": self.model, "input": given, "dimensions": self.dimensions})
        if response.status_code != 200:
            raise _refusal(response)
        try:
            vectors = _vectors(_Reply.model_validate_json(response.content), len(texts))
        except (ValidationError, ValueError):
            vectors = None
        # Raised outside the handler: a validation error quotes the answer.
        if vectors is None:
            raise EmbeddingUnavailableError("the embeddings endpoint gave a malformed answer")
        if vectors.shape[1] != self.dimensions:
            raise EmbeddingError(
                f"the embeddings endpoint gives vectors of {vectors.shape[1]} numbers, "
                f"EMBEDDINGS_DIMENSIONS says {self.dimensions}"
            )
        return vectors

    def _sent(self, body: dict[str, object]) -> httpx.Response:
        # The import takes a tenth of a second, and most processes never send a request.
        import httpx

        try:
            # Redirects are not followed: texts and key would go along.
            return httpx.post(
                self.base_url.rstrip("/") + "/embeddings",
                json=body,
                headers={"Authorization": f"Bearer {self.key}"} if self.key else {},
                timeout=self.timeout_seconds,
                follow_redirects=False,
            )
        except (httpx.UnsupportedProtocol, httpx.LocalProtocolError, httpx.InvalidURL, UnicodeError) as exc:
            failure: EmbeddingError = EmbeddingError(f"the embeddings endpoint: {type(exc).__name__}")
        except httpx.HTTPError as exc:
            failure = EmbeddingUnavailableError(f"the embeddings endpoint: {type(exc).__name__}")
        # Raised outside the handler: the cause may quote the key.
        raise failure


def _vectors(reply: _Reply, wanted: int) -> Vectors:
    """Return the normalised vectors in the order of their texts. Raises ValueError unless each has one."""
    items = sorted(reply.data, key=lambda item: item.index)
    if [item.index for item in items] != list(range(wanted)):
        raise ValueError("not one vector for each text")
    vectors = np.array([item.embedding for item in items], dtype=np.float32)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.isfinite(vectors).all() or not lengths.all():
        raise ValueError("no vectors")
    return np.asarray(vectors / lengths, dtype=np.float32)


def _refusal(response: httpx.Response) -> EmbeddingError:
    detail = f"the embeddings endpoint: http_{response.status_code}"
    if may_pass(response.status_code):
        return EmbeddingUnavailableError(detail, retry_after=seconds_to_wait(response.headers.get("retry-after")))
    return EmbeddingError(detail)
