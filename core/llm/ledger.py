"""The usage ledger: one `ModelCall` for each request sent to a model; see `core.llm.ledger_handler`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Protocol, TypedDict


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One request to a model, answered or not. Holds no prompt and no answer."""

    #: What it was asked for ("missing_fields"); a second go after an unusable reply ends in ".repair".
    purpose: str
    provider: str
    model: str
    tokens_in: int
    tokens_out: int
    latency_ms: int
    cost_usd: float
    status: Literal["ok", "error"]
    #: See `core.llm.failures.error_code`; None when answered.
    error_code: str | None = None
    #: 1 for the first attempt of a request, 2 for its first retry, …
    attempt: int = 1
    #: Node of the graph that asked, None outside a graph.
    node: str | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Totals of one `ask` over its answered requests. The ledger holds each request, also the failed ones."""

    provider: str
    model: str
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    latency_ms: int = 0
    cost_usd: float = 0.0


class UsageLedger(Protocol):
    """Stores model calls."""

    def record(self, call: ModelCall) -> None:
        """Write one call. Called from the thread that made it."""
        ...


@dataclass
class MemoryLedger:
    """A ledger for the command line and for tests."""

    calls: list[ModelCall] = field(default_factory=list)

    def record(self, call: ModelCall) -> None:
        """Keep the call."""
        self.calls.append(call)


class CallFacts(TypedDict):
    """LangChain metadata of a request, so that the handler does not depend on the settings."""

    llm_purpose: str
    llm_provider: str
    llm_model: str
    llm_attempt: int
    #: US dollars for a million tokens.
    llm_price_in: float
    llm_price_out: float


def cost_usd(tokens_in: int, tokens_out: int, price_in: float, price_out: float) -> float:
    """Cost of a call; prices are US dollars for a million tokens."""
    return (tokens_in * price_in + tokens_out * price_out) / 1_000_000
