"""Ask a model on behalf of a reader: a reply that cannot be used becomes a line of the reader's log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict

from core.errors import ModelError
from core.llm import Model
from core.log import get_logger
from research.readers.protocol import ReaderLog

T = TypeVar("T", bound=BaseModel)

#: Names of languages in prompts.
LANGUAGE_NAMES: Mapping[str, str] = {"en": "English", "es": "Spanish"}

log = get_logger(__name__)


def _bare(schema: dict[str, Any]) -> None:
    """Remove what describes the class to programmers, and titles, which repeat the names of the keys."""
    for part in (schema, *schema.get("properties", {}).values()):
        part.pop("title", None)
    schema.pop("description", None)


class Reply(BaseModel):
    """A part of what a model is asked to reply with. Keys that were not asked for are ignored."""

    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True, json_schema_extra=_bare)


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
