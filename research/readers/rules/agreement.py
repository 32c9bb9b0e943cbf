"""Decide whether two sentences of different sources agree or contradict each other."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from research.readers.protocol import Agreement, Statement
from research.text import content_stems

#: Least share of each sentence's weighted stems that the other must have for both to concern the same thing.
SAME_MATTER = 0.5
#: Least share of a sentence's weighted stems that another must have to agree with it.
SAME_STATEMENT = 0.65

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_YEAR = re.compile(r"(?:1[89]|20)\d\d")
_NOT = re.compile(
    r"\b(?:no|not|never|none|nor|without|neither|cannot|\w+n['’]t|fails?|failed|unlikely|lack(?:s|ed)?"
    r"|nunca|ningun[oa]?|ningún|sin|tampoco|jamás|carece[n]?)\b",
    re.IGNORECASE,
)
_UP = re.compile(
    r"\b(?:increas|rais|improv|grow|grew|gain|rise|rose|higher|more|better|strengthen|boost|aument|mejor|crec|sub[ei]|suben|más|mayor|fortalec)\w*",
    re.IGNORECASE,
)
_DOWN = re.compile(
    r"\b(?:decreas|reduc|lower|declin|drop|fall|fell|worsen|fewer|less|weaken|diminish|disminu|baj[aóe]|empeor|menos|menor|caen?|cay|debilit)\w*",
    re.IGNORECASE,
)


class Stemmed(Protocol):
    """A sentence and its stems."""

    @property
    def text(self) -> str:
        """The sentence."""
        ...

    @property
    def stems(self) -> frozenset[str]:
        """Its stems without those of stop words."""
        ...


class Weights(Protocol):
    """Weights of stems."""

    def held(self, stems: frozenset[str], by: frozenset[str]) -> float:
        """Return the share of the weight of `stems` that is also in `by`, 0 to 1."""
        ...


def agreements(pairs: Sequence[tuple[Statement, Statement]]) -> list[Agreement]:
    """Return for each pair how they relate; statements in two languages are unrelated here."""
    stated = [(_stemmed(one), _stemmed(other)) for one, other in pairs]
    weights = _Rarity(statement.stems for pair in stated for statement in pair)
    return [agreement(one, other, weights) or "unrelated" for one, other in stated]


@dataclass(frozen=True)
class _Stemmed:
    text: str
    stems: frozenset[str]


def _stemmed(statement: Statement) -> _Stemmed:
    return _Stemmed(statement.text, frozenset(content_stems(statement.text, statement.language)))


class _Rarity:
    """Weights of stems by their rarity in the statements."""

    def __init__(self, stems: Iterable[frozenset[str]]) -> None:
        every = list(stems)
        self._total, self._counts = len(every), Counter(stem for one in every for stem in one)

    def held(self, stems: frozenset[str], by: frozenset[str]) -> float:
        """See `Weights.held`."""
        total = self._sum(stems)
        return self._sum(stems & by) / total if total else 0.0

    def _sum(self, stems: Iterable[str]) -> float:
        return sum(math.log(1 + self._total / (self._counts[stem] + 0.5)) for stem in stems)


def agreement(one: Stemmed, other: Stemmed, scale: Weights) -> Literal["agrees", "contradicts"] | None:
    """Return "agrees" or "contradicts"; None if they concern different things or it cannot be decided."""
    if min(len(one.stems), len(other.stems)) < 3:
        return None
    shared = min(scale.held(one.stems, other.stems), scale.held(other.stems, one.stems))
    if shared < SAME_MATTER:
        return None
    numbers, others = numbers_in(one.text), numbers_in(other.text)
    if numbers and others and not numbers & others:
        return "contradicts" if _same_units(one.text, other.text) else None
    if not _same_sense(one.text, other.text):
        return "contradicts"
    says_all = scale.held(one.stems, other.stems) >= SAME_STATEMENT and numbers <= others
    return "agrees" if says_all else None


def numbers_in(text: str) -> set[str]:
    """Return the numbers in a text except years, without thousands separators."""
    return {_plain(n) for n in _NUMBER.findall(text) if not _YEAR.fullmatch(n)}


def _plain(number: str) -> str:
    return re.sub(r"[.,](?=\d{3}\b)", "", number).replace(",", ".")


def _same_sense(one: str, other: str) -> bool:
    if bool(_NOT.search(one)) != bool(_NOT.search(other)):
        return False
    return not (_only(_UP, _DOWN, one) and _only(_DOWN, _UP, other)) and not (
        _only(_DOWN, _UP, one) and _only(_UP, _DOWN, other)
    )


def _only(wanted: re.Pattern[str], absent: re.Pattern[str], text: str) -> bool:
    return bool(wanted.search(text)) and not absent.search(text)


def _same_units(one: str, other: str) -> bool:
    units = [frozenset(unit for unit in ("%", "$", "€") if unit in _percent(text)) for text in (one, other)]
    return units[0] == units[1]


def _percent(text: str) -> str:
    return re.sub(r"\b(?:per\s?cent|percent|por\s+ciento)\b", "%", text, flags=re.IGNORECASE)
