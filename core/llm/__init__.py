"""Language models: one way to ask, typed replies, owned retries, a ledger of every call."""

from core.llm.chat import ChatModel, Model
from core.llm.ignored import warn_of_ignored_settings
from core.llm.ledger import LedgerHandler, MemoryLedger, ModelCall, Usage, UsageLedger
from core.llm.providers import open_deep_model, open_model

__all__ = [
    "ChatModel",
    "LedgerHandler",
    "MemoryLedger",
    "Model",
    "ModelCall",
    "Usage",
    "UsageLedger",
    "open_deep_model",
    "open_model",
    "warn_of_ignored_settings",
]
