"""Attempts, waits and typed errors of a recognition service."""

from collections.abc import Iterator
from typing import Any

import pytest

from core.errors import RecognitionRefusedError, RecognitionUnavailableError
from pipeline.ocr_providers.base import Post, Service
from tests.support.servers.loopback import LoopbackServer, Request, Response

ANSWER = Response(200, b"4 lines")


class Script(LoopbackServer):
    """Answers in order."""

    def __init__(self) -> None:
        super().__init__()
        self.answers: list[Response] = []

    def respond(self, request: Request) -> Response:
        return self.answers.pop(0)


@pytest.fixture
def server() -> Iterator[Script]:
    with Script() as running:
        yield running


@pytest.fixture
def waits() -> list[float]:
    return []


def service(server: Script, waits: list[float], **own: Any) -> Service:
    facts = {"timeout_seconds": 10.0, "max_attempts": 3} | own
    post = Post(f"{server.url}/read", {"X-Key": "s3cret"}, facts["timeout_seconds"])
    return Service("abacus", post, sleep=waits.append, **facts)


def ask(asked: Service) -> str:
    return asked.ask({"picture": "ñ"}, lambda content: content.decode())


def test_the_question_is_json_with_the_key_in_a_header(server: Script, waits: list[float]) -> None:
    server.answers = [ANSWER]
    assert ask(service(server, waits)) == "4 lines"
    (request,) = server.requests
    assert (request.method, request.path, request.json()) == ("POST", "/read", {"picture": "ñ"})
    assert (request.headers["x-key"], request.headers["content-type"]) == ("s3cret", "application/json")
    assert waits == []


def test_it_waits_as_long_as_it_is_asked_to(server: Script, waits: list[float]) -> None:
    server.answers = [
        Response(429, headers={"Retry-After": "7"}),
        Response(503, headers={"Retry-After": "2.5"}),
        ANSWER,
    ]
    assert ask(service(server, waits)) == "4 lines"
    assert waits == [7.0, 2.5]


def test_without_being_asked_the_pauses_grow(server: Script, waits: list[float]) -> None:
    server.answers = [Response(500), Response(500), Response(500), ANSWER]
    assert ask(service(server, waits, max_attempts=4)) == "4 lines"
    assert 0.5 <= waits[0] <= 1.0 <= waits[1] <= 1.5 < 2.0 <= waits[2] <= 2.5


def test_a_wait_beyond_its_patience_is_left_to_the_queue(server: Script, waits: list[float]) -> None:
    server.answers = [Response(429, headers={"Retry-After": "31"})]
    with pytest.raises(RecognitionUnavailableError) as caught:
        ask(service(server, waits))
    assert caught.value.retryable and caught.value.retry_after == 31
    assert (waits, len(server.requests)) == ([], 1)


def test_attempts_end(server: Script, waits: list[float]) -> None:
    server.answers = [Response(500)] * 3
    with pytest.raises(RecognitionUnavailableError, match="abacus: http_500"):
        ask(service(server, waits))
    assert len(waits) == 2


def test_a_refusal_ends_them_at_once(server: Script, waits: list[float]) -> None:
    server.answers = [Response(403)]
    with pytest.raises(RecognitionRefusedError, match="abacus: http_403") as caught:
        ask(service(server, waits))
    assert not caught.value.retryable and waits == []


def test_a_redirect_is_not_followed(server: Script, waits: list[float]) -> None:
    server.answers = [Response(307, headers={"Location": f"{server.url}/elsewhere"})]
    with pytest.raises(RecognitionRefusedError):
        ask(service(server, waits))
    assert len(server.requests) == 1


def test_what_cannot_be_understood_is_asked_again_and_never_quoted(server: Script, waits: list[float]) -> None:
    server.answers = [Response(200, b"Marisol \xff")] * 3
    with pytest.raises(RecognitionUnavailableError, match="malformed") as caught:
        ask(service(server, waits))
    assert caught.value.__cause__ is None and caught.value.__context__ is None
    assert len(server.requests) == 3


@pytest.mark.parametrize("url", ["ftp://127.0.0.1/x", "no address", "http://[::1"])
def test_an_address_that_is_none_is_final(url: str, waits: list[float]) -> None:
    with pytest.raises(RecognitionRefusedError):
        ask(Service("abacus", Post(url, {}, 1.0), 1.0, 3, sleep=waits.append))
    assert waits == []


def test_it_shows_no_key() -> None:
    post = Post("http://127.0.0.1:9", {"X-Key": "s3cret"}, 1.0)
    assert "s3cret" not in f"{post!r} {Service('abacus', post, 1.0, 1)!r}"
