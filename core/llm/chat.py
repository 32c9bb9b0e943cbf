"""Ask a language model for a typed reply, and write each request into the ledger."""

from __future__ import annotations

import json
import time
from base64 import b64encode
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from threading import Lock
from typing import Any, TypeVar, cast
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage, SystemMessage
from langchain_core.outputs import ChatGeneration, LLMResult
from langchain_core.runnables import RunnableConfig
from pydantic import BaseModel, ValidationError

from core.clock import AttemptLimits, may_pass, seconds_to_wait
from core.errors import ModelError, ModelReplyError, ModelUnavailableError
from core.llm.ledger import CallFacts, ModelCall, Picture, Usage, UsageLedger, cost_usd

# The LangChain callback that writes the usage ledger.


class LedgerHandler(BaseCallbackHandler):
    """Records each model call once, however deep chains and graphs are nested around it.

    It listens to model events alone, keyed by LangChain's run id; chain events, which fire for every
    nested runnable, are ignored. Attach one to a graph or a chain through `config["callbacks"]`.
    """

    def __init__(self, ledger: UsageLedger) -> None:
        self._ledger = ledger
        self._running: dict[UUID, tuple[float, Mapping[str, Any]]] = {}
        self._lock = Lock()

    def on_chat_model_start(
        self,
        serialized: dict[str, Any],
        messages: list[list[BaseMessage]],
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        tags: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """Record the start time and metadata of a call."""
        with self._lock:
            self._running.setdefault(run_id, (time.monotonic(), metadata or {}))

    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **kwargs: Any) -> None:
        self._finish(run_id, *token_usage(response), error=None)

    def on_llm_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        self._finish(run_id, 0, 0, error=error_code(error))

    def _finish(self, run_id: UUID, tokens_in: int, tokens_out: int, *, error: str | None) -> None:
        # A handler that is twice in a list of callbacks is called twice; only the first call is recorded.
        with self._lock:
            started = self._running.pop(run_id, None)
        if started is not None:
            self._ledger.record(_call(started, tokens_in, tokens_out, error))


def token_usage(response: LLMResult) -> tuple[int, int]:
    """Return the input and output tokens that the provider reports, 0 where it reports none."""
    counted = [
        _counted(getattr(generation.message, "usage_metadata", None))
        for generations in response.generations
        for generation in generations
        if isinstance(generation, ChatGeneration)
    ]
    return sum(tokens_in for tokens_in, _ in counted), sum(tokens_out for _, tokens_out in counted)


#: More tokens than any request has: a provider may report anything, and the ledger's numbers have an end.
_MOST_TOKENS = 100_000_000


def _counted(usage: Mapping[str, Any] | None) -> tuple[int, int]:
    """Return the reported input and output tokens, 0 for what is no possible number of them."""
    numbers = [(usage or {}).get(name) for name in ("input_tokens", "output_tokens")]
    tokens_in, tokens_out = (n if type(n) is int and 0 <= n <= _MOST_TOKENS else 0 for n in numbers)
    return tokens_in, tokens_out


def _call(
    started: tuple[float, Mapping[str, Any]], tokens_in: int, tokens_out: int, error: str | None
) -> ModelCall:
    began, facts = started
    prices = float(facts.get("llm_price_in", 0.0)), float(facts.get("llm_price_out", 0.0))
    return ModelCall(
        purpose=str(facts.get("llm_purpose", "")),
        provider=str(facts.get("llm_provider") or facts.get("ls_provider") or ""),
        model=str(facts.get("llm_model") or facts.get("ls_model_name") or ""),
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        latency_ms=round((time.monotonic() - began) * 1000),
        cost_usd=cost_usd(tokens_in, tokens_out, *prices),
        status="ok" if error is None else "error",
        error_code=error,
        attempt=int(facts.get("llm_attempt", 1)),
        node=facts.get("langgraph_node"),
    )


# Ask a model a question and get a validated object back, or a typed error.


T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True)
class ChatModel:
    """A LangChain chat model with our retries, our repair turn and our errors around it."""

    provider: str
    model: str
    chat: BaseChatModel
    #: Exceptions of a failed request, raised by the provider's package or while its stream is read.
    errors: tuple[type[Exception], ...]
    timeout_seconds: float
    max_attempts: int
    #: Seconds for one `ask` that was given no deadline.
    patience: float
    #: Sent with every request besides the messages: JSON mode, if the provider has one.
    options: Mapping[str, object] = field(default_factory=dict, repr=False)
    #: Whether replies are streamed, so that a long one is not a long silence on the connection.
    streamed: bool = False
    price_in: float = 0.0
    price_out: float = 0.0
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)

    def ask(
        self,
        system: str,
        user: str,
        schema: type[T],
        *,
        purpose: str,
        deadline: float | None = None,
        callbacks: Sequence[BaseCallbackHandler] | None = None,
        picture: Picture | None = None,
    ) -> tuple[T, Usage]:
        until = time.monotonic() + self.patience if deadline is None else deadline
        request = Request(self, purpose, until, list(callbacks) if callbacks else None)
        messages = [SystemMessage(f"{system}\n\n{_reply_format(schema)}"), _question(user, picture)]
        try:
            return request.parsed(messages, schema)
        except UnusableReplyError as unusable:
            repair = [*messages, *unusable.turn]
        request = Request(self, f"{purpose}.repair", until, request.callbacks, request.usage)
        try:
            return request.parsed(repair, schema)
        except UnusableReplyError as unusable:
            faults = unusable.faults
        # Raised outside the handler: a validation error quotes the reply and must not be chained.
        raise ModelReplyError(f"{self.provider}: {faults}")


def _question(user: str, picture: Picture | None) -> HumanMessage:
    """Return the user's turn. Each provider's package translates LangChain's standard block of a picture."""
    if picture is None:
        return HumanMessage(user)
    encoded = b64encode(picture.data).decode()
    shown = {"type": "image", "base64": encoded, "mime_type": picture.media_type}
    return HumanMessage([{"type": "text", "text": user}, shown])


def _reply_format(schema: type[BaseModel]) -> str:
    return REPLY_FORMAT.format(schema=json.dumps(schema.model_json_schema(), ensure_ascii=False))


# One request to a model: attempts, waits between them, and validation of the reply.


#: Exceptions of the packages for a status 200 that is not a completion (a proxy's page, a truncated body).
MALFORMED_ANSWER = (ValueError, LookupError, TypeError, AttributeError, AssertionError, RecursionError)


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
            return schema.model_validate_json(_object_in(text)), self._used()
        except ValidationError as exc:
            raise UnusableReplyError(_faults(exc), text) from None

    def _answer(self, messages: list[BaseMessage]) -> AIMessage:
        remaining = self.until - time.monotonic()
        if remaining <= 0:
            raise ModelUnavailableError(f"{self.model.provider}: no time left")
        attempts, number = AttemptLimits(self.model.max_attempts, remaining, self.model.sleep), count(1)
        return attempts(lambda: self._attempt(messages, next(number)))

    def _attempt(self, messages: list[BaseMessage], number: int) -> AIMessage:
        model = self.model
        began = time.monotonic()
        seconds = max(0.1, min(model.timeout_seconds, self.until - began))
        failure: ModelError
        try:
            reply = self._reply(messages, self._config(number), seconds)
        except model.errors as exc:
            failure = as_model_error(exc, model.provider)
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
        tokens_in, tokens_out = _counted(reply.usage_metadata)
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


def _object_in(text: str) -> str:
    """Return a reply without the code fence or the sentences that some models write around its JSON object."""
    begins, ends = text.find("{"), text.rfind("}") + 1
    return text[begins:ends] if 0 <= begins < ends and not text.lstrip().startswith("[") else text


def _faults(error: ValidationError) -> str:
    """Describe a validation error by place and reason, without the values: they come from a document."""
    return "; ".join(
        f"{'.'.join(str(part) for part in fault['loc']) or 'reply'}: {fault['type']}"
        for fault in error.errors(include_input=False, include_url=False, include_context=False)
    )


# The part of every prompt that describes the form of the reply.


REPLY_FORMAT = """\
Reply with one JSON object and nothing else: no prose, no code fence. It must fit this JSON schema:
{schema}"""

REPAIR = """\
Your reply does not fit the schema: {faults}. Reply again with the corrected JSON object alone."""


# Collect a streamed reply within a time limit.


#: Keys of the last piece's metadata that say why the reply ended.
_ENDINGS = ("stop_reason", "finish_reason")

#: Exceptions of `whole_reply`.
BROKEN_STREAM = (TimeoutError, ConnectionError)


def whole_reply(pieces: Generator[AIMessageChunk, None, None], until: float) -> AIMessage:
    """Return the concatenation of `pieces`.

    Raises TimeoutError when pieces still arrive at `until` (`time.monotonic()`), and ConnectionError when the
    last one is missing: a connection closed in the middle ends the iteration like a complete reply.
    """
    received: list[AIMessageChunk] = []
    for piece in pieces:
        received.append(piece)
        if time.monotonic() > until and piece.chunk_position != "last":
            # Closing the generator ends the request and calls the ledger's handler.
            pieces.close()
            raise TimeoutError("the reply took too long")
    reply = received[0] + received[1:]
    if not any(reply.response_metadata.get(name) for name in _ENDINGS):
        raise ConnectionError("the reply broke off")
    return cast("AIMessage", reply)


# Classify failed attempts: retry later, ask differently, or give up.
#
# The errors of the `groq`, `openai` and `anthropic` packages share their names and attributes (all are generated
# by Stainless), so one reading serves them without importing any.


#: Groq's name for "the model wrote something that is not JSON in JSON mode"; a 400, but a matter of the reply.
REPLY_CODES = frozenset({"json_validate_failed"})

#: Anthropic's names for errors that come in the middle of a stream, whose status is 200 by then.
#: https://docs.anthropic.com/en/api/errors
STATUS_BY_TYPE = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}

#: Parts of the names of errors that come without a status. A reply cut at its limit is `LengthFinishReasonError`,
#: a stream that was closed because its time was over tells the ledger of a `GeneratorExit`.
CODES_BY_NAME = (
    ("Timeout", "timeout"),
    ("GeneratorExit", "timeout"),
    ("Connection", "connection"),
    ("Protocol", "connection"),
    ("ReadError", "connection"),
    ("FinishReason", "reply"),
)


def error_code(error: BaseException) -> str:
    """A short stable code for the ledger: `http_429`, `timeout`, `connection`, `reply`, `malformed`."""
    if status := _status(error):
        return "reply" if _provider_word(error, "code") in REPLY_CODES else f"http_{status}"
    name = type(error).__name__
    return next((code for part, code in CODES_BY_NAME if part in name), "malformed")


def as_model_error(error: BaseException, provider: str) -> ModelError:
    """Return the typed error for an exception of a provider's package.

    Only the code is carried over: a provider's message may quote the prompt or the answer.
    """
    code = error_code(error)
    detail = f"{provider}: {code}"
    if code == "reply":
        return ModelReplyError(detail)
    if code.startswith("http_"):
        status = int(code.removeprefix("http_"))
        if may_pass(status):
            return ModelUnavailableError(detail, retry_after=_asked_to_wait(error))
        return ModelError(detail)
    return ModelUnavailableError(detail)


def _asked_to_wait(error: BaseException) -> float | None:
    headers = getattr(getattr(error, "response", None), "headers", None)
    return seconds_to_wait(headers.get("retry-after")) if isinstance(headers, Mapping) else None


def _status(error: BaseException) -> int | None:
    """Return the response's status, or the one that matches the error's type where a stream began with 200."""
    stated = getattr(error, "status_code", None)
    if isinstance(stated, int) and stated >= 400:
        return stated
    return STATUS_BY_TYPE.get(_provider_word(error, "type") or "")


def _provider_word(error: BaseException, name: str) -> str | None:
    """Return the value of `name` in the provider's error body, None where it is not a string."""
    body = getattr(error, "body", None)
    inner = body.get("error", body) if isinstance(body, Mapping) else None
    word = inner.get(name) if isinstance(inner, Mapping) else None
    return word if isinstance(word, str) else None
