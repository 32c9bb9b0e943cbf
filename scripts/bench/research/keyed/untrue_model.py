"""A stand-in for a model that writes from excerpts, and lies on a schedule; it sees no labels."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel

from core.llm import Usage

FABRICATED = "Nine out of ten experts agree that this is settled beyond any doubt in 1987"
UNKNOWN = "ghost2020"


class UntrueModel:
    """Every fourth sentence has a fabricated quotation, every fifth names the wrong source.

    Every sixth has a number that its quotation lacks, and every third has markers of its own.
    """

    def __init__(self) -> None:
        self.written = 0

    def ask(self, system: str, user: str, schema: type[BaseModel], *, purpose: str, **_: Any) -> tuple[Any, Usage]:
        """See `core.llm.Model.ask`."""
        request = json.loads(user)
        excerpts = request["excerpts"]
        keys = [excerpt["source_key"] for excerpt in excerpts]
        sentences = [
            self._sentence(excerpt, keys[place - 1])
            for place, excerpt in enumerate(excerpts[: request["sentences_at_most"]])
        ]
        return schema.model_validate({"sentences": sentences}), Usage("scripted", "scripted")

    def _sentence(self, excerpt: dict[str, str], other: str) -> dict[str, Any]:
        self.written += 1
        turn, text, key, quote = self.written, excerpt["text"], excerpt["source_key"], excerpt["text"]
        if turn % 4 == 0:
            quote = text = f"{FABRICATED} ({turn})."
        elif turn % 5 == 0:
            key = other
        elif turn % 6 == 0:
            text = f"About 4711 cases show that {text[0].lower()}{text[1:]}"
        if turn % 3 == 0:
            text = f"{text} [@{UNKNOWN}#c1] [99]"
        return {"text": text, "quotes": [{"source_key": key, "quote": quote}]}
