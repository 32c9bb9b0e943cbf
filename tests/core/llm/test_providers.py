"""Which model is opened, and that only the settings decide where it is asked."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from langchain_groq import ChatGroq
from langchain_openai import ChatOpenAI
from pydantic import BaseModel

from core.config import Settings, load_settings
from core.errors import ConfigurationError
from core.llm.chat import ChatModel
from core.llm.providers import open_deep_model, open_model
from tests.support.servers.groq_server import GroqServer, answer

ROOT = Path(__file__).resolve().parents[3]


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


def test_the_deep_model_reasons_at_the_level_asked_for(server: GroqServer) -> None:
    settings = load_settings(
        _env_file=None,
        groq_api_key="k",
        groq_base_url=server.url,
        deep_model="openai/gpt-oss-120b",
        deep_effort="high",
    )
    model, plain = open_deep_model(settings), open_model(settings)
    assert model is not None and isinstance(model.chat, ChatGroq) and plain is not None
    assert (model.model, model.chat.reasoning_effort, model.chat.max_tokens) == (
        "openai/gpt-oss-120b",
        "high",
        12_096,
    )
    assert plain.model == settings.groq_model and isinstance(plain.chat, ChatGroq)
    assert plain.chat.reasoning_effort is None


def test_a_budget_of_thinking_goes_to_servers_that_take_one() -> None:
    settings = load_settings(
        _env_file=None, llm_base_url="http://127.0.0.1:9/v1", llm_model="m", deep_thinking_budget=8000
    )
    model = open_deep_model(settings)
    assert model is not None and isinstance(model.chat, ChatOpenAI)
    assert model.model == "m"
    assert model.chat.extra_body == {"thinking": {"type": "enabled", "budget_tokens": 8000}}
    assert model.chat.temperature is None


@pytest.mark.parametrize(
    "given",
    [
        {"deep_thinking_budget": 8000, "deep_max_tokens": 4096},
        {"deep_thinking_budget": 12_096},
        {"anthropic_api_key": "k", "deep_max_tokens": 8000},
    ],
)
def test_a_budget_of_thinking_leaves_room_for_the_reply(given: dict[str, object]) -> None:
    with pytest.raises(ConfigurationError, match=r"DEEP_THINKING_BUDGET .* must be less than DEEP_MAX_TOKENS"):
        load_settings(_env_file=None, **given)


def test_a_deep_reply_has_its_own_time_and_prices() -> None:
    given = {"groq_api_key": "k", "deep_timeout_seconds": 500, "deep_price_in": 5.0, "llm_price_out": 2.0}
    settings = load_settings(_env_file=None, **given)
    deep, plain = open_deep_model(settings), open_model(settings)
    assert deep is not None and plain is not None
    assert (deep.timeout_seconds, deep.patience, deep.price_in, deep.price_out) == (500, 1500, 5.0, 2.0)
    assert (plain.timeout_seconds, plain.patience, plain.price_in, plain.price_out) == (30, 90, 0.0, 2.0)


def test_opening_nothing_imports_no_package_of_a_provider() -> None:
    program = (
        "import sys; from core.config import Settings; from core.llm.providers import open_deep_model\n"
        "open_deep_model(Settings(_env_file=None))\n"
        "sys.exit(bool({'groq', 'openai', 'anthropic'} & {name.partition('.')[0] for name in sys.modules}))"
    )
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT, timeout=60, check=False).returncode == 0
