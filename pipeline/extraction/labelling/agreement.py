"""Two readings of a header, by rules and by the labeller: what both say is sure, what one says is doubtful."""

from __future__ import annotations

from collections.abc import Mapping

from pipeline.extraction.combine import combined
from pipeline.extraction.values.text import squeezed
from pipeline.profiles.declared import kind_of
from pipeline.schema import FieldReading

#: Method of readings by rules that follow a printed heading ("School: …").
HEADED = "heading"
#: Share (0-1) of its confidence that a reading keeps if the other reader finds nothing, or another value.
_ALONE_BY_RULES = 0.6
_DISPUTED = 0.6


def agreed(ruled: Mapping[str, FieldReading], labelled: Mapping[str, FieldReading]) -> dict[str, FieldReading]:
    """Return one reading of each field that either has."""
    found: dict[str, FieldReading] = {}
    for name in dict.fromkeys([*ruled, *labelled]):
        rule, label = ruled.get(name), labelled.get(name)
        if label is None or not label.value:
            if rule is not None:
                found[name] = _by_rules_alone(rule)
        elif rule is None or not rule.value:
            found[name] = label
        elif squeezed(rule.value) == squeezed(label.value):
            both = combined(kind_of(name), [label, rule])
            found[name] = both or label
        else:
            found[name] = _disputed(rule, label)
    return found


def _by_rules_alone(rule: FieldReading) -> FieldReading:
    if (rule.method or "").startswith(HEADED) or not rule.value:
        return rule
    return rule.model_copy(update={"confidence": round(rule.confidence * _ALONE_BY_RULES, 4)})


def _disputed(rule: FieldReading, label: FieldReading) -> FieldReading:
    """The labeller's reading unless it is the less confident one; a person decides."""
    best, other = (label, rule) if label.confidence >= 0.5 else (rule, label)
    confidence = round(min(best.confidence, 1.0) * _DISPUTED, 4)
    return best.model_copy(update={"confidence": confidence, "disagrees_with": other.value})
