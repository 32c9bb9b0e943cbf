"""Two readings of a header, by rules and by the labeller.

What both say is sure, what they say differently is doubtful. Where the labeller finds nothing, the rules are
believed behind a printed heading only; where the rules find nothing, the labeller is believed if it is sure and
the value's own words are of the kind, else a person confirms what it says.
"""

from __future__ import annotations

from collections.abc import Mapping

from pipeline.extraction.combine import combined
from pipeline.extraction.freeform import HEADED
from pipeline.extraction.labelling.header import READ_FIELDS, LabelledHeader
from pipeline.extraction.labelling.known import is_of_kind
from pipeline.extraction.values.schools import without_room
from pipeline.extraction.values.text import squeezed
from pipeline.profiles import FieldKind
from pipeline.profiles.declared import kind_of
from pipeline.schema import FieldReading

#: Highest confidence of a labelled value that the rules do not see: by itself it completes no entry.
LABELLED_ALONE = 0.79
#: What the labeller must make of a value that rules find by its place alone or not at all, so that it is sure.
_SURE = 0.95
#: Share (0-1) of its confidence that a reading keeps if the other reader finds another value.
_DISPUTED = 0.6
#: A labelled value of less confidence is left for one behind a heading.
_UNSURE = 0.5


def agreed(ruled: Mapping[str, FieldReading], header: LabelledHeader) -> dict[str, FieldReading]:
    """Return one reading of each field that either has.

    While a word of the header is unexplained, its name, school and grade are not accounted for.
    """
    found = _both(ruled, header.readings)
    if header.unexplained:
        wanted = [name for name in READ_FIELDS if name in found]
        found |= {name: found[name].model_copy(update={"unaccounted": True}) for name in wanted}
    return found


def _both(ruled: Mapping[str, FieldReading], labelled: Mapping[str, FieldReading]) -> dict[str, FieldReading]:
    found: dict[str, FieldReading] = {}
    for name in dict.fromkeys([*ruled, *labelled]):
        rule, label = ruled.get(name), labelled.get(name)
        if label is None:
            if rule is not None and (name not in READ_FIELDS or _headed(rule)):
                found[name] = rule
        elif rule is None or not rule.value:
            known = is_of_kind(kind_of(name), label.value or "")
            found[name] = label if known and label.confidence >= _SURE else _at_most(label, LABELLED_ALONE)
        elif _is_same(kind_of(name), rule.value, label.value or ""):
            both = combined(kind_of(name), [label, rule]) or label
            sure = _headed(rule) or label.confidence >= _SURE
            found[name] = both if sure else _at_most(both, LABELLED_ALONE)
        else:
            found[name] = _disputed(rule, label)
    return found


def _is_same(kind: FieldKind, ruled: str, labelled: str) -> bool:
    """Whether the two have the same letters; the rules take a room that is joined to a school for a part of it."""
    if kind is FieldKind.SCHOOL and squeezed(without_room(ruled)[0]) == squeezed(labelled):
        return True
    return squeezed(ruled) == squeezed(labelled)


def _at_most(reading: FieldReading, confidence: float) -> FieldReading:
    return reading.model_copy(update={"confidence": min(reading.confidence, confidence)})


def _headed(rule: FieldReading) -> bool:
    return not rule.value or (rule.method or "").startswith(HEADED)


def _disputed(rule: FieldReading, label: FieldReading) -> FieldReading:
    """The labeller's reading, unless it is unsure and the rules followed a heading; a person decides."""
    best, other = (rule, label) if _headed(rule) and label.confidence < _UNSURE else (label, rule)
    confidence = round(best.confidence * _DISPUTED, 4)
    return best.model_copy(update={"confidence": confidence, "disagrees_with": other.value})
