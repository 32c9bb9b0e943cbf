"""Groq's models, through `langchain-groq`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from core.config import Settings
from core.llm.depth import Depth
from core.llm.providers.base import JSON_MODE, chat_model

if TYPE_CHECKING:
    from core.llm.chat import ChatModel

GROQ_URL = "https://api.groq.com"


class Groq:
    """The provider named "groq". Takes a level of effort and no number of tokens.

    Nothing is streamed: Groq does not promise JSON mode and a stream together, and answers within seconds.
    """

    name: ClassVar[str] = "groq"
    settings: ClassVar[frozenset[str]] = frozenset({"groq_api_key", "groq_base_url", "groq_model"})

    def serves(self, settings: Settings, *, deep: bool) -> bool:
        """See `Provider.serves`."""
        return settings.groq_api_key is not None

    def model_name(self, settings: Settings, depth: Depth) -> str:
        """See `Provider.model_name`."""
        return depth.model or settings.groq_model

    def ignores(self, settings: Settings, depth: Depth) -> frozenset[str]:
        """See `Provider.ignores`."""
        return frozenset({"deep_thinking_budget"})

    def open(self, settings: Settings, depth: Depth) -> ChatModel:
        """See `Provider.open`."""
        import groq
        from langchain_groq import ChatGroq

        name = self.model_name(settings, depth)
        chat = ChatGroq(
            model_name=name,
            api_key=settings.groq_api_key,
            base_url=settings.groq_base_url or GROQ_URL,
            temperature=0,
            max_tokens=depth.reply_tokens,
            reasoning_effort=depth.effort,
            max_retries=0,
            http_client=groq.DefaultHttpxClient(follow_redirects=False),
        )
        options: dict[str, object] = {"response_format": JSON_MODE}
        if depth.effort is not None:
            # The package sends a temperature unless the call itself omits it.
            options["temperature"] = groq.omit
        return chat_model(self, name, chat, (groq.GroqError,), depth, options)
