"""What a request asks for: items or a text, how many, and with which fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from research.questions.features import Wording, kind_features, number_features, part_features
from research.questions.field_names import ARTICLES, common_key, plain_name
from research.questions.wording import Part
from research.text.linear_model import LinearModel, stored_models

#: Written by `lab/questions/train.py`.
FILE = Path(__file__).with_name("models.json.gz")


@cache
def models() -> Mapping[str, LinearModel]:
    """Return the models "kind", "count" and "field"."""
    return stored_models(FILE)


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


def read_with(trained: Mapping[str, LinearModel], wording: Wording) -> Reading:
    """Return what a request asks for by these models."""
    counts = chances(trained["count"], wording, "count")
    fields = chances(trained["field"], wording, "field")
    features = kind_features(wording, max(counts, default=0.0), fields)
    if trained["kind"].probability(features) < trained["kind"].threshold:
        return Reading(False, None, ())
    named = [
        at for at, chance in enumerate(fields) if chance >= _least(wording.parts[at], trained["field"].threshold)
    ]
    return Reading(True, _count(wording, counts, trained["count"].threshold), _fields(wording, named))


def chances(model: LinearModel, wording: Wording, what: str) -> list[float]:
    """Return the probability of each number to be the count, or of each part to name a field."""
    if what == "count":
        return [model.probability(number_features(wording, at)) for at in range(len(wording.numbers))]
    return [model.probability(part_features(wording, at)) for at in range(len(wording.parts))]


def _count(wording: Wording, counts: list[float], threshold: float) -> int | None:
    best = max(range(len(counts)), key=counts.__getitem__, default=None)
    return wording.numbers[best].value if best is not None and counts[best] >= threshold else None


def _least(part: Part, threshold: float) -> float:
    """Return the least probability for a part to name a field: half as much for the name of a common one."""
    return threshold / 2 if common_key(plain_name(" ".join(part.words))) else threshold


def _fields(wording: Wording, named: list[int]) -> tuple[Field, ...]:
    found: dict[str, Field] = {}
    for part in (wording.parts[at] for at in named):
        words = [at for at in range(part.start, part.end) if wording.tokens[at].word not in ARTICLES]
        if not words:
            continue
        start, end = wording.tokens[words[0]].start, wording.tokens[part.end - 1].end
        text = " ".join(wording.text[start:end].split())
        found.setdefault(text.casefold(), Field(text, start, end))
    return tuple(found.values())
