"""What a request asks for: items or a text, how many, and with which fields."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from research.questions.features import Wording, kind_features, number_features, token_features
from research.questions.field_names import ARTICLES
from research.questions.wording import MARKS
from research.text.linear_model import LinearModel, SpanModel, stored_models

#: Written by `lab/questions/train.py`.
FILE = Path(__file__).with_name("models.json.gz")


@dataclass(frozen=True)
class Models:
    """What reads a request: its kind, which number is that of the items, and which words name their fields."""

    kind: LinearModel
    count: LinearModel
    field: SpanModel


@cache
def models() -> Models:
    """Return the stored models."""
    stored = stored_models(FILE)
    return Models(LinearModel(**stored["kind"]), LinearModel(**stored["count"]), SpanModel(**stored["field"]))


@dataclass(frozen=True, slots=True)
class Field:
    """A field that a request names, with its place in the request."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Reading:
    """What a request seems to ask for."""

    wants_items: bool
    #: Number of items; None if none is named or a text is asked for.
    count: int | None
    fields: tuple[Field, ...]


@lru_cache(maxsize=256)
def read(query: str) -> Reading:
    """Return what a request asks for, in English or Spanish."""
    return read_with(models(), Wording(query))


def read_with(trained: Models, wording: Wording) -> Reading:
    """Return what a request asks for by these models."""
    counts = counts_in(trained.count, wording)
    fields = fields_in(trained.field, wording)
    features = kind_features(wording, max(counts, default=0.0), len(fields))
    if trained.kind.probability(features) < trained.kind.threshold:
        return Reading(False, None, ())
    return Reading(True, _count(wording, counts, trained.count.threshold), fields)


def counts_in(model: LinearModel, wording: Wording) -> list[float]:
    """Return the probability of each number to be that of the items."""
    return [model.probability(number_features(wording, at)) for at in range(len(wording.numbers))]


def fields_in(model: SpanModel, wording: Wording) -> tuple[Field, ...]:
    """Return the fields that a request names, each once."""
    found: dict[str, Field] = {}
    for first, last in model.spans(token_features(wording)):
        while first < last and wording.tokens[first].word in ARTICLES:
            first += 1
        start, end = wording.tokens[first].start, wording.tokens[last].end
        text = " ".join(wording.text[start:end].split())
        if wording.tokens[first].word not in ARTICLES | MARKS:
            found.setdefault(text.casefold(), Field(text, start, end))
    return tuple(found.values())


def _count(wording: Wording, counts: list[float], threshold: float) -> int | None:
    best = max(range(len(counts)), key=counts.__getitem__, default=None)
    return wording.numbers[best].value if best is not None and counts[best] >= threshold else None
