"""Both ways to a model: what is sent, what is retried, what is given up, and what is written down."""

import time
import traceback
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from email.utils import format_datetime

import pytest
from pydantic import BaseModel

from core.clock import utcnow
from core.config import Settings
from core.errors import ModelError, ModelReplyError, ModelUnavailableError
from core.llm import ChatModel, LedgerHandler, MemoryLedger, open_model
from tests.support.servers.groq_server import (
    DROPPED,
    GATEWAY_PAGE,
    SILENCE,
    GroqServer,
    answer,
    invalid_json,
    refusal,
    too_many,
)

SECRET = "Canary Quetzal"


class Colour(BaseModel):
    name: str


GOOD = answer({"name": "azul"}, tokens=(1000, 200))


@pytest.fixture
def server() -> Iterator[GroqServer]:
    with GroqServer() as running:
        yield running


def settings_for(server: GroqServer, way: str, **more: object) -> Settings:
    ways = {
        "groq": {"groq_api_key": server.key, "groq_base_url": server.url},
        "openai": {"llm_base_url": server.openai_url, "llm_api_key": server.key, "llm_model": "local-model"},
    }
    prices = {"llm_price_in": 0.5, "llm_price_out": 2.0}
    return Settings(_env_file=None, **{**ways[way], **prices, **more})  # type: ignore[arg-type]


class Desk:
    """A model, its ledger, and the pauses that it made."""

    def __init__(self, server: GroqServer, way: str, **more: object) -> None:
        opened = open_model(settings_for(server, way, **more))
        assert isinstance(opened, ChatModel)
        self.pauses: list[float] = []
        self.model = replace(opened, sleep=self.pauses.append)
        self.ledger = MemoryLedger()

    def ask(self, deadline: float | None = None) -> Colour:
        reply, self.usage = self.model.ask(
            "Name the colour.",
            SECRET,
            Colour,
            purpose="colour",
            deadline=deadline,
            callbacks=[LedgerHandler(self.ledger)],
        )
        return reply


@pytest.fixture(params=["groq", "openai"])
def desk(server: GroqServer, request: pytest.FixtureRequest) -> Desk:
    return Desk(server, request.param)


def test_answer_is_validated_and_counted(desk: Desk, server: GroqServer) -> None:
    server.script = [GOOD]
    assert desk.ask() == Colour(name="azul")
    assert (desk.usage.calls, desk.usage.tokens_in, desk.usage.tokens_out) == (1, 1000, 200)
    assert desk.usage.cost_usd == pytest.approx(0.0009)
    [call] = desk.ledger.calls
    assert (call.purpose, call.status, call.tokens_in, call.tokens_out) == ("colour", "ok", 1000, 200)
    assert call.cost_usd == pytest.approx(0.0009)
    assert (call.provider, call.model) == (desk.model.provider, desk.model.model)
    assert server.faults == []


def test_request_is_in_json_mode_and_bounded(desk: Desk, server: GroqServer) -> None:
    server.script = [GOOD]
    desk.ask()
    [body] = server.bodies
    assert body["response_format"] == {"type": "json_object"}
    assert body.get("max_tokens") or body.get("max_completion_tokens")
    assert body["messages"][-1] == {"role": "user", "content": SECRET}


def test_retry_after_in_seconds_is_honoured(desk: Desk, server: GroqServer) -> None:
    server.script = [too_many("7"), GOOD]
    desk.ask()
    assert desk.pauses == [7.0]
    assert [(call.attempt, call.error_code) for call in desk.ledger.calls] == [(1, "http_429"), (2, None)]


def test_retry_after_as_a_date_is_honoured(desk: Desk, server: GroqServer) -> None:
    server.script = [too_many(format_datetime(utcnow() + timedelta(seconds=30), usegmt=True)), GOOD]
    desk.ask()
    assert desk.pauses == [pytest.approx(29, abs=2)]


def test_wait_beyond_the_deadline_is_not_begun(desk: Desk, server: GroqServer) -> None:
    server.script = [too_many("3600"), GOOD]
    with pytest.raises(ModelUnavailableError) as caught:
        desk.ask()
    assert caught.value.retry_after == 3600
    assert caught.value.retryable
    assert (desk.pauses, len(server.requests)) == ([], 1)


@pytest.mark.parametrize(
    ("behaviour", "code"),
    [
        (refusal(500, "boom"), "http_500"),
        (refusal(502, "boom"), "http_502"),
        (refusal(503, "boom"), "http_503"),
        (DROPPED, "connection"),
        (GATEWAY_PAGE, "malformed"),
    ],
)
def test_passing_failures_are_tried_again(desk: Desk, server: GroqServer, behaviour, code: str) -> None:
    server.script = [behaviour, behaviour, GOOD]
    assert desk.ask().name == "azul"
    assert [call.error_code for call in desk.ledger.calls] == [code, code, None]
    assert len(desk.pauses) == 2 and all(0.5 <= pause <= 9 for pause in desk.pauses)


@pytest.mark.parametrize("way", ["groq", "openai"])
def test_silence_is_a_time_out_and_tried_again(server: GroqServer, way: str) -> None:
    desk = Desk(server, way, llm_timeout_seconds=0.3)
    server.script = [SILENCE, GOOD]
    desk.ask(deadline=time.monotonic() + 60)
    assert [call.error_code for call in desk.ledger.calls] == ["timeout", None]


def test_attempts_are_bounded(desk: Desk, server: GroqServer) -> None:
    server.otherwise = refusal(503, "boom")
    with pytest.raises(ModelUnavailableError):
        desk.ask()
    assert len(server.requests) == 3


def test_no_attempt_after_the_deadline(desk: Desk, server: GroqServer) -> None:
    with pytest.raises(ModelUnavailableError):
        desk.ask(deadline=time.monotonic() - 1)
    assert server.requests == []


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422])
def test_refusals_are_final(desk: Desk, server: GroqServer, status: int) -> None:
    server.script = [refusal(status, "no"), GOOD]
    with pytest.raises(ModelError) as caught:
        desk.ask()
    assert type(caught.value) is ModelError and not caught.value.retryable
    assert len(server.requests) == 1
    assert [call.error_code for call in desk.ledger.calls] == [f"http_{status}"]


@pytest.mark.parametrize(
    "unusable",
    [
        answer("{not json"),
        answer({"shade": "azul"}),
        answer("```json\n{}\n```"),
        answer('{"name": "az', finish="length"),
        invalid_json(SECRET),
    ],
)
def test_unusable_reply_is_mended_once(desk: Desk, server: GroqServer, unusable) -> None:
    server.script = [unusable, GOOD]
    assert desk.ask().name == "azul"
    assert [call.purpose for call in desk.ledger.calls] == ["colour", "colour.repair"]
    assert server.bodies[1]["messages"][-1]["content"].startswith("Your reply does not fit the schema")


def test_second_unusable_reply_is_an_error(desk: Desk, server: GroqServer) -> None:
    server.script = [answer({"name": 3}), answer({"name": [SECRET]}), GOOD]
    with pytest.raises(ModelReplyError) as caught:
        desk.ask()
    assert "name: string_type" in caught.value.detail
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    "behaviour",
    [refusal(400, SECRET), refusal(503, SECRET), answer({"shade": SECRET}), invalid_json(SECRET)],
)
def test_errors_and_logs_hold_neither_key_nor_content(
    desk: Desk, server: GroqServer, behaviour, caplog: pytest.LogCaptureFixture
) -> None:
    server.otherwise = behaviour
    with caplog.at_level("DEBUG", logger="core"), pytest.raises(ModelError) as caught:
        desk.ask()
    told = "".join(traceback.format_exception(caught.value)) + caplog.text + repr(desk.model)
    assert SECRET not in told and server.key not in told
    assert caught.value.__context__ is None


@pytest.mark.parametrize(("way", "variable"), [("groq", "groq_api_key"), ("openai", "llm_api_key")])
def test_wrong_key_is_final(server: GroqServer, way: str, variable: str) -> None:
    desk = Desk(server, way, **{variable: "wrong"})
    with pytest.raises(ModelError):
        desk.ask()
    assert [call.error_code for call in desk.ledger.calls] == ["http_401"]


def test_no_model_configured() -> None:
    assert open_model(Settings(_env_file=None)) is None
