"""Every way to a model: what is sent, what is retried, what is given up, and what is written down."""

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
from core.llm.chat import LedgerHandler
from core.llm.ledger import MemoryLedger
from core.llm.providers import ALL_PROVIDERS, open_model
from tests.support.servers.groq_server import GroqServer, invalid_json
from tests.support.servers.loopback import DROPPED, GATEWAY_PAGE, SILENCE, Response
from tests.support.servers.model_ways import GROQ_DEEP, WAYS, Server, Way

SECRET = "Canary Quetzal"


class Colour(BaseModel):
    name: str


class Desk:
    """A model, the server that it asks, its ledger, and the pauses that it made."""

    def __init__(self, way: Way, server: Server, **more: object) -> None:
        self.server, self.answer, self.refusal = server, way.wire.answer, way.wire.refusal
        self.too_many = way.wire.too_many
        self.good = self.answer({"name": "azul"}, tokens=(1000, 200))
        self.pauses: list[float] = []
        self.model = replace(way.open(server, **more), sleep=self.pauses.append)
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


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> Way:
    return WAYS[request.param]


@pytest.fixture
def server(way: Way) -> Iterator[Server]:
    with way.serve() as running:
        yield running


@pytest.fixture
def desk(way: Way, server: Server) -> Desk:
    return Desk(way, server)


def test_every_provider_is_tried_here() -> None:
    assert {way.provider for way in WAYS.values()} == {provider.name for provider in ALL_PROVIDERS}


def test_answer_is_validated_and_counted(desk: Desk) -> None:
    desk.server.script = [desk.good]
    assert desk.ask() == Colour(name="azul")
    assert (desk.usage.calls, desk.usage.tokens_in, desk.usage.tokens_out) == (1, 1000, 200)
    assert desk.usage.cost_usd == pytest.approx(0.0009)
    [call] = desk.ledger.calls
    assert (call.purpose, call.status, call.tokens_in, call.tokens_out) == ("colour", "ok", 1000, 200)
    assert call.cost_usd == pytest.approx(0.0009)
    assert (call.provider, call.model) == (desk.model.provider, desk.model.model)
    assert desk.server.faults == []


def test_request_is_bounded_and_streamed_where_the_provider_has_it(desk: Desk, way: Way) -> None:
    desk.server.script = [desk.good]
    desk.ask()
    [body] = desk.server.bodies
    assert body.get("max_tokens") or body.get("max_completion_tokens")
    assert body["messages"][-1] == {"role": "user", "content": SECRET}
    assert bool(body.get("stream")) is way.streamed
    if way.provider != "anthropic":
        assert body["response_format"] == {"type": "json_object"}


@pytest.mark.parametrize("way", [*WAYS.values(), GROQ_DEEP], ids=lambda way: f"{way.provider}-{way.deep}")
def test_no_temperature_beside_reasoning(way: Way) -> None:
    with way.serve() as server:
        desk = Desk(way, server, deep_effort="high")
        server.script = [desk.good]
        desk.ask()
        assert ("temperature" in server.bodies[0]) is not way.deep
        assert server.faults == []


def test_retry_after_in_seconds_is_honoured(desk: Desk) -> None:
    desk.server.script = [desk.too_many("7"), desk.good]
    desk.ask()
    assert desk.pauses == [7.0]
    assert [(call.attempt, call.error_code) for call in desk.ledger.calls] == [(1, "http_429"), (2, None)]


def test_retry_after_as_a_date_is_honoured(desk: Desk) -> None:
    desk.server.script = [desk.too_many(format_datetime(utcnow() + timedelta(seconds=30), usegmt=True)), desk.good]
    desk.ask()
    assert desk.pauses == [pytest.approx(29, abs=2)]


def test_wait_beyond_the_deadline_is_not_begun(desk: Desk) -> None:
    desk.server.script = [desk.too_many("3600"), desk.good]
    with pytest.raises(ModelUnavailableError) as caught:
        desk.ask()
    assert caught.value.retry_after == 3600
    assert caught.value.retryable
    assert (desk.pauses, len(desk.server.requests)) == ([], 1)


@pytest.mark.parametrize(
    ("behaviour", "code"),
    [
        (500, "http_500"),
        (502, "http_502"),
        (503, "http_503"),
        (DROPPED, "connection"),
        (GATEWAY_PAGE, "malformed"),
    ],
)
def test_passing_failures_are_tried_again(desk: Desk, behaviour: int | Response, code: str) -> None:
    failure = desk.refusal(behaviour, "boom") if isinstance(behaviour, int) else behaviour
    desk.server.script = [failure, failure, desk.good]
    assert desk.ask().name == "azul"
    assert [call.error_code for call in desk.ledger.calls] == [code, code, None]
    assert len(desk.pauses) == 2 and all(0.5 <= pause <= 9 for pause in desk.pauses)


def test_an_answer_that_breaks_off_is_tried_again(desk: Desk) -> None:
    desk.server.script = [lambda body: replace(desk.good(body), cut=True), desk.good]
    assert desk.ask().name == "azul"
    assert [call.error_code for call in desk.ledger.calls] == ["connection", None]


def test_silence_is_a_time_out_and_tried_again(way: Way, server: Server) -> None:
    desk = Desk(way, server, **{way.timeout: 2})
    server.script = [SILENCE, desk.good]
    desk.ask(deadline=time.monotonic() + 60)
    assert [call.error_code for call in desk.ledger.calls] == ["timeout", None]


def test_attempts_are_bounded(desk: Desk) -> None:
    desk.server.otherwise = desk.refusal(503, "boom")
    with pytest.raises(ModelUnavailableError):
        desk.ask()
    assert len(desk.server.requests) == 3


def test_no_attempt_after_the_deadline(desk: Desk) -> None:
    with pytest.raises(ModelUnavailableError):
        desk.ask(deadline=time.monotonic() - 1)
    assert desk.server.requests == []


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422])
def test_refusals_are_final(desk: Desk, status: int) -> None:
    desk.server.script = [desk.refusal(status, "no"), desk.good]
    with pytest.raises(ModelError) as caught:
        desk.ask()
    assert type(caught.value) is ModelError and not caught.value.retryable
    assert len(desk.server.requests) == 1
    assert [call.error_code for call in desk.ledger.calls] == [f"http_{status}"]


@pytest.mark.parametrize(
    ("said", "finish"),
    [("{not json", "stop"), ({"shade": "azul"}, "stop"), ("```json\n{}\n```", "stop"), ('{"name": "az', "length")],
)
def test_unusable_reply_is_mended_once(desk: Desk, said: object, finish: str) -> None:
    desk.server.script = [desk.answer(said, finish=finish), desk.good]
    assert desk.ask().name == "azul"
    assert [call.purpose for call in desk.ledger.calls] == ["colour", "colour.repair"]
    assert desk.server.bodies[1]["messages"][-1]["content"].startswith("Your reply does not fit the schema")


@pytest.mark.parametrize(
    "said", ['```json\n{"name": "azul"}\n```', 'Here is the colour:\n\n{"name": "azul"}\n\nI hope that helps.']
)
def test_what_is_written_around_the_object_costs_no_repair(desk: Desk, said: str) -> None:
    desk.server.script = [desk.answer(said)]
    assert desk.ask().name == "azul"
    assert len(desk.server.requests) == 1


@pytest.mark.parametrize(
    "said", ['[{"name": "rojo"}]', 'Not {this}: {"name": "rojo"}', '{"name": "rojo"} {"name": "lila"}']
)
def test_what_is_no_single_object_is_asked_for_again(desk: Desk, said: str) -> None:
    desk.server.script = [desk.answer(said), desk.good]
    assert desk.ask().name == "azul"


def test_groqs_refusal_of_what_is_no_json_is_mended() -> None:
    with GroqServer() as server:
        desk = Desk(WAYS["groq"], server)
        server.script = [invalid_json(SECRET), desk.good]
        assert desk.ask().name == "azul"
        assert [call.error_code for call in desk.ledger.calls] == ["reply", None]


def test_second_unusable_reply_is_an_error(desk: Desk) -> None:
    desk.server.script = [desk.answer({"name": 3}), desk.answer({"name": [SECRET]}), desk.good]
    with pytest.raises(ModelReplyError) as caught:
        desk.ask()
    assert "name: string_type" in caught.value.detail
    assert len(desk.server.requests) == 2


@pytest.mark.parametrize("behaviour", [400, 503, "unusable", "cut"])
def test_errors_and_logs_hold_neither_key_nor_content(
    desk: Desk, behaviour: int | str, caplog: pytest.LogCaptureFixture
) -> None:
    said = desk.answer({"shade": SECRET})
    replies = {"unusable": said, "cut": lambda body: replace(said(body), cut=True)}
    desk.server.otherwise = desk.refusal(behaviour, SECRET) if isinstance(behaviour, int) else replies[behaviour]
    with caplog.at_level("DEBUG", logger="core"), pytest.raises(ModelError) as caught:
        desk.ask()
    told = "".join(traceback.format_exception(caught.value)) + caplog.text + repr(desk.model)
    assert SECRET not in told and desk.server.key not in told
    assert caught.value.__context__ is None


def test_wrong_key_is_final(way: Way, server: Server) -> None:
    desk = Desk(way, server, **{way.key: "wrong"})
    with pytest.raises(ModelError):
        desk.ask()
    assert [call.error_code for call in desk.ledger.calls] == ["http_401"]


def test_no_model_configured() -> None:
    assert open_model(Settings(_env_file=None)) is None
