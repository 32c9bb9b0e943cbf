"""What Anthropic is sent for each kind of model, and how its streams can fail."""

import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from langchain_anthropic.data._profiles import _PROFILES
from pydantic import BaseModel

from core.config import Settings
from core.errors import ModelError, ModelUnavailableError
from core.llm.chat import ChatModel, LedgerHandler
from core.llm.ledger import MemoryLedger
from core.llm.providers import open_deep_model, open_model, takes_budget
from tests.support.servers import anthropic_server as wire
from tests.support.servers.anthropic_server import AnthropicServer, answer
from tests.support.servers.model_ways import WAYS


class Colour(BaseModel):
    name: str


GOOD = answer({"name": "azul"})


@pytest.fixture
def server() -> Iterator[AnthropicServer]:
    with AnthropicServer(otherwise=GOOD) as running:
        yield running
        assert running.faults == []


def opened(server: AnthropicServer, **more: object) -> ChatModel:
    return replace(WAYS["anthropic"].open(server, **more), sleep=lambda seconds: None)


def asked(server: AnthropicServer, **more: object) -> list[tuple[str | None, int, int]]:
    """The ledger after one question: error, tokens in and out of each attempt."""
    ledger = MemoryLedger()
    try:
        opened(server, **more).ask("?", "?", Colour, purpose="test", callbacks=[LedgerHandler(ledger)])
    finally:
        found = [(call.error_code, call.tokens_in, call.tokens_out) for call in ledger.calls]
    return found


def test_the_seeds_budget_and_reply(server: AnthropicServer) -> None:
    assert asked(server) == [(None, 120, 15)]
    [body] = server.bodies
    assert body["thinking"] == {"type": "enabled", "budget_tokens": 8000}
    assert (body["max_tokens"], body["stream"]) == (12_096, True)
    assert "temperature" not in body and "output_config" not in body


def test_a_newer_model_takes_a_level(server: AnthropicServer) -> None:
    asked(server, deep_model="claude-opus-5", deep_effort="low", deep_thinking_budget=2000)
    [body] = server.bodies
    assert (body["thinking"], body["output_config"]) == ({"type": "adaptive"}, {"effort": "low"})
    assert "temperature" not in body


@pytest.mark.parametrize("name", sorted(_PROFILES))
def test_which_models_take_a_budget_agrees_with_the_package(name: str) -> None:
    """Those of before the adaptive kind: the levels of all since 4.6 go up to "max"."""
    profile = _PROFILES[name]
    levels = profile.get("reasoning_effort_levels", [])
    assert takes_budget(name) is bool(profile.get("temperature") and "max" not in levels)


def test_entries_are_never_sent_to_anthropic() -> None:
    settings = Settings(_env_file=None, anthropic_api_key="k")
    assert open_model(settings) is None and not settings.model_configured
    assert open_deep_model(settings) is not None


@pytest.mark.parametrize(
    ("behaviour", "code"),
    [
        (wire.too_many("3"), "http_429"),
        (wire.refusal(529, "Overloaded"), "http_529"),
        (wire.broken_by("overloaded_error"), "http_529"),
        (wire.broken_by("rate_limit_error"), "http_429"),
        (wire.cut_off, "connection"),
    ],
)
def test_passing_failures_are_tried_again(server: AnthropicServer, behaviour: wire.Behaviour, code: str) -> None:
    server.script = [behaviour]
    assert asked(server) == [(code, 0, 0), (None, 120, 15)]


def test_a_stream_that_ends_without_its_last_event_is_no_reply(server: AnthropicServer) -> None:
    server.script = [wire.ended_early]
    assert len(asked(server)) == 2
    assert [len(body["messages"]) for body in server.bodies] == [1, 1]


@pytest.mark.parametrize(
    "behaviour", [wire.refusal(400, "prompt is too long"), wire.broken_by("invalid_request_error")]
)
def test_refusals_are_final(server: AnthropicServer, behaviour: wire.Behaviour) -> None:
    server.script = [behaviour]
    with pytest.raises(ModelError) as caught:
        asked(server)
    assert not caught.value.retryable and len(server.requests) == 1


def test_an_attempt_ends_after_its_time_though_the_stream_goes_on(server: AnthropicServer) -> None:
    server.script = [wire.endless, GOOD]
    model, ledger = opened(server, deep_timeout_seconds=2), MemoryLedger()
    deadline = time.monotonic() + 60
    model.ask("?", "?", Colour, purpose="test", deadline=deadline, callbacks=[LedgerHandler(ledger)])
    assert [call.error_code for call in ledger.calls] == ["timeout", None]


def test_thoughts_do_not_reach_the_reply_or_the_repair(server: AnthropicServer) -> None:
    server.script = [answer("I cannot", thoughts="canary"), GOOD]
    opened(server).ask("?", "?", Colour, purpose="test")
    assert "canary" not in str(server.bodies[1])


def test_environment_of_the_package_is_not_heeded(
    server: AnthropicServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {
        "ANTHROPIC_BASE_URL": "http://127.0.0.1:9",
        "ANTHROPIC_API_URL": "http://127.0.0.1:9",
        "ANTHROPIC_PROXY": "http://127.0.0.1:9",
        "ANTHROPIC_AUTH_TOKEN": "another",
        "ANTHROPIC_CUSTOM_HEADERS": "x-canary: quetzal",
        "LANGSMITH_GATEWAY": "true",
    }.items():
        monkeypatch.setenv(name, value)
    asked(server, llm_max_attempts=1)
    assert "x-canary" not in server.requests[0].headers


def test_the_loopback_refuses_what_the_api_refuses(server: AnthropicServer) -> None:
    """The control of these tests: a temperature beside thinking, and a budget that fills the reply."""
    model = opened(server)
    for change in ({"temperature": 0.0}, {"max_tokens": 8000}):
        with pytest.raises(ModelError, match="http_400"):
            replace(model, chat=model.chat.model_copy(update=change)).ask("?", "?", Colour, purpose="test")
    assert [fault.count("thinking") > 0 for fault in server.faults] == [True, True]
    server.faults.clear()


def test_unavailable_is_retryable(server: AnthropicServer) -> None:
    server.otherwise = wire.refusal(529, "Overloaded")
    with pytest.raises(ModelUnavailableError):
        asked(server)
    assert len(server.requests) == 3
