"""A model that is shown pictures: what each provider is sent, and that no picture is kept or traced."""

import base64
import random
import time
import traceback
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from typing import get_args

import pytest
from langchain_core.runnables import RunnableLambda
from PIL import Image
from pydantic import BaseModel

from core.config import Settings, load_settings
from core.errors import ConfigurationError, ModelError
from core.llm.chat import ChatModel, LedgerHandler
from core.llm.ledger import MemoryLedger, ModelCall, Picture
from core.llm.providers import ALL_PROVIDERS, open_deep_model, open_model, open_vision_model
from core.tracing.traces import flush_traces, trace_callbacks
from tests.support.servers.anthropic_server import AnthropicServer, answer
from tests.support.servers.groq_server import GroqServer
from tests.support.servers.langsmith_server import LangSmithServer
from tests.support.servers.loopback import SILENCE
from tests.support.servers.model_ways import VISION_WAYS, Server, Way

QUESTION = "Which colour is written?"
URL = "http://127.0.0.1:9/v1"


class Colour(BaseModel):
    name: str


def _picture(kind: str) -> Picture:
    """A picture that no packing makes small."""
    encoded = BytesIO()
    Image.frombytes("L", (40, 30), random.Random(7).randbytes(1200)).save(encoded, kind.upper())
    return Picture(encoded.getvalue(), "image/png" if kind == "png" else "image/jpeg")


PICTURE = _picture("png")
ENCODED = base64.b64encode(PICTURE.data).decode()


@pytest.fixture(params=VISION_WAYS)
def way(request: pytest.FixtureRequest) -> Way:
    return VISION_WAYS[request.param]


@pytest.fixture
def server(way: Way) -> Iterator[Server]:
    with way.serve() as running:
        running.otherwise = way.wire.answer({"name": "azul"}, tokens=(1000, 200))
        yield running
        assert running.faults == []


def opened(way: Way, server: Server, **more: object) -> ChatModel:
    return replace(way.open(server, **more), sleep=lambda seconds: None)


def asked(model: ChatModel, picture: Picture = PICTURE) -> list[ModelCall]:
    """The calls of one question, which is answered."""
    ledger = MemoryLedger()
    deadline = time.monotonic() + 60
    callbacks = [LedgerHandler(ledger)]
    reply, _ = model.ask(
        "?", QUESTION, Colour, purpose="see", deadline=deadline, callbacks=callbacks, picture=picture
    )
    assert reply.name == "azul"
    return ledger.calls


def shown(way: Way, server: Server) -> list[bytes]:
    """The picture of each request; each has one."""
    urls = [way.wire.picture_urls(body["messages"]) for body in server.bodies]
    return [base64.b64decode(url.partition(",")[2]) for (url,) in urls]


@pytest.mark.parametrize("kind", ["png", "jpeg"])
def test_the_picture_arrives_byte_for_byte_beside_its_question(way: Way, server: Server, kind: str) -> None:
    picture = _picture(kind)
    [call] = asked(opened(way, server), picture)
    [body], [sent] = server.bodies, shown(way, server)
    assert sent == picture.data
    [url] = way.wire.picture_urls(body["messages"])
    assert url.startswith(f"data:{picture.media_type};base64,")
    assert body["messages"][-1]["content"][0] == {"type": "text", "text": QUESTION}
    assert (call.provider, call.model) == (way.provider, body["model"])
    assert call.cost_usd == pytest.approx(0.0009)


def test_the_reply_is_short_cool_and_an_object(way: Way, server: Server) -> None:
    asked(opened(way, server))
    [body] = server.bodies
    assert body.get("max_tokens", body.get("max_completion_tokens")) == 1200
    assert body["temperature"] == pytest.approx(0, abs=1e-6) and not body.get("stream")
    assert "thinking" not in body
    if way.provider != "anthropic":
        assert body["response_format"] == {"type": "json_object"}


def test_a_newer_claude_is_sent_no_temperature() -> None:
    with AnthropicServer(otherwise=answer({"name": "azul"})) as server:
        asked(opened(VISION_WAYS["anthropic"], server, vision_model="claude-opus-5"))
        assert "temperature" not in server.bodies[0] and server.faults == []


def test_another_attempt_and_the_repair_show_the_picture_again(way: Way, server: Server) -> None:
    server.script = [way.wire.too_many("1"), way.wire.answer('{"name": "az'), way.wire.refusal(503, "boom")]
    calls = asked(opened(way, server))
    assert [(call.purpose, call.error_code) for call in calls] == [
        ("see", "http_429"),
        ("see", None),
        ("see.repair", "http_503"),
        ("see.repair", None),
    ]
    assert shown(way, server) == [PICTURE.data] * 4
    assert str(server.bodies[-1]["messages"][-1]["content"]).startswith("Your reply does not fit the schema")


def test_silence_is_a_time_out_of_its_own(way: Way, server: Server) -> None:
    server.script = [SILENCE]
    calls = asked(opened(way, server, **{way.timeout: 0.3}))
    assert [call.error_code for call in calls] == ["timeout", None]


@pytest.mark.parametrize("status", [200, 400, 503])
def test_errors_and_logs_hold_no_picture(
    way: Way, server: Server, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever the provider quotes."""
    quoted = way.wire.answer({"shade": ENCODED}) if status == 200 else way.wire.refusal(status, ENCODED)
    server.otherwise = quoted
    with caplog.at_level("DEBUG", logger="core"), pytest.raises(ModelError) as caught:
        asked(opened(way, server))
    told = "".join(traceback.format_exception(caught.value)) + caplog.text + repr(PICTURE)
    assert not _holds_picture(told) and server.key not in told


def _holds_picture(text: str) -> bool:
    """Whether any longer piece of the picture is there, in base64 or as Python writes bytes."""
    pieces = [ENCODED[at : at + 40] for at in range(0, len(ENCODED) - 40, 40)]
    return any(piece in text for piece in [*pieces, repr(PICTURE.data[100:120])[2:-1]])


@pytest.mark.parametrize("content", [True, False])
@pytest.mark.parametrize("status", [200, 400])
def test_traces_hold_no_picture(way: Way, server: Server, status: int, content: bool) -> None:
    """Nor where content is traced: neither of a chain's input, the model's, its reply or its error."""
    if status == 200:
        server.script = [way.wire.answer({"name": ENCODED})]
    else:
        server.script = [way.wire.refusal(status, ENCODED)]
    with LangSmithServer() as langsmith:
        settings = Settings(
            _env_file=None,
            langsmith_tracing=True,
            langsmith_api_key=langsmith.key,
            langsmith_endpoint=langsmith.url,
            langsmith_send_content=content,
        )
        model = opened(way, server)
        chain = RunnableLambda(
            lambda given: model.ask("?", QUESTION, Colour, purpose="see", picture=given["picture"])[0].name
        )
        try:
            chain.invoke({"picture": PICTURE}, {"callbacks": trace_callbacks(settings)})
        except ModelError:
            assert status != 200
        flush_traces(settings)
        assert (QUESTION in langsmith.text) is content
        assert len(langsmith.runs) == 2 and not _holds_picture(langsmith.text)


def test_no_other_key_switches_it_on_and_it_switches_on_nothing_else() -> None:
    others = {"groq_api_key": "k", "anthropic_api_key": "k", "llm_base_url": URL, "llm_model": "m"}
    assert open_vision_model(load_settings(_env_file=None, **others, vision_api_key="k")) is None
    for provider in ALL_PROVIDERS:
        own = {
            "vision_model": "m",
            "vision_provider": provider.name,
            "vision_base_url": URL,
            "vision_api_key": "k",
        }
        settings = load_settings(_env_file=None, **own)
        seeing = open_vision_model(settings)
        assert seeing is not None and (seeing.provider, seeing.model) == (provider.name, "m")
        assert open_model(settings) is None and open_deep_model(settings) is None
        assert not settings.model_configured


def test_it_is_sent_no_key_of_the_text_model() -> None:
    others = {"llm_base_url": URL, "llm_model": "m", "llm_api_key": "canary", "groq_api_key": "canary"}
    with GroqServer() as server:
        model = opened(VISION_WAYS["openai"], server, **others, vision_api_key=None)
        with pytest.raises(ModelError, match="http_401"):
            asked(model)
        assert "canary" not in str(server.requests[0].headers)


@pytest.mark.parametrize(
    ("given", "needed"),
    [
        ({}, "VISION_BASE_URL"),
        ({"vision_api_key": "k", "llm_base_url": URL, "llm_model": "m"}, "VISION_BASE_URL"),
        ({"vision_provider": "groq", "groq_api_key": "k"}, "VISION_API_KEY"),
        ({"vision_provider": "anthropic", "anthropic_api_key": "k", "vision_base_url": URL}, "VISION_API_KEY"),
    ],
)
def test_a_vision_model_needs_its_own_address_or_key(given: dict[str, object], needed: str) -> None:
    with pytest.raises(
        ConfigurationError, match=f"{needed} must be set when VISION_MODEL is set and VISION_PROVIDER"
    ):
        load_settings(_env_file=None, vision_model="m", **given)


def test_every_provider_can_be_named() -> None:
    named = get_args(Settings.model_fields["vision_provider"].annotation)
    assert {provider.name for provider in ALL_PROVIDERS} == set(named)
    assert {way.provider for way in VISION_WAYS.values()} == set(named)
