"""What a request asks for: items or a text, how many, and with which fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from research.questions.features import Wording, kind_features, number_features, part_features
from research.questions.models import LinearModel, models


@dataclass(frozen=True, slots=True)
class Reading:
    """What a request seems to ask for."""

    wants_items: bool
    #: Number of items; None if none is named or a text is asked for.
    count: int | None
    #: The fields as the request names them; none where a text is asked for.
    fields: tuple[str, ...]


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
    named = [part for part, chance in enumerate(fields) if chance >= trained["field"].threshold]
    return Reading(True, _count(wording, counts, trained["count"].threshold), _texts(wording, named))


def chances(model: LinearModel, wording: Wording, what: str) -> list[float]:
    """Return the probability of each number to be the count, or of each part to name a field."""
    if what == "count":
        return [model.probability(number_features(wording, at)) for at in range(len(wording.numbers))]
    return [model.probability(part_features(wording, at)) for at in range(len(wording.parts))]


def _count(wording: Wording, counts: list[float], threshold: float) -> int | None:
    best = max(range(len(counts)), key=counts.__getitem__, default=None)
    return wording.numbers[best].value if best is not None and counts[best] >= threshold else None


def _texts(wording: Wording, named: list[int]) -> tuple[str, ...]:
    tokens = wording.tokens
    parts = [wording.parts[at] for at in named]
    texts = (wording.text[tokens[part.start].start : tokens[part.end - 1].end] for part in parts)
    return tuple(dict.fromkeys(" ".join(text.split()) for text in texts))
