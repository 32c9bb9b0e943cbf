"""Answers that no provider should give: none ends in anything but a reply or an error of our own."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from pydantic import BaseModel

from core.errors import ModelUnavailableError
from core.llm import bounded
from core.llm.chat import LedgerHandler
from core.llm.ledger import MemoryLedger, ModelCall
from tests.support.servers.groq_server import answer
from tests.support.servers.loopback import Response
from tests.support.servers.model_ways import VISION_WAYS, WAYS, Server, Way

JSON = {"Content-Type": "application/json"}
#: Bytes of a stream of events are counted like those of any other answer.
EVENTS = {"Content-Type": "text/event-stream"}
#: Without streams: what these are made of is parsed elsewhere.
PLAIN = {name: way for name, way in {**WAYS, **VISION_WAYS}.items() if not way.streamed}


class Colour(BaseModel):
    name: str


@pytest.fixture(params=PLAIN)
def way(request: pytest.FixtureRequest) -> Way:
    return PLAIN[request.param]


@pytest.fixture
def server(way: Way) -> Iterator[Server]:
    with way.serve() as running:
        yield running


def asked(way: Way, server: Server, **more: object) -> list[ModelCall]:
    """The calls of one question; each attempt follows at once."""
    ledger = MemoryLedger()
    model = replace(way.open(server, llm_max_attempts=2, **more), sleep=lambda seconds: None)
    model.ask("?", "?", Colour, purpose="test", callbacks=[LedgerHandler(ledger)])
    return ledger.calls


@pytest.mark.parametrize("body", [b"[" * 200_000, b"[]", b"null", b'{"choices": [], "content": [7]}', b"\xff"])
def test_a_body_of_another_shape_is_a_passing_failure(way: Way, server: Server, body: bytes) -> None:
    server.otherwise = Response(200, body, JSON)
    with pytest.raises(ModelUnavailableError):
        asked(way, server)
    assert len(server.requests) == 2


@pytest.mark.parametrize("number", [10**12, -5, "many", 1.5, None])
def test_impossible_numbers_of_tokens_count_as_none(way: Way, server: Server, number: Any) -> None:
    """The ledger's numbers have an end, and a cost is never below zero."""

    def reported(body: dict[str, Any]) -> Response:
        usual: Response = way.wire.answer({"name": "azul"}, tokens=(111_111, 3))(body)
        return replace(usual, body=usual.body.replace(b"111111", json.dumps(number).encode()))

    server.otherwise = reported
    if number == "many" and way.provider == "anthropic":
        # The package adds the two numbers itself.
        with pytest.raises(ModelUnavailableError):
            asked(way, server)
        return
    [call] = asked(way, server)
    assert (call.tokens_in, call.tokens_out) == (0, 3) and call.cost_usd >= 0


@pytest.mark.parametrize("way", [WAYS["groq"], WAYS["openai"]], ids=["groq", "openai"])
def test_a_warning_does_not_quote_the_answer(way: Way, server: Server) -> None:
    """Some servers give the content as a list, which the packages take; warnings are errors in tests."""
    whole = json.loads(answer("x")({"model": "m"}).body)  # type: ignore[operator]
    whole["choices"][0]["message"]["content"] = [{"type": "text", "text": '{"name": "azul"}'}]
    server.otherwise = Response(200, json.dumps(whole).encode(), JSON)
    assert [call.error_code for call in asked(way, server)] == [None]


@pytest.mark.parametrize("name", {**WAYS, **VISION_WAYS})
def test_an_answer_that_drips_ends_with_the_time_of_its_attempt(name: str) -> None:
    way = {**WAYS, **VISION_WAYS}[name]
    with way.serve() as server:
        server.otherwise = Response(200, b"", EVENTS if way.streamed else JSON, endless=b" ", pause=0.05)
        began = time.monotonic()
        with pytest.raises(ModelUnavailableError) as caught:
            asked(way, server, **{way.timeout: 0.4})
        assert "timeout" in caught.value.detail
        assert time.monotonic() - began < 5


def test_an_answer_without_end_is_not_kept(way: Way, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded, "_MOST_BYTES", 1 << 20)
    server.otherwise = Response(200, b"", JSON, endless=b" " * (1 << 18), pause=0.0)
    with pytest.raises(ModelUnavailableError) as caught:
        asked(way, server)
    assert "connection" in caught.value.detail
