"""The LangChain callback that writes the usage ledger."""

from __future__ import annotations

import time
from collections.abc import Mapping
from threading import Lock
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatGeneration, LLMResult

from core.llm.failures import error_code
from core.llm.ledger import ModelCall, UsageLedger, cost_usd


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
        """Write an answered call."""
        self._finish(run_id, *tokens_of(response), error=None)

    def on_llm_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        """Write a failed call."""
        self._finish(run_id, 0, 0, error=error_code(error))

    def _finish(self, run_id: UUID, tokens_in: int, tokens_out: int, *, error: str | None) -> None:
        # A handler that is twice in a list of callbacks is called twice; only the first call is recorded.
        with self._lock:
            started = self._running.pop(run_id, None)
        if started is not None:
            self._ledger.record(_call(started, tokens_in, tokens_out, error))


def tokens_of(response: LLMResult) -> tuple[int, int]:
    """Return the input and output tokens that the provider reports, 0 where it reports none."""
    counted = [
        usage
        for generations in response.generations
        for generation in generations
        if isinstance(generation, ChatGeneration)
        and (usage := getattr(generation.message, "usage_metadata", None))
    ]
    return sum(usage["input_tokens"] for usage in counted), sum(usage["output_tokens"] for usage in counted)


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
