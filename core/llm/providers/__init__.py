"""The providers of language models, and the choice among them by the settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.config import Settings
from core.llm.depth import Depth, deep_depth, plain_depth
from core.llm.providers.anthropic import Anthropic
from core.llm.providers.base import Provider
from core.llm.providers.groq import Groq
from core.llm.providers.openai_compatible import OpenAiCompatible
from core.tracing import forbid_ambient_tracing

if TYPE_CHECKING:
    from core.llm.chat import ChatModel

#: In order of precedence.
ALL_PROVIDERS: tuple[Provider, ...] = (Anthropic(), OpenAiCompatible(), Groq())


def chosen_provider(settings: Settings, *, deep: bool) -> Provider | None:
    """Return the first provider that the settings enable, None when no model is configured."""
    return next((provider for provider in ALL_PROVIDERS if provider.serves(settings, deep=deep)), None)


def open_model(settings: Settings) -> ChatModel | None:
    """The configured model, None when there is none. LLM_BASE_URL goes before GROQ_API_KEY."""
    return _open(settings, plain_depth(settings))


def open_deep_model(settings: Settings) -> ChatModel | None:
    """The model that reasons before it answers (DEEP_*). ANTHROPIC_API_KEY goes before the others."""
    return _open(settings, deep_depth(settings))


def _open(settings: Settings, depth: Depth) -> ChatModel | None:
    forbid_ambient_tracing()
    provider = chosen_provider(settings, deep=depth.deep)
    return None if provider is None else provider.open(settings, depth)
