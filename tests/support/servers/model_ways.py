"""Each way to a language model: how the settings open it, and the loopback server that speaks its wire format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from core.config import Settings
from core.llm.chat import ChatModel
from core.llm.providers import open_deep_model, open_model
from tests.support.servers import anthropic_server, groq_server
from tests.support.servers.anthropic_server import AnthropicServer
from tests.support.servers.groq_server import GroqServer

Server = AnthropicServer | GroqServer


@dataclass(frozen=True)
class Way:
    """A provider, asked plainly or deeply."""

    provider: str
    #: Has `answer`, `refusal` and `too_many`.
    wire: ModuleType
    serve: Callable[[], Server]
    settings: Callable[[Any], dict[str, object]]
    deep: bool = False
    #: Which settings hold its key and the seconds of an attempt.
    key: str = "llm_api_key"
    timeout: str = "llm_timeout_seconds"
    streamed: bool = False

    def open(self, server: Server, **more: object) -> ChatModel:
        given = {**self.settings(server), "llm_price_in": 0.5, "llm_price_out": 2.0, **more}
        settings = Settings(_env_file=None, **given)  # type: ignore[arg-type]
        model = open_deep_model(settings) if self.deep else open_model(settings)
        assert model is not None
        return model


def _groq(server: GroqServer) -> dict[str, object]:
    return {"groq_api_key": server.key, "groq_base_url": server.url}


def _openai(server: GroqServer) -> dict[str, object]:
    return {"llm_base_url": server.openai_url, "llm_api_key": server.key, "llm_model": "local-model"}


def _anthropic(server: AnthropicServer) -> dict[str, object]:
    return {"anthropic_api_key": server.key, "anthropic_base_url": server.url}


DEEP: dict[str, Any] = {"deep": True, "timeout": "deep_timeout_seconds"}
WAYS = {
    "groq": Way("groq", groq_server, GroqServer, _groq, key="groq_api_key"),
    "openai": Way("openai-compatible", groq_server, GroqServer, _openai),
    "openai-deep": Way("openai-compatible", groq_server, GroqServer, _openai, streamed=True, **DEEP),
    "anthropic": Way(
        "anthropic", anthropic_server, AnthropicServer, _anthropic, key="anthropic_api_key", streamed=True, **DEEP
    ),
}
#: Differs from "groq" in nothing but the temperature.
GROQ_DEEP = Way("groq", groq_server, GroqServer, _groq, key="groq_api_key", **DEEP)
