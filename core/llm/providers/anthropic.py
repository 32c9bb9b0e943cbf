"""Anthropic's models, through `langchain-anthropic`: for the deep model alone.

Format: https://docs.anthropic.com/en/api/messages and https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from core.config import Settings, drop_environment
from core.llm.depth import Depth
from core.llm.providers.base import chat_model

if TYPE_CHECKING:
    from core.llm.chat import ChatModel

ANTHROPIC_URL = "https://api.anthropic.com"

#: The models that take a number of reasoning tokens. Complete: models after 4.5 take a level instead.
_TAKES_BUDGET = re.compile(r"claude-(3-7-sonnet|(opus|sonnet|haiku)-4(-[0-5])?)(-\d{8}|-latest)?")


class Anthropic:
    """The provider named "anthropic". Reasons by a number of tokens or, for newer models, by a level."""

    name: ClassVar[str] = "anthropic"
    settings: ClassVar[frozenset[str]] = frozenset({"anthropic_api_key", "anthropic_base_url", "anthropic_model"})

    def serves(self, settings: Settings, *, deep: bool) -> bool:
        """See `Provider.serves`. Entries are never sent here: the key is given for reports."""
        return deep and settings.anthropic_api_key is not None

    def model_name(self, settings: Settings, depth: Depth) -> str:
        """See `Provider.model_name`."""
        return depth.model or settings.anthropic_model

    def ignores(self, settings: Settings, depth: Depth) -> frozenset[str]:
        """See `Provider.ignores`."""
        by_number = takes_budget(self.model_name(settings, depth))
        return frozenset({"deep_effort" if by_number else "deep_thinking_budget"})

    def open(self, settings: Settings, depth: Depth) -> ChatModel:
        """See `Provider.open`. Streamed and without a temperature, as reasoning requires."""
        # The package also reads environment variables (headers, a proxy, spans with content).
        drop_environment("ANTHROPIC_")
        import anthropic
        import httpx2
        from langchain_anthropic import ChatAnthropic

        name = self.model_name(settings, depth)
        by_number = takes_budget(name)
        chat = ChatAnthropic(
            model=name,
            api_key=settings.anthropic_api_key,
            base_url=settings.anthropic_base_url or ANTHROPIC_URL,
            max_tokens=depth.reply_tokens,
            thinking=_thinking(depth.thinking_budget if by_number else None),
            effort=None if by_number else depth.effort,
            max_retries=0,
        )
        # The package takes no client of ours.
        chat._client._client.follow_redirects = False
        # The package does not translate its HTTP client's errors when a stream breaks off.
        errors = (anthropic.AnthropicError, httpx2.TransportError)
        return chat_model(self, name, chat, errors, depth, streamed=True)


def takes_budget(model: str) -> bool:
    """Whether the model takes a number of reasoning tokens. Newer and unknown models take a level."""
    return _TAKES_BUDGET.fullmatch(model) is not None


def _thinking(budget: int | None) -> dict[str, object]:
    return {"type": "adaptive"} if budget is None else {"type": "enabled", "budget_tokens": budget}
