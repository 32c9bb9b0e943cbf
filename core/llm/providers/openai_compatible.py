"""Any server that speaks OpenAI's chat completions, through `langchain-openai`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pydantic import SecretStr

from core.config import Settings
from core.llm.depth import Depth
from core.llm.providers.base import JSON_MODE, chat_model

if TYPE_CHECKING:
    from core.llm.chat import ChatModel


class OpenAiCompatible:
    """The provider named "openai-compatible". Takes a level of effort, and a number of tokens where asked for."""

    name: ClassVar[str] = "openai-compatible"
    settings: ClassVar[frozenset[str]] = frozenset({"llm_base_url", "llm_api_key", "llm_model"})

    def serves(self, settings: Settings, *, deep: bool) -> bool:
        """See `Provider.serves`."""
        return settings.llm_base_url is not None

    def model_name(self, settings: Settings, depth: Depth) -> str:
        """See `Provider.model_name`."""
        return depth.model or settings.llm_model or ""

    def ignores(self, settings: Settings, depth: Depth) -> frozenset[str]:
        """See `Provider.ignores`."""
        return frozenset()

    def open(self, settings: Settings, depth: Depth) -> ChatModel:
        """See `Provider.open`. A deep reply is streamed: a proxy would close a connection silent for minutes."""
        import openai
        from langchain_openai import ChatOpenAI

        name = self.model_name(settings, depth)
        chat = ChatOpenAI(
            model=name,
            # Self-hosted servers often need no key, but the package requires one.
            api_key=settings.llm_api_key or SecretStr("none"),
            base_url=settings.llm_base_url,
            # A temperature is rejected together with reasoning.
            temperature=None if depth.reasons else 0,
            max_completion_tokens=depth.reply_tokens,
            reasoning_effort=depth.effort,
            extra_body=_thinking(depth.thinking_budget),
            max_retries=0,
            # Redirects are not followed, here and at the other providers: texts and key would go along.
            http_client=openai.DefaultHttpxClient(follow_redirects=False),
            stream_usage=depth.deep,
            # Other servers do not support OpenAI's newer endpoint.
            use_responses_api=False,
        )
        options = {"response_format": JSON_MODE}
        return chat_model(self, name, chat, (openai.OpenAIError,), depth, options, streamed=depth.deep)


def _thinking(budget: int | None) -> dict[str, object] | None:
    """Return the `thinking` parameter of Anthropic's API, which OpenAI-compatible gateways accept too."""
    return None if budget is None else {"thinking": {"type": "enabled", "budget_tokens": budget}}
