"""Choose the embedder that the settings name."""

from __future__ import annotations

from functools import lru_cache

from core.config import Settings
from core.embeddings.embedder import Embedder
from core.embeddings.endpoint import EndpointEmbedder
from core.embeddings.local import LocalEmbedder, is_installed
from core.embeddings.none import NoEmbedder


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
    """Return the length of the vectors that the database should store; without an embedder, of those to come."""
    return open_embedder(settings).dimensions or settings.embeddings_dimensions


@lru_cache(maxsize=1)
def _local(threads: int) -> LocalEmbedder:
    """One for the process: it holds 75 MB once it was used."""
    return LocalEmbedder(threads)
