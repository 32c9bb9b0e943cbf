"""Ask a model a question and get a validated object back, or a typed error."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage
from pydantic import BaseModel

from core.errors import ModelReplyError
from core.llm.ledger import Usage
from core.llm.prompts import REPLY_FORMAT
from core.llm.request import Request, UnusableReplyError

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
    #: Sent with every request beside the messages: JSON mode, where the provider has one.
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
    ) -> tuple[T, Usage]:
        """See `Model.ask`."""
        until = time.monotonic() + self.patience if deadline is None else deadline
        request = Request(self, purpose, until, list(callbacks) if callbacks else None)
        messages: list[BaseMessage] = [
            SystemMessage(f"{system}\n\n{_reply_format(schema)}"),
            HumanMessage(user),
        ]
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


def _reply_format(schema: type[BaseModel]) -> str:
    return REPLY_FORMAT.format(schema=json.dumps(schema.model_json_schema(), ensure_ascii=False))
