"""What the nodes of a report share: the context, and a model that stores its replies."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, TypeVar

from langgraph.runtime import Runtime
from pydantic import BaseModel

from core.errors import ModelError, ModelReplyError, ModelUnavailableError
from core.llm.ledger import MemoryLedger, Model, Usage
from core.models import ReportCall
from core.plain_data import checked_delta
from research.config import ResearchConfig
from research.memo import Kind
from research.readers.protocol import Asked
from research.readers.reader import Reader
from research.sources.base import SearchScope, SourceKind, SourceProvider
from research.sources.providers import ActiveSources
from research.storage import Calls, ReportStore, ResearchBudget


@dataclass(frozen=True)
class Brief:
    """The request of a report."""

    asked: Asked
    config: ResearchConfig
    #: Permitted kinds of researchers.
    kinds: tuple[Kind, ...]
    #: Permitted providers; empty: all enabled ones.
    providers: tuple[str, ...] = ()
    domains_allowed: tuple[str, ...] = ()
    domains_denied: tuple[str, ...] = ()
    #: As the person typed it; None to decide automatically.
    allocation: str | None = None
    approve_plan: bool = False
    #: Whether a person chose the fields of a catalog; otherwise they come from the words of the request.
    fields_chosen: bool = True
    #: Whether essays of entries are among its sources.
    asks_essays: bool = False

    def with_fields(self, fields: Sequence[str]) -> Brief:
        """Return the request for a catalog with these fields, without the name."""
        asked, config = (
            replace(self.asked, fields=tuple(fields)),
            replace(self.config, catalog_fields=tuple(fields)),
        )
        return replace(self, asked=asked, config=config, fields_chosen=True)

    def scope(self, kind: SourceKind) -> SearchScope:
        """Return the limits of a search for this report."""
        return SearchScope(kind, self.asked.language, self.domains_allowed, self.domains_denied)


@dataclass
class RoundContext:
    """The context passed to every node through LangGraph's `Runtime`."""

    #: Changed once, when the fields of a catalog are read before the plan.
    brief: Brief
    store: ReportStore
    sources: ActiveSources
    budget: ResearchBudget
    reader: Reader

    def providers(self, kind: SourceKind) -> list[SourceProvider]:
        """Return the providers permitted for this kind in this report."""
        wanted = self.brief.providers
        return [source for source in self.sources.for_kind(kind) if not wanted or source.name in wanted]


def step(work: Callable[[Any, RoundContext], Any], declared: type) -> Callable[..., Mapping[str, Any]]:
    """Return a node that does this work; it can be cancelled, and may only change keys of `declared`."""

    def run(state: Any, *, runtime: Runtime[RoundContext]) -> Mapping[str, Any]:
        context = runtime.context
        context.store.progress.stop_if_asked()
        delta: Mapping[str, Any] = checked_delta(work.__name__, work(state, context), declared.__annotations__)
        context.store.progress.spend(context.budget.as_json())
        return delta

    return run


# A model that stores every reply before returning it, and never repeats a call that was stored.


T = TypeVar("T", bound=BaseModel)

#: After this many unanswered calls in a row no more are sent, because each would use up all its attempts.
MOST_UNANSWERED = 3
_ERRORS: dict[str, type[ModelError]] = {
    error.code: error for error in (ModelError, ModelReplyError, ModelUnavailableError)
}


@dataclass
class RecordingModel:
    """A `core.llm.providers.Model` that records the calls of another one.

    Calls are serialised, so that concurrent equal calls share a reply and cannot together exceed the budget.
    Failures are stored too, so that a resumed report takes the same path; a requested retry deletes them.
    """

    inner: Model
    record: Calls
    budget: ResearchBudget
    #: Filled by a `LedgerHandler` among the graph's callbacks; gives the consumption of failed calls.
    ledger: MemoryLedger = field(default_factory=MemoryLedger)
    #: Number of consecutive calls without an answer in time.
    unanswered: int = 0
    #: Called before each question, to stop a report and to update its displayed cost.
    before_call: Callable[[], None] = field(default=lambda: None, repr=False)
    #: Held during a call.
    lock: threading.RLock = field(default_factory=threading.RLock, repr=False)

    def ask(self, system: str, user: str, schema: type[T], *, purpose: str, **options: Any) -> tuple[T, Usage]:
        """See `Model.ask`. Also raises BudgetSpentError."""
        self.before_call()
        key = call_key(purpose, system, user, schema)
        with self.lock:
            call = self.record.find(key)
            if call is None:
                self.budget.allow_call()
                call = self._made(
                    purpose, lambda: self.inner.ask(system, user, schema, purpose=purpose, **options)
                )
                self.record.keep(key, call)
                self.budget.count(call.requests, call.tokens_in, call.tokens_out, float(call.cost_usd))
            gone = call.error_code == ModelUnavailableError.code
            self.unanswered = self.unanswered + 1 if gone else 0
        if call.error_code is not None:
            raise _ERRORS.get(call.error_code, ModelError)(f"{purpose}: recorded as {call.error_code}")
        counts = call.requests, call.tokens_in, call.tokens_out
        usage = Usage(call.provider, call.model, *counts, cost_usd=float(call.cost_usd))
        return schema.model_validate(call.reply), usage

    def _made(self, purpose: str, ask: Callable[[], tuple[BaseModel, Usage]]) -> ReportCall:
        """Ask the inner model; a failed call has an error code and the consumption of its requests."""
        before, error_code, reply, usage = len(self.ledger.calls), None, {}, Usage("", "")
        if self.unanswered >= MOST_UNANSWERED:
            error_code = ModelUnavailableError.code
        else:
            try:
                made, usage = ask()
                reply = made.model_dump(mode="json")
            except ModelError as error:
                error_code, sent = error.code, self.ledger.calls[before:]
                usage = Usage(
                    sent[-1].provider if sent else "",
                    sent[-1].model if sent else "",
                    calls=1,
                    tokens_in=sum(call.tokens_in for call in sent),
                    tokens_out=sum(call.tokens_out for call in sent),
                    cost_usd=sum(call.cost_usd for call in sent),
                )
        return ReportCall(
            purpose=purpose,
            reply=reply,
            error_code=error_code,
            provider=usage.provider,
            model=usage.model,
            requests=max(usage.calls, len(self.ledger.calls) - before),
            tokens_in=usage.tokens_in,
            tokens_out=usage.tokens_out,
            cost_usd=Decimal(str(usage.cost_usd)),
        )


def call_key(purpose: str, system: str, user: str, schema: type[BaseModel]) -> str:
    """Return a key that identifies prompts, purpose and schema."""
    # The whole schema, because a reply to an older version of it would not validate.
    form = [schema.__name__, schema.model_json_schema()]
    asked = json.dumps([purpose, system, user, form], ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(asked.encode()).hexdigest()
