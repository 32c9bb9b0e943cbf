"""Readers for tests: one without a model, and one that asks a scripted model."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from core.errors import ModelReplyError
from research.readers.model.reading import ModelReader
from research.readers.reader import Reader
from research.text.meaning import NoMeaning
from tests.support.research.report_material import ScriptedModel

_PIECE = re.compile(r"<(e\d+)>(.*?)</e\d+>")


def passages() -> Reader:
    """The reader without a model and without an embedder."""
    return Reader(NoMeaning())


def asking(answer: Callable[[str, str], Any]) -> tuple[ModelReader, ScriptedModel]:
    """A reader whose model answers as told, and nothing (a reply that cannot be used) where it is told None."""

    def told(purpose: str, user: str) -> Any:
        reply = answer(purpose, user)
        return ModelReplyError(purpose) if reply is None else reply

    model = ScriptedModel(told)
    return ModelReader(NoMeaning(), model=model), model


def silent() -> Reader:
    """A reader whose model gives no reply that can be used."""
    return asking(lambda *_: None)[0]


def one_section(user: str) -> dict[str, Any]:
    """An outline that puts all evidence of a request into one section."""
    keys = [key for key, _ in _PIECE.findall(user)]
    return {"sections": [{"heading": "What was found", "question": "What was found?", "evidence": keys}]}


def piece(user: str, words: str) -> str:
    """The id of the evidence of a request that holds the words; "e0", which is none, if there is none."""
    return next((key for key, text in _PIECE.findall(user) if words in text), "e0")
