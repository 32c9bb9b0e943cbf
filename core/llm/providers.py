"""Which model the settings name. A provider is one function and its line in `open_model`."""

from __future__ import annotations

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


def open_model(settings: Settings) -> ChatModel | None:
    """The configured model, None when there is none. LLM_BASE_URL goes before GROQ_API_KEY."""
    forbid_ambient_tracing()
    if settings.llm_base_url:
        return _open_openai_compatible(settings, settings.llm_base_url)
    if settings.groq_api_key:
        return _open_groq(settings, settings.groq_api_key)
    return None


def _open_groq(settings: Settings, key: SecretStr) -> ChatModel:
    # The packages take half a second to import; most processes never ask a model.
    import groq
    from langchain_groq import ChatGroq

    chat = ChatGroq(
        model_name=settings.groq_model,
        api_key=key,
        base_url=settings.groq_base_url or GROQ_URL,
        temperature=0,
        max_tokens=REPLY_TOKENS,
        max_retries=0,
    )
    return _model(settings, "groq", settings.groq_model, chat, (groq.GroqError,))


def _open_openai_compatible(settings: Settings, base_url: str) -> ChatModel:
    import openai
    from langchain_openai import ChatOpenAI

    name = settings.llm_model or ""
    chat = ChatOpenAI(
        model=name,
        # Servers of one's own often want no key, the package always does.
        api_key=settings.llm_api_key or SecretStr("none"),
        base_url=base_url,
        temperature=0,
        max_completion_tokens=REPLY_TOKENS,
        max_retries=0,
        # Other servers do not know OpenAI's newer endpoint.
        use_responses_api=False,
    )
    return _model(settings, "openai-compatible", name, chat, (openai.OpenAIError,))


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
