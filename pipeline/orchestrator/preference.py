"""Decide which of two values of a field is likelier, by the scorers that made them. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.extraction.combine import same_value
from pipeline.extraction.fields import judge
from pipeline.extraction.values.contacts import ends_in_public_suffix
from pipeline.extraction.values.text import squeezed
from pipeline.pages.page_model import Source
from pipeline.profiles import HEADER_KINDS, ZONE_KINDS, FieldKind
from pipeline.profiles.declared import kind_of
from pipeline.schema import FieldReading, Preferred
from pipeline.spelling.spelled import SPELLED_KINDS, letter_likelihood, spellable

#: With less confidence or certainty than this a value is more likely wrong than right.
LIKELY = 0.5
#: Minimum gain in log-likelihood per letter of a spelling over the first one; a smaller gain is not significant.
CLEARLY = 0.25
#: Minimum share of the votes of its line for a recognised value to be preferred. Of the development part's poor
#: copies, nearly all values with more were right.
BACKED = 0.7
#: Looks that must agree on a value to speak against one that was read once.
_AGREEING = 2
#: Kinds of short values of which neither the form nor the spelling of a recognised value says much.
_UNJUDGED = frozenset(ZONE_KINDS) - frozenset(HEADER_KINDS)
#: Sources without recognition: their letters are right.
_EXACT = frozenset({Source.ACROFORM, Source.TEXT_LAYER})


def preferred_value(
    name: str,
    first: FieldReading,
    better: FieldReading,
    others: Sequence[FieldReading],
    votes: Sequence[FieldReading] = (),
) -> Preferred:
    """Return whether `better`, the first reading or neither is preferred.

    `others` are all further readings of the field, including `better`; `votes` those of its line. A proposal is
    preferred if it is plausible, backed by the votes and likelier than the first reading; if both are equally
    likely, the first reading is preferred where it is plausible and backed.
    """
    kind = kind_of(name)
    if plausible(kind, better) and is_backed(better, votes) and _likelier(kind, first, better, others, votes):
        return Preferred.PROPOSED
    return Preferred.AS_READ if plausible(kind, first) and is_backed(first, votes) else Preferred.NEITHER


def preferred_as_read(name: str, first: FieldReading, votes: Sequence[FieldReading] = ()) -> Preferred:
    """Return the preference for a proposal of the first reading itself: that one if likely, else neither."""
    likely = plausible(kind_of(name), first) and is_backed(first, votes)
    return Preferred.PROPOSED if likely else Preferred.NEITHER


def share_of(reading: FieldReading, votes: Sequence[FieldReading]) -> float:
    """Return the share (0-1) of the votes that a value has, whatever its spaces, case and accents."""
    letters = squeezed(reading.value or "")
    return max((vote.confidence for vote in votes if squeezed(vote.value or "") == letters), default=0.0)


def is_backed(reading: FieldReading, votes: Sequence[FieldReading]) -> bool:
    """Whether the votes do not speak against a value; true where there are none, or it was not recognised."""
    return not votes or reading.source is not Source.OCR or share_of(reading, votes) >= BACKED


def plausible(kind: FieldKind, reading: FieldReading) -> bool:
    """Whether a reading can be a value of the kind: by its form and, for recognised text, by its spelling."""
    if not reading.value:
        return False
    if kind in _UNJUDGED and reading.source is Source.OCR:
        return reading.confidence >= LIKELY
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


def _likelier(
    kind: FieldKind,
    first: FieldReading,
    better: FieldReading,
    others: Sequence[FieldReading],
    votes: Sequence[FieldReading],
) -> bool:
    if not first.value:
        return better.confidence >= LIKELY and (bool(votes) or _is_witnessed(kind, better, others))
    if better.source in (Source.SCHOOL_LIST, Source.MODEL):
        return better.confidence > first.confidence
    if better.confidence < first.confidence and not agreed_over(first, better, others):
        return False
    if kind in SPELLED_KINDS:
        return spelling_gain(kind, first, better) > CLEARLY
    return _voices(kind, better, others) > _voices(kind, first, [first, *others])


def _is_witnessed(kind: FieldKind, reading: FieldReading, readings: Sequence[FieldReading]) -> bool:
    """Whether a reading has more evidence than one recognition: an equivalent second reading.

    What only one reading finds where the first found nothing is as often noise.
    """
    return reading.source is not Source.OCR or _voices(kind, reading, readings) > 1


def spelling_gain(kind: FieldKind, first: FieldReading, better: FieldReading) -> float:
    """Return by how much a spelling is likelier than the first one, as a logarithm a letter; 0 if it has none."""
    if kind not in SPELLED_KINDS:
        return 0.0
    return letter_likelihood(kind, better.value or "") - letter_likelihood(kind, first.value or "")


def agreed_over(first: FieldReading, better: FieldReading, others: Sequence[FieldReading]) -> bool:
    """Whether two looks or more have a value, letter by letter, and none has that of the first reading."""
    looks = [squeezed(look.value) for look in others if look.value and look.source is Source.OCR and look.way]
    own, rival = squeezed(first.value or ""), squeezed(better.value or "")
    return looks.count(rival) >= _AGREEING and own not in looks


def _voices(kind: FieldKind, reading: FieldReading, readings: Sequence[FieldReading]) -> int:
    """Return the number of readings with an equivalent value."""
    return sum(same_value(kind, reading.value or "", other.value) for other in readings if other.value)
