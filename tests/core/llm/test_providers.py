"""Which model is opened, and that only the settings decide where it is asked."""

from collections.abc import Iterator

import pytest
from pydantic import BaseModel

from core.config import Settings
from core.llm import ChatModel, open_model
from tests.support.groq_server import GroqServer, answer


class Empty(BaseModel):
    pass


@pytest.fixture
def server() -> Iterator[GroqServer]:
    with GroqServer(otherwise=answer({})) as running:
        yield running
        assert running.faults == []


def opened(**settings: object) -> ChatModel:
    model = open_model(Settings(_env_file=None, **settings))
    assert model
    return model


def test_own_server_goes_before_groq(server: GroqServer) -> None:
    model = opened(groq_api_key="unused", llm_base_url=server.openai_url, llm_model="m", llm_api_key=server.key)
    assert (model.provider, model.model) == ("openai-compatible", "m")


def test_own_server_may_want_no_key() -> None:
    assert opened(llm_base_url="http://127.0.0.1:9/v1", llm_model="m").model == "m"


@pytest.mark.parametrize("way", ["groq", "openai"])
def test_environment_of_the_packages_is_not_heeded(
    server: GroqServer, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GROQ_API_BASE", "GROQ_BASE_URL", "OPENAI_BASE_URL", "OPENAI_API_BASE"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/elsewhere")
    for name in ("GROQ_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, "another-key")
    ways = {
        "groq": {"groq_api_key": server.key, "groq_base_url": server.url},
        "openai": {"llm_base_url": server.openai_url, "llm_model": "m", "llm_api_key": server.key},
    }
    opened(**ways[way], llm_max_attempts=1).ask("?", "?", Empty, purpose="test")
    assert len(server.requests) == 1


def test_key_is_in_no_representation(server: GroqServer) -> None:
    model = opened(groq_api_key=server.key, groq_base_url=server.url)
    assert server.key not in f"{model!r} {model.chat!r} {model.chat.to_json()!r}"
