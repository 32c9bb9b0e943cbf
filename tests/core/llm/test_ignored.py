"""Which settings have no effect with the provider that they choose."""

import pytest

from core.config import Settings
from core.llm.providers import ignored_settings

GROQ = {"groq_api_key": "k"}
OWN = {"llm_base_url": "http://127.0.0.1:9/v1", "llm_model": "m"}
ANTHROPIC = {"anthropic_api_key": "k"}
VISION = {"vision_model": "m", "vision_base_url": "http://127.0.0.1:9/v1"}


@pytest.mark.parametrize(
    ("given", "ignored"),
    [
        ({**GROQ, "deep_thinking_budget": 8000, "deep_effort": "high"}, [("DEEP_THINKING_BUDGET", "groq")]),
        ({**OWN, "deep_thinking_budget": 8000, "deep_effort": "high"}, []),
        ({**ANTHROPIC, "deep_thinking_budget": 2000}, []),
        ({**ANTHROPIC, "deep_effort": "high"}, [("DEEP_EFFORT", "anthropic")]),
        (
            {**ANTHROPIC, "deep_model": "claude-opus-5", "deep_thinking_budget": 2000, "deep_effort": "low"},
            [("DEEP_THINKING_BUDGET", "anthropic")],
        ),
        (
            {**GROQ, **OWN, "groq_model": "x"},
            [("GROQ_API_KEY", "openai-compatible"), ("GROQ_MODEL", "openai-compatible")],
        ),
        ({**GROQ, **OWN, "ocr_provider": "groq"}, []),
        ({**GROQ, **ANTHROPIC, "groq_model": "x"}, []),
        ({"llm_model": "m", "deep_timeout_seconds": 9}, [("DEEP_TIMEOUT_SECONDS", "none"), ("LLM_MODEL", "none")]),
        ({**GROQ, "anthropic_model": "claude-opus-5"}, [("ANTHROPIC_MODEL", "groq")]),
        ({**VISION, "vision_price_in": 1.0, "vision_api_key": "k"}, []),
        ({**VISION, "llm_model": "m"}, [("LLM_MODEL", "none")]),
        ({**GROQ, "vision_api_key": "k"}, [("VISION_API_KEY", "none")]),
        ({}, []),
    ],
)
def test_settings_given_in_vain(given: dict[str, object], ignored: list[tuple[str, str]]) -> None:
    assert ignored_settings(Settings(_env_file=None, **given)) == ignored  # type: ignore[arg-type]


def test_variables_of_the_environment_count_as_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROQ_API_KEY", "k")
    monkeypatch.setenv("DEEP_THINKING_BUDGET", "8000")
    assert ignored_settings(Settings(_env_file=None)) == [("DEEP_THINKING_BUDGET", "groq")]
