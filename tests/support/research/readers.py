"""Readers for tests: by rule, and one that asks a scripted model."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from core.errors import ModelReplyError
from research.meaning import NoMeaning
from research.readers.choice import ModelReader
from research.readers.reader import Reader
from tests.support.research.report_material import ScriptedModel

_PIECE = re.compile(r"<(e\d+)>(.*?)</e\d+>")


def rules() -> Reader:
    """The reader by rule, without an embedder."""
    return Reader(NoMeaning())


def asking(answer: Callable[[str, str], Any]) -> tuple[ModelReader, ScriptedModel]:
    """A reader whose model answers as told, and nothing (a reply that cannot be used) where it is told None."""

    def told(purpose: str, user: str) -> Any:
        reply = answer(purpose, user)
        return ModelReplyError(purpose) if reply is None else reply

    model = ScriptedModel(told)
    return ModelReader(NoMeaning(), model=model), model


def piece(user: str, words: str) -> str:
    """The id of the evidence of a request that holds the words; "e0", which is none, if there is none."""
    return next((key for key, text in _PIECE.findall(user) if words in text), "e0")
