"""Language models: typed replies, retries and a usage ledger behind one interface.

Importing this loads neither LangChain nor a provider's package: most processes never ask a model.
"""

from core.llm.ignored import warn_of_ignored_settings
from core.llm.ledger import MemoryLedger, ModelCall, Usage, UsageLedger
from core.llm.model import Model
from core.llm.providers import open_deep_model, open_model

__all__ = [
    "MemoryLedger",
    "Model",
    "ModelCall",
    "Usage",
    "UsageLedger",
    "open_deep_model",
    "open_model",
    "warn_of_ignored_settings",
]
