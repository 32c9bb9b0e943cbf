"""A language model as the rest of the product sees it; importing this loads no package of a provider."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from pydantic import BaseModel

from core.llm.ledger import Usage

if TYPE_CHECKING:
    from langchain_core.callbacks import BaseCallbackHandler

T = TypeVar("T", bound=BaseModel)


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
    ) -> tuple[T, Usage]:
        """Ask for an object of `schema`.

        `deadline` is a moment of `time.monotonic()`: no attempt begins and no wait ends after it; without one
        it lies `patience` seconds ahead. `callbacks` belong to calls outside a graph: inside one, leave them
        out, the graph's own are inherited.

        Raises ModelUnavailableError (retryable), ModelReplyError or ModelError.
        """
        ...
