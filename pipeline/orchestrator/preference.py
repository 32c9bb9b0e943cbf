"""Which of two values of a field is the likelier one, by the scorers that made them: pure."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.extraction.combine import same_value
from pipeline.extraction.fields import judge
from pipeline.extraction.values.contacts import ends_in_public_suffix
from pipeline.pages.page_model import Source
from pipeline.profiles import HEADER_KINDS, FieldKind
from pipeline.profiles.declared import kind_of
from pipeline.schema import FieldReading, Preferred
from pipeline.spelling.spelled import SPELLED_KINDS, letter_likelihood, spellable

#: A scorer that gives less holds its own value for more likely wrong than right; so does a value's kind.
LIKELY = 0.5
#: How much likelier, as a logarithm a letter, a spelling must be than the first one: less is a matter of taste.
CLEARLY = 0.25
#: Read without recognition: the letters are right, whatever they mean.
_EXACT = frozenset({Source.ACROFORM, Source.TEXT_LAYER})


def preferred_value(
    name: str, first: FieldReading, better: FieldReading, others: Sequence[FieldReading]
) -> Preferred:
    """Whether to believe `better`, the first reading or neither.

    `others` are all further readings of the field, `better` among them. A proposal is preferred where it is
    plausible and likelier than the first reading; where the two are as likely, the first reading is.
    """
    kind = kind_of(name)
    if plausible(kind, better) and _likelier(kind, first, better, others):
        return Preferred.PROPOSED
    return Preferred.AS_READ if plausible(kind, first) else Preferred.NEITHER


def preferred_as_read(name: str, first: FieldReading) -> Preferred:
    """Of a proposal to keep the first reading, which none of the others exceeded: is it plausible?"""
    return Preferred.PROPOSED if plausible(kind_of(name), first) else Preferred.NEITHER


def plausible(kind: FieldKind, reading: FieldReading) -> bool:
    """Whether this can be a value of the kind: by its form, and where letters were guessed, by its spelling."""
    if not reading.value:
        return False
    if kind not in HEADER_KINDS or reading.source is Source.SCHOOL_LIST:
        return True
    judged = judge(kind, reading.value)
    if judged.text is None or judged.certainty < LIKELY:
        return False
    if reading.source in _EXACT:
        return True
    if kind is FieldKind.EMAIL:
        return ends_in_public_suffix(reading.value)
    return kind not in SPELLED_KINDS or spellable(kind, reading.value)


def _likelier(kind: FieldKind, first: FieldReading, better: FieldReading, others: Sequence[FieldReading]) -> bool:
    if not first.value:
        return better.confidence >= LIKELY and _is_witnessed(kind, better, others)
    if better.source in (Source.SCHOOL_LIST, Source.MODEL):
        return better.confidence > first.confidence
    if better.confidence < first.confidence:
        return False
    if kind in SPELLED_KINDS:
        gain = letter_likelihood(kind, better.value or "") - letter_likelihood(kind, first.value)
        return gain > CLEARLY
    return _voices(kind, better, others) > _voices(kind, first, [first, *others])


def _is_witnessed(kind: FieldKind, reading: FieldReading, readings: Sequence[FieldReading]) -> bool:
    """Whether more speaks for it than one recognition: its spelling, or another that means the same.

    A lone digit or number that only one look at the page finds is as often noise.
    """
    return reading.source is not Source.OCR or kind in SPELLED_KINDS or _voices(kind, reading, readings) > 1


def _voices(kind: FieldKind, reading: FieldReading, readings: Sequence[FieldReading]) -> int:
    """How many of the readings mean the same."""
    return sum(same_value(kind, reading.value or "", other.value) for other in readings if other.value)
