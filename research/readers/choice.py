"""Choose the reader of a report: the only place of `research` that asks whether there is a model."""

from __future__ import annotations

from core.llm import Model
from research.meaning import Meaning
from research.readers.model.drafting import Drafting
from research.readers.model.items import Cataloguing
from research.readers.model.planning import Planning
from research.readers.model.proven import Proving
from research.readers.model.reading import Reading
from research.readers.reader import Reader


class ModelReader(Planning, Reading, Cataloguing, Proving, Drafting):
    """Gives passages of what the model could not read; each part asks the model for what it is named after."""


def open_reader(model: Model | None, meaning: Meaning) -> Reader:
    """Return the reader that asks the model; without a model, the one that gives passages."""
    return Reader(meaning) if model is None else ModelReader(meaning, model=model)
