"""Ask a model on behalf of a reader; where its reply cannot be used, passages stand in its place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any, ClassVar, Concatenate, ParamSpec, TypeVar

from pydantic import BaseModel, ConfigDict

from core.errors import ModelError
from core.llm import Model
from core.log import get_logger
from research.readers.reader import Reader

T = TypeVar("T", bound=BaseModel)
P = ParamSpec("P")
A = TypeVar("A", bound="Asking")
Answer = TypeVar("Answer")

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


class UnusableError(Exception):
    """A reply that cannot be used; never leaves the reader."""


@dataclass(kw_only=True)
class Asking(Reader):
    """A reader with a model; parts of the reader override what they ask it for."""

    judges: ClassVar[bool] = True

    model: Model

    def ask(self, purpose: str, system: str, user: str, schema: type[T], *, part: str = "") -> T:
        """Return the reply. `part` is what `log.unread_parts` calls it, by default as its purpose.

        Raises UnusableError if the model failed; `core.llm` has asked for a repair by then.
        """
        try:
            reply, _ = self.model.ask(system, user, schema, purpose=f"research.{purpose}")
        except ModelError as error:
            raise self.unusable(part or purpose, error.code) from error
        return reply

    def unusable(self, part: str, code: str) -> UnusableError:
        """Note a part that the model could not read, and return what is raised for it."""
        log.warning("model_reply_unusable", part=part, code=code)
        if part not in self.log.unread_parts:
            self.log.unread_parts.append(part)
        return UnusableError(part)


def or_passages(method: Callable[Concatenate[A, P], Answer]) -> Callable[Concatenate[A, P], Answer]:
    """Answer as without a model where its reply cannot be used, which the log says."""

    @wraps(method)
    def answered(self: A, /, *args: P.args, **kwargs: P.kwargs) -> Answer:
        try:
            return method(self, *args, **kwargs)
        except UnusableError:
            plain: Callable[P, Answer] = getattr(super(Asking, self), method.__name__)
            return plain(*args, **kwargs)

    return answered
