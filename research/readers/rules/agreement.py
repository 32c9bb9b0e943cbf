"""Decide whether two sentences of different sources agree or contradict each other, by words and numbers."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from research.readers.protocol import Agreement, Evidence
from research.readers.rules.vocabulary import folded, pattern
from research.readers.shown import shown
from research.text import content_stems

#: Least share of each sentence's weighted stems that the other must have for both to concern the same thing.
_SAME_MATTER = 0.5
#: Least share of a sentence's weighted stems that another must have to agree with it.
_SAME_STATEMENT = 0.65
#: Fewest content words of a sentence that can be compared.
_FEWEST = 3
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_YEAR = re.compile(r"(?:1[89]|20)\d\d")
_PERCENT = re.compile(r"%|\bper\s?cent\b|\bpercent\b|\bpor\s+ciento\b", re.IGNORECASE)


def agreements(pairs: Sequence[tuple[Evidence, Evidence]]) -> list[Agreement]:
    """Return for each pair how they relate; those in two languages are unrelated here."""
    told = {shown(one.finding.quote): one.language for pair in pairs for one in pair}
    stems = {text: frozenset(content_stems(text, language)) for text, language in told.items()}
    counts = Counter(stem for held in stems.values() for stem in held)
    weights = {stem: math.log(1 + len(stems) / (count + 0.5)) for stem, count in counts.items()}

    def share(one: str, other: str) -> float:
        """Return how much of the weight of a sentence's stems the other has."""
        both, own = (math.fsum(weights[stem] for stem in held) for held in (stems[one] & stems[other], stems[one]))
        return both / own if len(stems[one]) >= _FEWEST else 0.0

    texts = [(shown(one.finding.quote), shown(other.finding.quote)) for one, other in pairs]
    return [_agreement(one, other, share(one, other), share(other, one)) for one, other in texts]


def _agreement(one: str, other: str, share: float, share_of_other: float) -> Agreement:
    if min(share, share_of_other) < _SAME_MATTER:
        return "unrelated"
    numbers, others = _numbers_in(one), _numbers_in(other)
    if numbers and others and not numbers & others:
        return "contradicts" if _units(one) == _units(other) else "unrelated"
    first, second = folded(one), folded(other)
    denied = bool(pattern("negations").search(first)) != bool(pattern("negations").search(second))
    if denied or _direction(first) * _direction(second) < 0:
        return "contradicts"
    return "agrees" if share >= _SAME_STATEMENT and numbers <= others else "unrelated"


def _numbers_in(text: str) -> set[str]:
    """Return the numbers in a text except years, without thousands separators."""
    plain = [re.sub(r"[.,](?=\d{3}\b)", "", n).replace(",", ".") for n in _NUMBER.findall(text)]
    return {number for number in plain if not _YEAR.fullmatch(number)}


def _direction(plain: str) -> int:
    """Return 1 for a sentence that speaks of more, -1 for one that speaks of less, 0 for neither or both."""
    return bool(pattern("rising").search(plain)) - bool(pattern("falling").search(plain))


def _units(text: str) -> frozenset[str]:
    return frozenset(unit for unit in "%$€£" if unit in _PERCENT.sub("%", text))
