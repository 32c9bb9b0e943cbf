"""A service that is asked directly holds nobody beyond the time of an attempt, whatever it drips."""

from __future__ import annotations

import re

import pytest

from core.errors import EmbeddingUnavailableError, RecognitionUnavailableError
from core.llm.bounded import post
from core.llm.embeddings import EndpointEmbedder
from pipeline.ocr_providers.base import Post, Service
from tests.support.servers.dripping import DRIPS, TIMES, dripping

#: The end of the time, or that of the connection.
_CUT = re.compile("ReadTimeout|ReadError|RemoteProtocolError")


@pytest.mark.parametrize("dripped", DRIPS)
def test_a_recognition_that_drips_is_cut(dripped: str) -> None:
    with dripping(*DRIPS[dripped]) as port, pytest.raises(RecognitionUnavailableError, match=_CUT):
        Service("abacus", Post(f"http://127.0.0.1:{port}/", {}, 0.4), 0.4, 1).ask({}, bytes.decode)


@pytest.mark.parametrize("dripped", DRIPS)
def test_vectors_that_drip_are_cut(dripped: str) -> None:
    with dripping(*DRIPS[dripped]) as port, pytest.raises(EmbeddingUnavailableError, match=_CUT):
        EndpointEmbedder(f"http://127.0.0.1:{port}", "some", 3, None, 0.4, 1).texts(["a boat"])


def test_an_answer_in_time_is_whole() -> None:
    with dripping(b"HTTP/1.1 200 OK\r\n\r\n", b".", b"ok") as port:
        assert post(f"http://127.0.0.1:{port}/", {}, {}, 60).content == b"." * TIMES + b"ok"
