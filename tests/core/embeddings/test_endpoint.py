"""The endpoint: its answers, and the ways in which it fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from core.errors import EmbeddingError, EmbeddingUnavailableError
from core.llm.embeddings import EndpointEmbedder
from tests.support.servers.embeddings_server import KEY, EmbeddingsServer
from tests.support.servers.loopback import DROPPED, GATEWAY_PAGE, Request, Response, json_response


@pytest.fixture
def server() -> Iterator[EmbeddingsServer]:
    with EmbeddingsServer() as running:
        yield running


@pytest.fixture
def embedder(server: EmbeddingsServer) -> EndpointEmbedder:
    return EndpointEmbedder(f"{server.url}/v1/", "small", 16, KEY, 5.0, 2, sleep=lambda seconds: None)


def always(response: Response) -> Callable[[Request], Response]:
    return lambda request: response


def row(index: int, *numbers: float) -> dict[str, object]:
    return {"index": index, "embedding": numbers}


def test_many_texts_are_sent_in_several_requests_and_come_in_their_order(
    server: EmbeddingsServer, embedder: EndpointEmbedder
) -> None:
    texts = [f"text {number}" for number in range(150)]
    vectors = embedder.texts(texts)
    assert len(server.requests) == 3 and server.texts == texts
    assert np.allclose(vectors[149], embedder.texts(["text 149"])[0])


PASSING = [
    json_response({"error": {}}, 429, {"Retry-After": "1"}),
    json_response({"error": {}}, 500),
    DROPPED,
    GATEWAY_PAGE,
    json_response({"data": []}),
    json_response({"data": [row(0, *[1.0] * 16), row(0, *[1.0] * 16)]}),
    json_response({"data": [row(0, *[0.0] * 16)]}),
    Response(200, b'{"data": [{"index": 0, "embedding": [NaN, 1.0]}]}'),
]


@pytest.mark.parametrize("failure", PASSING)
def test_a_failure_that_may_pass_is_tried_again(
    failure: Response, server: EmbeddingsServer, embedder: EndpointEmbedder
) -> None:
    server.answers = [always(failure)]
    assert embedder.texts(["one"]).shape == (1, 16)
    server.answers = [always(failure)] * 2
    with pytest.raises(EmbeddingUnavailableError) as caught:
        embedder.texts(["one"])
    assert caught.value.retryable and KEY not in caught.value.detail


@pytest.mark.parametrize("status", [301, 400, 401, 404])
def test_a_refusal_is_final(status: int, server: EmbeddingsServer, embedder: EndpointEmbedder) -> None:
    server.answers = [always(json_response({"error": {"message": "one"}}, status, {"Location": server.url}))]
    with pytest.raises(EmbeddingError, match=f"http_{status}") as caught:
        embedder.texts(["one"])
    assert not caught.value.retryable and len(server.requests) == 1


def test_vectors_of_another_length_are_refused(server: EmbeddingsServer, embedder: EndpointEmbedder) -> None:
    server.dimensions = 8
    with pytest.raises(EmbeddingError, match="vectors of 8 numbers, EMBEDDINGS_DIMENSIONS says 16"):
        embedder.texts(["one"])


def test_an_address_that_is_none_is_refused(embedder: EndpointEmbedder) -> None:
    with pytest.raises(EmbeddingError, match="UnsupportedProtocol"):
        replace(embedder, base_url="nowhere").texts(["one"])


def test_another_model_server_or_length_is_another_embedder(embedder: EndpointEmbedder) -> None:
    others = [
        replace(embedder, model="large"),
        replace(embedder, dimensions=32),
        replace(embedder, base_url="https://elsewhere.example.org/v1"),
    ]
    assert len({embedder.content_id, *(one.content_id for one in others)}) == 4
    assert replace(embedder, key="other").content_id == embedder.content_id
