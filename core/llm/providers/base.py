"""Interface of a provider of language models: one file in this folder, one entry in `ALL_PROVIDERS`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Protocol

from core.config import Settings
from core.llm.depth import Depth

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from core.llm.chat import ChatModel

#: JSON mode, as OpenAI named it.
JSON_MODE = {"type": "json_object"}


class Provider(Protocol):
    """Opens chat models. Its packages take half a second to import, so `open` imports them, not the module."""

    #: Its name in the ledger and in logs.
    name: ClassVar[str]
    #: Settings that only this provider reads: address, key, model.
    settings: ClassVar[frozenset[str]]

    def serves(self, settings: Settings, *, deep: bool) -> bool:
        """Whether the settings enable it: for questions about entries, or (`deep`) for those that take
        reasoning."""
        ...

    def model_name(self, settings: Settings, depth: Depth) -> str:
        """The model that `open` will ask."""
        ...

    def ignores(self, settings: Settings, depth: Depth) -> frozenset[str]:
        """Return the settings of the deep model (DEEP_*) that have no effect with this provider and model."""
        ...

    def open(self, settings: Settings, depth: Depth) -> ChatModel:
        """The model, with the package's own retries off."""
        ...


def chat_model(
    provider: Provider,
    name: str,
    chat: BaseChatModel,
    errors: tuple[type[Exception], ...],
    depth: Depth,
    options: Mapping[str, object] | None = None,
    *,
    streamed: bool = False,
) -> ChatModel:
    """`chat` with our limits around it."""
    from core.llm.chat import ChatModel
    from core.llm.stream import BROKEN_STREAM

    return ChatModel(
        provider=provider.name,
        model=name,
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
