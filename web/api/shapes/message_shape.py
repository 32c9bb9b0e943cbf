"""Messages in answers."""

from __future__ import annotations

from typing import Any

from pydantic import Field, model_validator

from core.messages import Message
from web.api.protocol.wire import Shown
from web.i18n import say


class MessageShape(Shown):
    """A code with its parameters, and the sentence that they make."""

    code: str = Field(description="Stable, for programs.")
    params: dict[str, Any] = Field(description="The values that the code speaks of, by name.")
    text: str = Field(description="The same for people, in the language of the request.")

    @model_validator(mode="before")
    @classmethod
    def _said(cls, value: Any) -> Any:
        if isinstance(value, Message):
            return {**value.to_json(), "text": say(value)}
        return value
