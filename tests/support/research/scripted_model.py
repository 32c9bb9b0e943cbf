"""A model that gives the replies it was handed, in order, and remembers what it was asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import BaseModel

from core.llm.ledger import Usage

T = TypeVar("T", bound=BaseModel)


@dataclass
class ScriptedModel:
    """`core.llm.providers.Model` by script; a reply that is an error is raised."""

    replies: list[dict[str, Any] | Exception]
    #: System prompt, user prompt and purpose of every call.
    asked: list[tuple[str, str, str]] = field(default_factory=list)

    def ask(self, system: str, user: str, schema: type[T], *, purpose: str, **_: Any) -> tuple[T, Usage]:
        """The next reply."""
        self.asked.append((system, user, purpose))
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return schema.model_validate(reply), Usage("scripted", "script")
