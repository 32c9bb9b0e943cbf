"""Choose the reader of a report: the only place of `research` that asks whether there is a model."""

from __future__ import annotations

from core.llm import Model
from research.meaning import Meaning
from research.readers.model.reader import ModelReader
from research.readers.protocol import Reader
from research.readers.rules.reader import RulesReader


def open_reader(model: Model | None, meaning: Meaning) -> Reader:
    """Return the reader that asks the model; without a model, the one that reads by rule."""
    return RulesReader(meaning) if model is None else ModelReader(meaning, model=model)
