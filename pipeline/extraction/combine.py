"""Several readings of one field become one: agreement makes it surer, disagreement halves it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from rapidfuzz import fuzz

from pipeline.extraction.names import same_person
from pipeline.extraction.schools import without_room
from pipeline.extraction.text import squeezed
from pipeline.profiles import FieldKind
from pipeline.schema import FieldReading

#: Two witnesses are never quite certainty.
AGREED = 0.97


def _digits(a: str, b: str) -> bool:
    return re.sub(r"\D", "", a)[-10:] == re.sub(r"\D", "", b)[-10:]


def _schools(a: str, b: str) -> bool:
    return fuzz.token_set_ratio(without_room(a)[0].casefold(), without_room(b)[0].casefold()) >= 90


_SAME: dict[FieldKind, Callable[[str, str], bool]] = {
    FieldKind.PERSON: same_person,
    FieldKind.SCHOOL: _schools,
    FieldKind.PHONE: _digits,
}


def same_value(kind: FieldKind, a: str, b: str) -> bool:
    """Whether two values of a kind mean the same."""
    return _SAME.get(kind, lambda x, y: squeezed(x) == squeezed(y))(a, b)


def combined(kind: FieldKind, readings: Sequence[FieldReading]) -> FieldReading | None:
    """The best reading, with what the others say of it. The first counts for more where two are as sure."""
    given = [r for r in readings if r.value]
    if not given:
        return readings[0] if readings else None
    best = max(given, key=lambda r: r.confidence)
    others = [r for r in given if r is not best and r.value and best.value]
    for other in others:
        assert best.value is not None and other.value is not None
        if same_value(kind, best.value, other.value):
            best = _surer(best, other)
        elif kind not in (FieldKind.ESSAY, FieldKind.REACTION):
            return best.model_copy(update={"confidence": round(best.confidence / 2, 4), "disagrees_with": other.value})
    return best


def _surer(best: FieldReading, other: FieldReading) -> FieldReading:
    together = 1 - (1 - best.confidence) * (1 - other.confidence)
    confidence = max(best.confidence, min(together, AGREED))
    method = f"{best.method} + {other.method}"
    return best.model_copy(update={"confidence": round(confidence, 4), "method": method})
