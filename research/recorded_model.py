"""A model that stores every reply before returning it, and never repeats a call that was stored."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from pydantic import BaseModel

from core.errors import ModelError, ModelReplyError, ModelUnavailableError
from core.llm import MemoryLedger, Model, ModelCall, Usage
from research.budget import Budget

if TYPE_CHECKING:
    from langchain_core.callbacks import BaseCallbackHandler

T = TypeVar("T", bound=BaseModel)

#: After this many unanswered calls in a row no more are sent, because each would use up all its attempts.
MOST_UNANSWERED = 3
_ERRORS: dict[str, type[ModelError]] = {
    error.code: error for error in (ModelError, ModelReplyError, ModelUnavailableError)
}


@dataclass(frozen=True, slots=True)
class Call:
    """A model call and its result; a row of `report_calls`."""

    call_key: str
    purpose: str
    #: The reply by the fields of its schema; empty if there is none.
    reply: dict[str, Any]
    error_code: str | None = None
    provider: str = ""
    model: str = ""
    #: Requests sent for it, including repairs and repeated attempts.
    requests: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float = 0.0


class CallRecord(Protocol):
    """Storage of model calls."""

    def find_call(self, call_key: str) -> Call | None:
        """Return the call with this key, or None."""
        ...

    def keep_call(self, call: Call) -> None:
        """Store a call durably."""
        ...


@dataclass
class RecordedModel:
    """A `core.llm.Model` that records the calls of another one.

    Calls are serialised, so that concurrent equal calls share a reply and cannot together exceed the budget.
    Failures are stored too, so that a resumed report takes the same path; a requested retry deletes them.
    """

    inner: Model
    record: CallRecord
    budget: Budget
    #: Filled by a `LedgerHandler` among the graph's callbacks; gives the consumption of failed calls.
    ledger: MemoryLedger = field(default_factory=MemoryLedger)
    #: Number of consecutive calls without an answer in time.
    unanswered: int = 0
    #: Called before each question, to stop a report and to show what it has cost so far.
    before_call: Callable[[], None] = field(default=lambda: None, repr=False)
    #: Held during a call.
    lock: threading.RLock = field(default_factory=threading.RLock, repr=False)

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
        """See `Model.ask`. Also raises BudgetSpentError."""
        self.before_call()
        key = call_key(purpose, system, user, schema)
        with self.lock:
            call = self.record.find_call(key)
            if call is None:
                self.budget.allow_call()
                call = self._made(key, system, user, schema, purpose, deadline, callbacks)
                self.record.keep_call(call)
                self.budget.count(call.requests, call.tokens_in, call.tokens_out, call.cost_usd)
            gone = call.error_code == ModelUnavailableError.code
            self.unanswered = self.unanswered + 1 if gone else 0
        if call.error_code is not None:
            raise _ERRORS.get(call.error_code, ModelError)(f"{purpose}: recorded as {call.error_code}")
        usage = Usage(
            call.provider, call.model, call.requests, call.tokens_in, call.tokens_out, cost_usd=call.cost_usd
        )
        return schema.model_validate(call.reply), usage

    def _made(
        self,
        key: str,
        system: str,
        user: str,
        schema: type[T],
        purpose: str,
        deadline: float | None,
        callbacks: Sequence[BaseCallbackHandler] | None,
    ) -> Call:
        if self.unanswered >= MOST_UNANSWERED:
            return Call(key, purpose, {}, error_code=ModelUnavailableError.code)
        before = len(self.ledger.calls)
        kept: dict[str, Any] = {}
        error_code: str | None = None
        try:
            reply, usage = self.inner.ask(
                system, user, schema, purpose=purpose, deadline=deadline, callbacks=callbacks
            )
            kept = reply.model_dump(mode="json")
        except ModelError as error:
            error_code, usage = error.code, _usage_of(self.ledger.calls[before:])
        requests = max(usage.calls, len(self.ledger.calls) - before)
        return Call(
            key,
            purpose,
            kept,
            error_code,
            usage.provider,
            usage.model,
            requests,
            usage.tokens_in,
            usage.tokens_out,
            usage.cost_usd,
        )


def _usage_of(sent: Sequence[ModelCall]) -> Usage:
    """Return the consumption of a failed call, which sent at least one request."""
    return Usage(
        sent[-1].provider if sent else "",
        sent[-1].model if sent else "",
        calls=1,
        tokens_in=sum(call.tokens_in for call in sent),
        tokens_out=sum(call.tokens_out for call in sent),
        cost_usd=sum(call.cost_usd for call in sent),
    )


def call_key(purpose: str, system: str, user: str, schema: type[BaseModel]) -> str:
    """Return a key that identifies prompts, purpose and schema."""
    # The whole schema, because a reply to an older version of it would not validate.
    form = [schema.__name__, schema.model_json_schema()]
    asked = json.dumps([purpose, system, user, form], ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(asked.encode()).hexdigest()
