"""Each way to a language model: how the settings open it, and the loopback server that speaks its wire format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from core.config import Settings
from core.llm.chat import ChatModel
from core.llm.providers import open_deep_model, open_model, open_vision_model
from tests.support.servers import anthropic_server, groq_server
from tests.support.servers.anthropic_server import AnthropicServer
from tests.support.servers.groq_server import GroqServer

Server = AnthropicServer | GroqServer


@dataclass(frozen=True)
class Way:
    """A provider, asked plainly, deeply or about a picture."""

    provider: str
    #: Has `answer`, `refusal`, `too_many` and `picture_urls`.
    wire: ModuleType
    serve: Callable[[], Server]
    settings: Callable[[Any], dict[str, object]]
    opens: Callable[[Settings], ChatModel | None] = open_model
    #: Which settings hold its key and the seconds of an attempt.
    key: str = "llm_api_key"
    timeout: str = "llm_timeout_seconds"
    streamed: bool = False

    @property
    def deep(self) -> bool:
        return self.opens is open_deep_model

    def open(self, server: Server, **more: object) -> ChatModel:
        prices = {"llm_price_in": 0.5, "llm_price_out": 2.0, "vision_price_in": 0.5, "vision_price_out": 2.0}
        given = {**prices, **self.settings(server), **more}
        model = self.opens(Settings(_env_file=None, **given))  # type: ignore[arg-type]
        assert model is not None
        return model


def _groq(server: GroqServer) -> dict[str, object]:
    return {"groq_api_key": server.key, "groq_base_url": server.url}


def _openai(server: GroqServer) -> dict[str, object]:
    return {"llm_base_url": server.openai_url, "llm_api_key": server.key, "llm_model": "local-model"}


def _anthropic(server: AnthropicServer) -> dict[str, object]:
    return {"anthropic_api_key": server.key, "anthropic_base_url": server.url}


def _seeing(provider: str, model: str) -> Callable[[Any], dict[str, object]]:
    def given(server: Any) -> dict[str, object]:
        url = server.openai_url if provider == "openai-compatible" else server.url
        own = {"model": model, "provider": provider, "base_url": url, "api_key": server.key}
        return {f"vision_{name}": value for name, value in own.items()}

    return given


DEEP: dict[str, Any] = {"opens": open_deep_model, "timeout": "deep_timeout_seconds"}
VISION: dict[str, Any] = {"opens": open_vision_model, "timeout": "vision_timeout_seconds", "key": "vision_api_key"}
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
#: Ways to a model that is shown pictures.
VISION_WAYS = {
    "groq": Way("groq", groq_server, GroqServer, _seeing("groq", "seeing"), **VISION),
    "openai": Way("openai-compatible", groq_server, GroqServer, _seeing("openai-compatible", "seeing"), **VISION),
    "anthropic": Way(
        "anthropic", anthropic_server, AnthropicServer, _seeing("anthropic", "claude-haiku-4-5"), **VISION
    ),
}
