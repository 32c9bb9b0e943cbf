"""A language model as the rest of the product sees it, and the ledger of what it was asked and what it cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol, TypedDict, TypeVar

from pydantic import BaseModel

if TYPE_CHECKING:
    from langchain_core.callbacks import BaseCallbackHandler


# A language model as the rest of the product sees it; importing this loads no package of a provider.


T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that a model is shown beside a question."""

    #: The encoded file; in no representation, so that no log or error shows it.
    data: bytes = field(repr=False)
    media_type: Literal["image/png", "image/jpeg"]


class Model(Protocol):
    """A language model as the rest of the product sees it."""

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
        """Ask for an object of `schema`, about a picture where one is given: only for models that see.

        `deadline` is a moment of `time.monotonic()`: no attempt begins and no wait ends after it; without one
        it lies `patience` seconds ahead. `callbacks` belong to calls outside a graph: inside one, leave them
        out, the graph's own are inherited.

        Raises ModelUnavailableError (retryable), ModelReplyError or ModelError.
        """


# The usage ledger: one `ModelCall` for each request sent to a model; see `core.llm.chat`.


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
    #: See `core.llm.chat.error_code`; None when answered.
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
    def record(self, call: ModelCall) -> None:
        """Write one call. Called from the thread that made it."""


@dataclass
class MemoryLedger:
    """A ledger for the command line and for tests."""

    calls: list[ModelCall] = field(default_factory=list)

    def record(self, call: ModelCall) -> None:
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
