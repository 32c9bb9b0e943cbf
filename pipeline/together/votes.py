"""How often each word stands in the values of a field, over all entries that came together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Self

from pipeline.extraction.values.text import squeezed
from pipeline.pages.page_model import Source
from pipeline.together.change import Member, may_be_respelled
from pipeline.together.words import MISREAD, SHORTEST, Word, similar_to, words_of

#: Votes of a value whose letters were not recognised, of a recognised one, and of the season's register.
_TYPED, _RECOGNISED, _REGISTER = 2, 1, 1


@dataclass(frozen=True, eq=False)
class Ballot:
    """The value of one entry: its words, and what it counts."""

    #: Id of the entry; None for a name of the register.
    key: str | None
    file: str
    words: tuple[Word, ...]
    #: Numbers in the value. Values with different numbers never vote for each other.
    numbers: tuple[str, ...]
    weight: int
    #: Letters of the words that tell the value from others of its kind.
    telling: frozenset[str]
    #: Packed lattices of its line; empty if it may not be respelled.
    considered: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The whole value."""
        return " ".join(map(str, self.words))

    @property
    def value(self) -> str:
        """Letters and digits of the whole value."""
        return "".join(word.key or squeezed(word.text) for word in self.words)

    def has_one_of(self, words: frozenset[str]) -> bool:
        """Whether one of the words that tell a value apart is in this one, misread or not; true of no words."""
        return not words or bool(words & self.telling) or any(similar_to(word, self.telling) for word in words)


@dataclass(frozen=True)
class Standing:
    """What speaks for one spelling of a word."""

    spelling: str
    #: As it is written most often.
    surface: str
    votes: int
    #: Ids of the entries that have it.
    members: frozenset[str]
    #: Words that tell apart the values that have it.
    company: frozenset[str]


class Poll:
    """All ballots of one field."""

    def __init__(self, ballots: Iterable[Ballot]) -> None:
        self.ballots = tuple(ballots)
        self._having: dict[str, list[Ballot]] = {}
        for ballot in self.ballots:
            for key in {word.key for word in ballot.words} - {""}:
                self._having.setdefault(key, []).append(ballot)
        #: Spellings with at least so many votes.
        self._by_votes: dict[int, list[str]] = {}
        #: Values that differ in the word in question alone have the same standings.
        self._standings: dict[tuple[str, tuple[str, ...], frozenset[str]], Standing] = {}
        self._values = Counter(ballot.value for ballot in self.ballots)
        self._votes = {key: sum(one.weight for one in having) for key, having in self._having.items()}

    @cached_property
    def _pairs(self) -> dict[str, Counter[str]]:
        """Votes for the first of two words that stand side by side, by the letters of both."""
        found: dict[str, Counter[str]] = {}
        for ballot in self.ballots:
            for one, other in pairwise(ballot.words):
                if one.key and other.key:
                    found.setdefault(one.key + other.key, Counter())[one.key] += ballot.weight
        return found

    @classmethod
    def of(
        cls, name: str, members: Mapping[str, Member], register: Iterable[str], is_telling: Callable[[str], bool]
    ) -> Self:
        """Return the poll of a field: a ballot for each entry with a value, and for each name of the register."""
        cast = []
        for key, member in members.items():
            reading = member.reading(name)
            if reading.value:
                recognised = reading.source is Source.OCR and not reading.is_decided
                weight = _RECOGNISED if recognised else _TYPED
                considered = reading.considered if may_be_respelled(reading) else ()
                cast.append(_ballot(key, member.file, reading.value, weight, is_telling, considered))
        return cls(cast + [_ballot(None, "", listed, _REGISTER, is_telling) for listed in register])

    def occurs_again(self, ballot: Ballot) -> bool:
        """Whether another entry, or the register, has the very same value."""
        return self._values[ballot.value] > 1

    def having_any(self, keys: Iterable[str]) -> list[Ballot]:
        """Return the ballots that have a word spelled as one of these."""
        return list(dict.fromkeys(ballot for key in sorted(keys) for ballot in self._having.get(key, ())))

    def is_listed(self, key: str) -> bool:
        """Whether a name of the register has a word spelled so."""
        return any(one.key is None for one in self._having.get(key, ()))

    def first_of_two(self, key: str, least: int) -> str | None:
        """Return the first of the two words with these letters that so many votes have side by side."""
        (first, votes), *_ = self._pairs.get(key, Counter()).most_common(1) or [("", 0)]
        return first if votes >= least else None

    def votes_of(self, key: str) -> int:
        """Return the votes of all values that have a word spelled so."""
        return self._votes.get(key, 0)

    def _voted(self, least: int) -> list[str]:
        if least not in self._by_votes:
            self._by_votes[least] = [key for key, votes in self._votes.items() if votes >= least]
        return self._by_votes[least]

    def standings(
        self, ballot: Ballot, key: str, least: int, unlike: float = MISREAD, shortest: int = SHORTEST
    ) -> list[Standing]:
        """Return the spellings with so many votes that a word of a ballot may stand for, the most voted first.

        Only ballots with the same numbers count that agree with the rest of this one.
        """
        spellings = similar_to(key, self._voted(least), unlike, shortest)
        rest = ballot.telling - {key}
        found = [self._standing(spelling, ballot.numbers, rest) for spelling in spellings]
        enough = [standing for standing in found if standing.votes >= least]
        return sorted(enough, key=lambda standing: (-standing.votes, standing.spelling))

    def of_its_kind(self, ballot: Ballot, key: str, spelling: str) -> list[Ballot]:
        """Return the ballots with a spelling that have the numbers of a ballot and agree with all but one word."""
        return self._counting(spelling, ballot.numbers, ballot.telling - {key})

    def _counting(self, spelling: str, numbers: tuple[str, ...], rest: frozenset[str]) -> list[Ballot]:
        having = self._having.get(spelling, ())
        return [other for other in having if other.numbers == numbers and other.has_one_of(rest)]

    def _standing(self, spelling: str, numbers: tuple[str, ...], rest: frozenset[str]) -> Standing:
        found = self._standings.get((spelling, numbers, rest))
        if found is None:
            found = self._standings[spelling, numbers, rest] = self._counted(spelling, numbers, rest)
        return found

    def _counted(self, spelling: str, numbers: tuple[str, ...], rest: frozenset[str]) -> Standing:
        counting = self._counting(spelling, numbers, rest)
        surfaces: Counter[str] = Counter()
        for other in counting:
            surfaces.update({word.text: other.weight for word in other.words if word.key == spelling})
        # Several names of the register may have the word; it is one list.
        listed = any(other.key is None for other in counting)
        votes = sum(other.weight for other in counting if other.key is not None) + (_REGISTER if listed else 0)
        surface = max(surfaces.items(), key=lambda item: (item[1], item[0]), default=(spelling, 0))[0]
        return Standing(
            spelling,
            surface,
            votes,
            members=frozenset(one.key for one in counting if one.key is not None),
            company=frozenset().union(*(one.telling for one in counting)),
        )


def as_read(ballot: Ballot, value: str, is_telling: Callable[[str], bool]) -> Ballot:
    """Return a ballot with its value written otherwise."""
    return _ballot(ballot.key, ballot.file, value, ballot.weight, is_telling, ballot.considered)


def _ballot(
    key: str | None,
    file: str,
    value: str,
    weight: int,
    is_telling: Callable[[str], bool],
    considered: tuple[str, ...] = (),
) -> Ballot:
    words = tuple(words_of(value))
    numbers = tuple(digits for word in words if (digits := "".join(filter(str.isdigit, word.text))))
    telling = frozenset(word.key for word in words if word.key and is_telling(word.text))
    return Ballot(key, file, words, numbers, weight, telling, considered)
