"""One request to a model: attempts, waits between them, and validation of the reply."""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any, TypeVar, cast

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from pydantic import BaseModel, ValidationError

from core.errors import ModelError, ModelReplyError, ModelUnavailableError
from core.llm.failures import translate
from core.llm.ledger import CallFacts, Usage, cost_usd
from core.llm.prompts import REPAIR
from core.llm.stream import whole_reply
from core.retry import Attempts

if TYPE_CHECKING:
    from collections.abc import Generator

    from langchain_core.messages import AIMessageChunk

    from core.llm.chat import ChatModel

T = TypeVar("T", bound=BaseModel)

#: Exceptions of the packages for a status 200 that is not a completion (a proxy's page, a truncated body).
MALFORMED_ANSWER = (ValueError, KeyError, TypeError, AttributeError, AssertionError)


class UnusableReplyError(Exception):
    """A reply that does not match the schema; `turn` holds the messages to append so that the model repairs it."""

    def __init__(self, faults: str, reply: str | None) -> None:
        super().__init__(faults)
        self.faults = faults
        said = [AIMessage(reply)] if reply else []
        self.turn: list[BaseMessage] = [*said, HumanMessage(REPAIR.format(faults=faults))]


@dataclass
class Request:
    """One request, with its retries."""

    model: ChatModel
    purpose: str
    until: float
    callbacks: list[BaseCallbackHandler] | None
    usage: Usage | None = None

    def parsed(self, messages: list[BaseMessage], schema: type[T]) -> tuple[T, Usage]:
        """Send, and validate the reply. Raises UnusableReplyError."""
        try:
            reply = self._answer(messages)
        except ModelReplyError as exc:
            raise UnusableReplyError(exc.detail, None) from None
        text = str(reply.text)
        try:
            return schema.model_validate_json(text), self._used()
        except ValidationError as exc:
            raise UnusableReplyError(_faults(exc), text) from None

    def _answer(self, messages: list[BaseMessage]) -> AIMessage:
        remaining = self.until - time.monotonic()
        if remaining <= 0:
            raise ModelUnavailableError(f"{self.model.provider}: no time left")
        attempts, number = Attempts(self.model.max_attempts, remaining, self.model.sleep), count(1)
        return attempts(lambda: self._attempt(messages, next(number)))

    def _attempt(self, messages: list[BaseMessage], number: int) -> AIMessage:
        model = self.model
        began = time.monotonic()
        seconds = max(0.1, min(model.timeout_seconds, self.until - began))
        failure: ModelError
        try:
            reply = self._reply(messages, self._config(number), seconds)
        except model.errors as exc:
            failure = translate(exc, model.provider)
        except MALFORMED_ANSWER as exc:
            failure = ModelUnavailableError(f"{model.provider}: malformed ({type(exc).__name__})")
        else:
            self._add(reply, round((time.monotonic() - began) * 1000))
            return reply
        # Raised outside the handler: a provider's error quotes the prompt and must not be chained.
        raise failure

    def _reply(self, messages: list[BaseMessage], config: RunnableConfig, seconds: float) -> AIMessage:
        options: dict[str, Any] = {**self.model.options, "timeout": seconds}
        if not self.model.streamed:
            return self.model.chat.invoke(messages, config, **options)
        pieces = cast("Generator[AIMessageChunk, None, None]", self.model.chat.stream(messages, config, **options))
        return whole_reply(pieces, time.monotonic() + seconds)

    def _config(self, attempt: int) -> RunnableConfig:
        model = self.model
        facts = CallFacts(
            llm_purpose=self.purpose,
            llm_provider=model.provider,
            llm_model=model.model,
            llm_attempt=attempt,
            llm_price_in=model.price_in,
            llm_price_out=model.price_out,
        )
        config = RunnableConfig(metadata=dict(facts))
        if self.callbacks is not None:
            config["callbacks"] = list(self.callbacks)
        return config

    def _add(self, reply: AIMessage, latency_ms: int) -> None:
        before = self._used()
        counted = reply.usage_metadata
        tokens_in = counted["input_tokens"] if counted else 0
        tokens_out = counted["output_tokens"] if counted else 0
        self.usage = Usage(
            provider=before.provider,
            model=before.model,
            calls=before.calls + 1,
            tokens_in=before.tokens_in + tokens_in,
            tokens_out=before.tokens_out + tokens_out,
            latency_ms=before.latency_ms + latency_ms,
            cost_usd=before.cost_usd + cost_usd(tokens_in, tokens_out, self.model.price_in, self.model.price_out),
        )

    def _used(self) -> Usage:
        return self.usage or Usage(self.model.provider, self.model.model)


def _faults(error: ValidationError) -> str:
    """Describe a validation error by place and reason, without the values: they come from a document."""
    return "; ".join(
        f"{'.'.join(str(part) for part in fault['loc']) or 'reply'}: {fault['type']}"
        for fault in error.errors(include_input=False, include_url=False, include_context=False)
    )
