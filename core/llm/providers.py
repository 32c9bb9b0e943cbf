"""The providers of language models, the choice among them, limits of a question, and settings that are ignored."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, Protocol

from pydantic import SecretStr

from core.config import Settings, drop_environment
from core.llm.bounded import bounding
from core.tracing.log import get_logger

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from core.llm.chat import ChatModel


# Anthropic's models, through `langchain-anthropic`: for the deep model and the one that sees.
#
# Format: https://docs.anthropic.com/en/api/messages and
# https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking


ANTHROPIC_URL = "https://api.anthropic.com"

#: The models that take a number of reasoning tokens. Complete: models after 4.5 take a level instead.
_TAKES_BUDGET = re.compile(r"claude-(3-7-sonnet|(opus|sonnet|haiku)-4(-[0-5])?)(-\d{8}|-latest)?")


class Anthropic:
    """The provider named "anthropic". Reasons by a number of tokens or, for newer models, by a level."""

    name: ClassVar[str] = "anthropic"
    settings: ClassVar[frozenset[str]] = frozenset({"anthropic_api_key", "anthropic_base_url", "anthropic_model"})

    def serves(self, settings: Settings, *, deep: bool) -> bool:
        """See `ModelProvider.serves`. No entry is sent with this key, which is given for reports."""
        return deep and settings.anthropic_api_key is not None

    def access(self, settings: Settings, depth: Depth) -> Access:
        name = depth.model or settings.anthropic_model
        return Access(name, settings.anthropic_api_key, settings.anthropic_base_url)

    def ignores(self, settings: Settings, depth: Depth) -> frozenset[str]:
        by_number = takes_budget(self.access(settings, depth).model)
        return frozenset({"deep_effort" if by_number else "deep_thinking_budget"})

    def open(self, access: Access, depth: Depth) -> ChatModel:
        """See `ModelProvider.open`. A deep reply is streamed and without a temperature, as reasoning requires.

        Newer models take no temperature in any case.
        """
        # The package also reads environment variables (headers, a proxy, spans with content).
        drop_environment("ANTHROPIC_")
        import anthropic
        import httpx2
        from langchain_anthropic import ChatAnthropic

        by_number = takes_budget(access.model)
        chat = ChatAnthropic(
            model=access.model,
            api_key=access.key,
            base_url=access.base_url or ANTHROPIC_URL,
            max_tokens=depth.reply_tokens,
            temperature=0 if by_number and not depth.deep else None,
            thinking=_thinking(depth.thinking_budget if by_number else None) if depth.deep else None,
            effort=None if by_number else depth.effort,
            max_retries=0,
        )
        # The package takes no client of ours.
        chat._client._client.follow_redirects = False
        chat._client._client.event_hooks = bounding(httpx2)
        # The package does not translate its HTTP client's errors when a stream breaks off.
        errors = (anthropic.AnthropicError, httpx2.TransportError)
        return chat_model(self, access, chat, errors, depth, streamed=depth.deep)


def takes_budget(model: str) -> bool:
    """Whether the model takes a number of reasoning tokens. Newer and unknown models take a level."""
    return _TAKES_BUDGET.fullmatch(model) is not None


def _thinking(budget: int | None) -> dict[str, object]:
    return {"type": "adaptive"} if budget is None else {"type": "enabled", "budget_tokens": budget}


# Interface of a provider of language models: one class, one entry in `ALL_PROVIDERS`.


#: JSON mode, as OpenAI named it.
JSON_MODE = {"type": "json_object"}


class ModelProvider(Protocol):
    """Opens chat models. Its packages take half a second to import, so `open` imports them, not the module."""

    #: Its name in the ledger and in logs.
    name: ClassVar[str]
    #: Settings that only this provider reads: address, key, model.
    settings: ClassVar[frozenset[str]]

    def serves(self, settings: Settings, *, deep: bool) -> bool:
        """Whether the settings enable it: for questions about entries, or (`deep`) for those that take
        reasoning."""

    def access(self, settings: Settings, depth: Depth) -> Access:
        """What `open` needs for the text model or the deep one: this provider's own settings."""

    def ignores(self, settings: Settings, depth: Depth) -> frozenset[str]:
        """Return the settings of the deep model (DEEP_*) that have no effect with this provider and model."""

    def open(self, access: Access, depth: Depth) -> ChatModel:
        """The model, with the package's own retries off."""


def chat_model(
    provider: ModelProvider,
    access: Access,
    chat: BaseChatModel,
    errors: tuple[type[Exception], ...],
    depth: Depth,
    options: Mapping[str, object] | None = None,
    *,
    streamed: bool = False,
) -> ChatModel:
    """`chat` with our limits around it."""
    from core.llm.chat import BROKEN_STREAM, ChatModel

    # These quote what surprised them in an answer: a child's name would be in the log.
    warnings.filterwarnings("ignore", "Pydantic serializer warnings", UserWarning)
    return ChatModel(
        provider=provider.name,
        model=access.model,
        chat=chat,
        errors=(*errors, *BROKEN_STREAM) if streamed else errors,
        options=options or {},
        streamed=streamed,
        timeout_seconds=depth.timeout_seconds,
        max_attempts=depth.max_attempts,
        patience=depth.patience,
        price_in=depth.price_in,
        price_out=depth.price_out,
    )


# Groq's models, through `langchain-groq`.


GROQ_URL = "https://api.groq.com"


class Groq:
    """The provider named "groq". Takes a level of effort and no number of tokens.

    Nothing is streamed: Groq does not promise JSON mode and a stream together, and answers within seconds.
    """

    name: ClassVar[str] = "groq"
    settings: ClassVar[frozenset[str]] = frozenset({"groq_api_key", "groq_base_url", "groq_model"})

    def serves(self, settings: Settings, *, deep: bool) -> bool:
        return settings.groq_api_key is not None

    def access(self, settings: Settings, depth: Depth) -> Access:
        return Access(depth.model or settings.groq_model, settings.groq_api_key, settings.groq_base_url)

    def ignores(self, settings: Settings, depth: Depth) -> frozenset[str]:
        return frozenset({"deep_thinking_budget"})

    def open(self, access: Access, depth: Depth) -> ChatModel:
        import groq
        import httpx
        from langchain_groq import ChatGroq

        chat = ChatGroq(
            model_name=access.model,
            api_key=access.key,
            base_url=access.base_url or GROQ_URL,
            temperature=0,
            max_tokens=depth.reply_tokens,
            reasoning_effort=depth.effort,
            max_retries=0,
            http_client=groq.DefaultHttpxClient(follow_redirects=False, event_hooks=bounding(httpx)),
        )
        options: dict[str, object] = {"response_format": JSON_MODE}
        if depth.effort is not None:
            # The package sends a temperature unless the call itself omits it.
            options["temperature"] = groq.omit
        return chat_model(self, access, chat, (groq.GroqError,), depth, options)


# Any server that speaks OpenAI's chat completions, through `langchain-openai`.


class OpenAiCompatible:
    """The provider named "openai-compatible". Takes a level of effort, and a number of tokens where asked for."""

    name: ClassVar[str] = "openai-compatible"
    settings: ClassVar[frozenset[str]] = frozenset({"llm_base_url", "llm_api_key", "llm_model"})

    def serves(self, settings: Settings, *, deep: bool) -> bool:
        return settings.llm_base_url is not None

    def access(self, settings: Settings, depth: Depth) -> Access:
        return Access(depth.model or settings.llm_model or "", settings.llm_api_key, settings.llm_base_url)

    def ignores(self, settings: Settings, depth: Depth) -> frozenset[str]:
        return frozenset()

    def open(self, access: Access, depth: Depth) -> ChatModel:
        """See `ModelProvider.open`. A deep reply is streamed: a proxy would close a silent connection."""
        import httpx2
        import openai
        from langchain_openai import ChatOpenAI

        chat = ChatOpenAI(
            model=access.model,
            # Self-hosted servers often need no key, but the package requires one.
            api_key=access.key or SecretStr("none"),
            base_url=access.base_url,
            # A temperature is rejected together with reasoning.
            temperature=None if depth.reasons else 0,
            max_completion_tokens=depth.reply_tokens,
            reasoning_effort=depth.effort,
            extra_body=_template_thinking(depth.thinking_budget),
            max_retries=0,
            # Redirects are not followed, here and at the other providers: texts and key would go along.
            http_client=openai.DefaultHttpxClient(follow_redirects=False, event_hooks=bounding(httpx2)),
            stream_usage=depth.deep,
            # Other servers do not support OpenAI's newer endpoint.
            use_responses_api=False,
        )
        options = {"response_format": JSON_MODE}
        return chat_model(self, access, chat, (openai.OpenAIError,), depth, options, streamed=depth.deep)


def _template_thinking(budget: int | None) -> dict[str, object] | None:
    """Return the `thinking` parameter of Anthropic's API, which OpenAI-compatible gateways accept too."""
    return None if budget is None else {"thinking": {"type": "enabled", "budget_tokens": budget}}


# The providers of language models, and the choice among them by the settings.


#: In order of precedence.
ALL_PROVIDERS: tuple[ModelProvider, ...] = (Anthropic(), OpenAiCompatible(), Groq())


def chosen_provider(settings: Settings, *, deep: bool) -> ModelProvider | None:
    """Return the first provider that the settings enable, None when no model is configured."""
    return next((provider for provider in ALL_PROVIDERS if provider.serves(settings, deep=deep)), None)


def open_model(settings: Settings) -> ChatModel | None:
    """The configured model, None when there is none. LLM_BASE_URL goes before GROQ_API_KEY."""
    return _open(settings, plain_depth(settings))


def open_deep_model(settings: Settings) -> ChatModel | None:
    """The model that reasons before it answers (DEEP_*). ANTHROPIC_API_KEY goes before the others."""
    return _open(settings, deep_depth(settings))


def _open(settings: Settings, depth: Depth) -> ChatModel | None:
    provider = chosen_provider(settings, deep=depth.deep)
    return None if provider is None else _untraced(provider, provider.access(settings, depth), depth)


def _untraced(provider: ModelProvider, access: Access, depth: Depth) -> ChatModel:
    # LangSmith's package takes a fifth of a second to load.
    from core.tracing.traces import forbid_ambient_tracing

    forbid_ambient_tracing()
    return provider.open(access, depth)


def open_vision_model(settings: Settings) -> ChatModel | None:
    """The model that is shown pictures (VISION_*), None without VISION_MODEL. Reads no setting of the others."""
    if settings.vision_model is None:
        return None
    [provider] = (provider for provider in ALL_PROVIDERS if provider.name == settings.vision_provider)
    access = Access(settings.vision_model, settings.vision_api_key, settings.vision_base_url)
    return _untraced(provider, access, vision_depth(settings))


# Find settings that were given but have no effect, because the chosen provider does not support them.


log = get_logger(__name__)

_OWN = frozenset().union(*(provider.settings for provider in ALL_PROVIDERS))
_DEEP = frozenset(name for name in Settings.model_fields if name.startswith("deep_"))
_VISION = frozenset(name for name in Settings.model_fields if name.startswith("vision_"))


@lru_cache(maxsize=1)
def warn_of_ignored_settings(settings: Settings) -> None:
    """Log a warning for each setting without effect. Call it once when a process starts."""
    for variable, provider in ignored_settings(settings):
        log.warning("setting_ignored", setting=variable, provider=provider)


def ignored_settings(settings: Settings) -> list[tuple[str, str]]:
    """Return the variables without effect, each with the chosen provider ("none" without a model)."""
    plain, deep = (chosen_provider(settings, deep=tier) for tier in (False, True))
    heeded = frozenset().union(*(provider.settings for provider in (plain, deep) if provider))
    if settings.ocr_provider == "groq":
        heeded |= {"groq_api_key", "groq_base_url"}
    ignored = deep.ignores(settings, deep_depth(settings)) if deep else _DEEP
    vain = {name: _name(plain or deep) for name in _OWN - heeded} | {name: _name(deep) for name in ignored}
    if settings.vision_model is None:
        vain |= dict.fromkeys(_VISION, _name(None))
    return [(name.upper(), chosen) for name, chosen in sorted(vain.items()) if name in settings.model_fields_set]


def _name(provider: ModelProvider | None) -> str:
    return provider.name if provider else "none"


# Where a model is asked, and the limits of one question: tokens, seconds, attempts and prices.


#: Limits the cost of a runaway reply; the longest requested object, the items of some pages, takes about 3,000.
REPLY_TOKENS = 4096
#: The same of a reply about a picture: the fields of one header.
VISION_REPLY_TOKENS = 1200


@dataclass(frozen=True, slots=True)
class Access:
    """Which model is asked, with which key and at which address; None: the provider's own."""

    model: str
    key: SecretStr | None
    base_url: str | None


@dataclass(frozen=True, slots=True)
class Depth:
    """The limits of one question, and whether the model reasons before it answers."""

    reply_tokens: int
    #: Seconds for one attempt.
    timeout_seconds: float
    max_attempts: int
    #: Seconds for all attempts of a question that was given no deadline.
    patience: float
    #: US dollars for a million tokens.
    price_in: float
    price_out: float
    #: Whether this is the model that reasons (DEEP_*).
    deep: bool = False
    #: Name of the model; None: the provider's own.
    model: str | None = None
    #: How long to reason: a level, or a number of tokens. A provider takes one of them, both or neither.
    effort: str | None = None
    thinking_budget: int | None = None

    @property
    def reasons(self) -> bool:
        """Whether a number of reasoning tokens or a level of reasoning is set."""
        return self.effort is not None or self.thinking_budget is not None


def plain_depth(settings: Settings) -> Depth:
    """The limits of a question about an entry."""
    seconds, attempts = settings.llm_timeout_seconds, settings.llm_max_attempts
    return Depth(
        reply_tokens=REPLY_TOKENS,
        timeout_seconds=seconds,
        max_attempts=attempts,
        patience=min(seconds * attempts, float(settings.job_timeout_seconds)),
        price_in=settings.llm_price_in,
        price_out=settings.llm_price_out,
    )


def deep_depth(settings: Settings) -> Depth:
    """The limits of a question that takes reasoning (DEEP_*)."""
    seconds, attempts = settings.deep_timeout_seconds, settings.llm_max_attempts
    price_in, price_out = settings.deep_price_in, settings.deep_price_out
    return Depth(
        reply_tokens=settings.deep_max_tokens,
        timeout_seconds=seconds,
        max_attempts=attempts,
        patience=min(seconds * attempts, float(settings.report_timeout_seconds)),
        price_in=settings.llm_price_in if price_in is None else price_in,
        price_out=settings.llm_price_out if price_out is None else price_out,
        deep=True,
        model=settings.deep_model,
        effort=settings.deep_effort,
        thinking_budget=settings.thinking_budget,
    )


def vision_depth(settings: Settings) -> Depth:
    """The limits of a question about a picture (VISION_*)."""
    seconds, attempts = settings.vision_timeout_seconds, settings.llm_max_attempts
    return Depth(
        reply_tokens=VISION_REPLY_TOKENS,
        timeout_seconds=seconds,
        max_attempts=attempts,
        patience=min(seconds * attempts, float(settings.job_timeout_seconds)),
        price_in=settings.vision_price_in,
        price_out=settings.vision_price_out,
    )
