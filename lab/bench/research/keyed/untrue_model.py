"""A stand-in for a model that writes from evidence, and lies on a schedule; it sees no labels."""

from __future__ import annotations

import re
from typing import Any

from pydantic import BaseModel

from core.errors import ModelReplyError
from core.llm.ledger import Usage

FABRICATED = "Nine out of ten experts agree that this is settled beyond any doubt in 1987"
UNKNOWN = "ghost2020"
_PIECE = re.compile(r"<(e\d+)>(.*?)</e\d+>")
_WRITTEN = ("research.section", "research.summary")


class UntrueModel:
    """Every fourth sentence has a fabricated quotation, every fifth names the wrong piece of evidence.

    Every sixth has a number that its quotation lacks, and every third has markers of its own. It answers nothing
    but requests for the outline, which it divides in two, sections and the summary.
    """

    def __init__(self) -> None:
        self.written = 0

    def ask(self, system: str, user: str, schema: type[BaseModel], *, purpose: str, **_: Any) -> tuple[Any, Usage]:
        """See `core.llm.providers.Model.ask`."""
        pieces = _PIECE.findall(user)
        if purpose == "research.outline":
            keys = [key for key, _ in pieces]
            sections = [{"heading": f"Part {n + 1}", "evidence": keys[n::2]} for n in (0, 1)]
            return schema.model_validate({"sections": sections}), Usage("scripted", "scripted")
        if purpose not in _WRITTEN:
            raise ModelReplyError(purpose)
        sentences = [self._sentence(key, text, pieces[place - 1][0]) for place, (key, text) in enumerate(pieces)]
        return schema.model_validate({"sentences": sentences}), Usage("scripted", "scripted")

    def _sentence(self, key: str, quote: str, other: str) -> dict[str, Any]:
        self.written += 1
        turn, text = self.written, quote
        if turn % 4 == 0:
            quote = text = f"{FABRICATED} ({turn})."
        elif turn % 5 == 0:
            key = other
        elif turn % 6 == 0:
            text = f"About 4711 cases show that {text[0].lower()}{text[1:]}"
        if turn % 3 == 0:
            text = f"{text} [@{UNKNOWN}#c1] [99]"
        return {"text": text, "evidence": [{"id": key, "words": quote}]}
