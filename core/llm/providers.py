"""Which model the settings name. A provider is one function and its line in `open_model`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import SecretStr

from core.config import Settings
from core.llm.chat import ChatModel
from core.tracing import forbid_ambient_tracing

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

GROQ_URL = "https://api.groq.com"

#: Bounds what a runaway reply can cost; the objects that we ask for take a few hundred.
REPLY_TOKENS = 2048


@dataclass(frozen=True, slots=True)
class Depth:
    """How much one reply may take."""

    reply_tokens: int = REPLY_TOKENS
    #: How long to reason: a level, or a number of tokens; what the provider does not take is left out.
    effort: str | None = None
    thinking_budget: int | None = None


def open_model(settings: Settings) -> ChatModel | None:
    """The configured model, None when there is none. LLM_BASE_URL goes before GROQ_API_KEY."""
    return _open(settings, None, Depth())


def open_deep_model(settings: Settings) -> ChatModel | None:
    """The model that reasons before it answers (DEEP_*), None when no model is configured."""
    depth = Depth(settings.deep_max_tokens, settings.deep_effort, settings.deep_thinking_budget)
    return _open(settings, settings.deep_model, depth)


def _open(settings: Settings, name: str | None, depth: Depth) -> ChatModel | None:
    forbid_ambient_tracing()
    if settings.llm_base_url:
        return _open_openai_compatible(settings, settings.llm_base_url, name or settings.llm_model or "", depth)
    if settings.groq_api_key:
        return _open_groq(settings, settings.groq_api_key, name or settings.groq_model, depth)
    return None


def _open_groq(settings: Settings, key: SecretStr, name: str, depth: Depth) -> ChatModel:
    # The packages take half a second to import; most processes never ask a model.
    import groq
    from langchain_groq import ChatGroq

    chat = ChatGroq(
        model_name=name,
        api_key=key,
        base_url=settings.groq_base_url or GROQ_URL,
        temperature=0,
        max_tokens=depth.reply_tokens,
        reasoning_effort=depth.effort,
        max_retries=0,
    )
    return _model(settings, "groq", name, chat, (groq.GroqError,))


def _open_openai_compatible(settings: Settings, base_url: str, name: str, depth: Depth) -> ChatModel:
    import openai
    from langchain_openai import ChatOpenAI

    chat = ChatOpenAI(
        model=name,
        # Servers of one's own often want no key, the package always does.
        api_key=settings.llm_api_key or SecretStr("none"),
        base_url=base_url,
        temperature=0,
        max_completion_tokens=depth.reply_tokens,
        reasoning_effort=depth.effort,
        extra_body=_thinking(depth.thinking_budget),
        max_retries=0,
        # Other servers do not know OpenAI's newer endpoint.
        use_responses_api=False,
    )
    return _model(settings, "openai-compatible", name, chat, (openai.OpenAIError,))


def _thinking(budget: int | None) -> dict[str, object] | None:
    """As Anthropic's API names it, also behind an OpenAI-compatible gateway."""
    return None if budget is None else {"thinking": {"type": "enabled", "budget_tokens": budget}}


def _model(
    settings: Settings,
    provider: str,
    name: str,
    chat: BaseChatModel,
    errors: tuple[type[Exception], ...],
) -> ChatModel:
    return ChatModel(
        provider=provider,
        model=name,
        chat=chat,
        errors=errors,
        timeout_seconds=settings.llm_timeout_seconds,
        max_attempts=settings.llm_max_attempts,
        patience=min(
            settings.llm_timeout_seconds * settings.llm_max_attempts, float(settings.job_timeout_seconds)
        ),
        price_in=settings.llm_price_in,
        price_out=settings.llm_price_out,
    )
