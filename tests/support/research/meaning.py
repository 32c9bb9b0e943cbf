"""A context whose embedder is a loopback endpoint, and what is stored of vectors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import text

from core.config import Settings
from services.context import Context
from tests.support.servers.embeddings_server import KEY, EmbeddingsServer
from tests.support.site import tidy_context


@contextmanager
def context_with_embedder(settings: Settings, server: EmbeddingsServer, model: str = "small") -> Iterator[Context]:
    """A tidied context with the server as its embedder."""
    given = {
        "embeddings_provider": "endpoint",
        "embeddings_base_url": f"{server.url}/v1",
        "embeddings_api_key": type(settings).model_validate({"embeddings_api_key": KEY}).embeddings_api_key,
        "embeddings_model": model,
        "embeddings_max_attempts": 1,
    }
    with tidy_context(settings.model_copy(update=given)) as context:
        yield context


def vectors_of_texts(context: Context) -> int:
    """How many vectors are stored for texts of documents and reports."""
    return context.database.one(
        text(
            "select count(*) from embeddings.passage_embeddings e"
            " where exists (select from embeddings.passage_texts t where t.content = e.content)"
        )
    )
