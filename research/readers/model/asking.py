"""Ask a model on behalf of a reader: a reply that cannot be used becomes a line of the reader's log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel

from core.errors import ModelError
from core.llm import Model
from core.log import get_logger
from research.readers.protocol import ReaderLog

T = TypeVar("T", bound=BaseModel)

log = get_logger(__name__)


@dataclass(frozen=True)
class Asking:
    """A model, and the log of the reader that asks it."""

    model: Model
    log: ReaderLog

    def ask(self, part: str, system: str, user: str, schema: type[T], purpose: str) -> T | None:
        """Return the reply; None, with `part` among `log.parts_by_rule`, if the model failed.

        `core.llm` has asked for a repair by then.
        """
        try:
            reply, _ = self.model.ask(system, user, schema, purpose=purpose)
        except ModelError as error:
            self.failed(part, error.code)
            return None
        return reply

    def failed(self, part: str, code: str) -> None:
        """Note a part that the rules must read."""
        log.warning("read_by_rule", part=part, code=code)
        if part not in self.log.parts_by_rule:
            self.log.parts_by_rule.append(part)
