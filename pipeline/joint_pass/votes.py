"""Members of the joint pass, their respellings, and the votes for each word in the values of a field."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Self

from pydantic import BaseModel, ConfigDict
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from pipeline.extraction.readings import AGREED
from pipeline.extraction.values.text import squeezed
from pipeline.pages.page_model import Source
from pipeline.schema import FieldReading, SubmissionRecord
from pipeline.spelling.prior import letters

# Members of the joint pass, the respellings that it makes, and how they are applied to a record.


@dataclass(frozen=True, slots=True)
class Member:
    """One entry of the batch, identified by its record's `submission_id`."""

    record: SubmissionRecord
    #: Key of the file that it came in.
    file: str

    @property
    def key(self) -> str:
        """The id of the entry; a member that is given twice is one member."""
        return self.record.submission_id

    def reading(self, name: str) -> FieldReading:
        """The reading of a field, with the record's value."""
        reading = self.record.readings.get(name, FieldReading())
        return reading.model_copy(update={"value": self.record.value_of(name)})


class Respelling(BaseModel):
    """One value that the pass has changed."""

    model_config = ConfigDict(frozen=True)

    field: str
    #: The value as read, and the one that replaces it.
    before: str
    after: str
    #: Number of other entries with this spelling; 0 if another field of the same entry decided.
    support: int
    #: The origin of the new value, as a `Message` in JSON.
    way: dict[str, Any]
    #: Whether the entry's own reading supports the new value without the others, so that no person need look.
    carried: bool = False


def may_be_respelled(reading: FieldReading) -> bool:
    """Whether a value was recognised, but not by two readings that agree. Typed text is never respelled,
    nor are values that a person has confirmed."""
    recognised = reading.source is Source.OCR and not reading.is_decided
    return bool(reading.value) and recognised and reading.confidence < AGREED


def is_carried(reading: FieldReading, after: str) -> bool:
    """Whether an entry's own reading has these letters already: with other spaces, or at a second place."""
    return squeezed(after) in {squeezed(reading.value or ""), squeezed(reading.disagrees_with or "")}


def with_changes(record: SubmissionRecord, changes: Sequence[Respelling]) -> SubmissionRecord:
    """Return the record with the changed values; `disagrees_with` keeps what was read.

    A change has no effect if its field no longer has the value that was read, so it can be applied twice.
    """
    readings, values = dict(record.readings), {}
    for change in changes:
        reading = readings.get(change.field)
        if reading is None or record.value_of(change.field) != change.before:
            continue
        values[change.field] = change.after
        update: dict[str, Any] = {"value": change.after, "method": f"{reading.method} + other entries"}
        if not change.carried:
            update["way"] = change.way
        if not change.carried or reading.disagrees_with:
            update["disagrees_with"] = change.before
        readings[change.field] = reading.model_copy(update=update)
    return record.model_copy(update={**values, "readings": readings})


# Words of a value as the joint pass compares them: their letters, how far apart two are, and their case.


#: Most letters by which a misread word differs, by the length of the shorter word.
_FARTHEST = ((10, 3), (6, 2), (4, 1))
#: Letters of the shortest word that may be a misreading if only readings are known.
SHORTEST = 3
#: Share of letters that a bad reading gets wrong.
MISREAD = 0.45
_TOKEN = re.compile(r"^(\W*)(.*?)(\W*)$", re.DOTALL)


@dataclass(frozen=True)
class ValueWord:
    """One word between spaces."""

    #: Punctuation before and after it.
    before: str
    text: str
    after: str

    @cached_property
    def key(self) -> str:
        """Its letters in the form that is compared; "" for a word with a digit, which is never respelled."""
        return "" if any(char.isdigit() for char in self.text) else letters(self.text)

    def __str__(self) -> str:
        return f"{self.before}{self.text}{self.after}"

    def respelled(self, surface: str) -> str:
        """Return the word in another spelling, with its own case and punctuation."""
        return f"{self.before}{in_case_of(self.text, surface)}{self.after}"


def value_words(value: str) -> list[ValueWord]:
    found = (_TOKEN.match(token) for token in value.split())
    return [ValueWord(*match.groups()) for match in found if match is not None]


def is_near(one: str, other: str) -> bool:
    """Whether two words (letters as compared) differ, but by no more letters than a misread word."""
    shorter = min(len(one), len(other))
    farthest = next((most for length, most in _FARTHEST if shorter >= length), 0)
    return one != other and farthest > 0 and distance(one, other) <= farthest


def similar_to(key: str, others: Iterable[str], unlike: float = MISREAD, shortest: int = SHORTEST) -> list[str]:
    """Return the words (letters as compared) that a badly misread word may be, the nearest first.

    `unlike` is the greatest share of letters that differ, `shortest` the least number of letters of both.
    """
    if len(key) < shortest:
        return []
    found = process.extract(
        key, others, scorer=Levenshtein.normalized_distance, processor=None, score_cutoff=unlike, limit=None
    )
    return [other for other, _, _ in found if other != key and len(other) >= shortest]


def distance(one: str, other: str) -> int:
    """Return the number of letters to add, remove or replace between two words."""
    return int(Levenshtein.distance(one, other))


def in_case_of(like: str, surface: str) -> str:
    """Return a spelling in the case of a word: all upper, all lower, or else the spelling's own case."""
    if like.isupper() and len(like) > 1:
        return surface.upper()
    if like.islower():
        return surface.lower()
    return surface[:1].upper() + (surface[1:].lower() if surface.isupper() else surface[1:])


# Votes for each word in the values of a field, over all entries of the batch.


#: Votes of a typed value, of a recognised one, and of the season's register.
_TYPED, _RECOGNISED, _REGISTER = 2, 1, 1


@dataclass(frozen=True, eq=False)
class Ballot:
    """The value of one entry: its words and its votes."""

    #: Id of the entry; None for a name of the register.
    key: str | None
    file: str
    words: tuple[ValueWord, ...]
    #: Numbers in the value. Values with different numbers never vote for each other.
    numbers: tuple[str, ...]
    weight: int
    #: Letters of the words that distinguish the value.
    telling: frozenset[str]
    #: Packed lattices of its line; empty if it may not be respelled.
    considered: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return " ".join(map(str, self.words))

    @property
    def value(self) -> str:
        """Letters and digits of the whole value."""
        return "".join(word.key or squeezed(word.text) for word in self.words)

    def has_one_of(self, words: frozenset[str]) -> bool:
        """Whether this value has one of the distinguishing words, misread or not; true if there are none."""
        return not words or bool(words & self.telling) or any(similar_to(word, self.telling) for word in words)


@dataclass(frozen=True)
class SpellingSupport:
    """The support for one spelling of a word."""

    spelling: str
    #: The most frequent way to write it.
    surface: str
    votes: int
    members: frozenset[str]
    #: Distinguishing words of the values that have it.
    company: frozenset[str]


class Poll:
    """All ballots of one field."""

    def __init__(self, ballots: Iterable[Ballot]) -> None:
        self.ballots = tuple(ballots)
        self._having: dict[str, list[Ballot]] = {}
        for ballot in self.ballots:
            for key in {word.key for word in ballot.words} - {""}:
                self._having.setdefault(key, []).append(ballot)
        #: Spellings with at least this many votes.
        self._by_votes: dict[int, list[str]] = {}
        #: Cached: values that differ only in the word in question have the same standings.
        self._standings: dict[tuple[str, tuple[str, ...], frozenset[str]], SpellingSupport] = {}
        self._values = Counter(ballot.value for ballot in self.ballots)
        self._votes = {key: sum(one.weight for one in having) for key, having in self._having.items()}

    @cached_property
    def _pairs(self) -> dict[str, Counter[str]]:
        """Votes for the first of two adjacent words, by the letters of both."""
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
        """Return the first of two adjacent words with these letters together, if it has enough votes."""
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
    ) -> list[SpellingSupport]:
        """Return the spellings, with at least `least` votes, that a word of a ballot may be, most votes first.

        Only ballots count that have the same numbers and agree with the rest of this one.
        """
        spellings = similar_to(key, self._voted(least), unlike, shortest)
        rest = ballot.telling - {key}
        found = [self._standing(spelling, ballot.numbers, rest) for spelling in spellings]
        enough = [standing for standing in found if standing.votes >= least]
        return sorted(enough, key=lambda standing: (-standing.votes, standing.spelling))

    def of_its_kind(self, ballot: Ballot, key: str, spelling: str) -> list[Ballot]:
        """Return the ballots with a spelling that have a ballot's numbers and agree except for one word."""
        return self._counting(spelling, ballot.numbers, ballot.telling - {key})

    def _counting(self, spelling: str, numbers: tuple[str, ...], rest: frozenset[str]) -> list[Ballot]:
        having = self._having.get(spelling, ())
        return [other for other in having if other.numbers == numbers and other.has_one_of(rest)]

    def _standing(self, spelling: str, numbers: tuple[str, ...], rest: frozenset[str]) -> SpellingSupport:
        found = self._standings.get((spelling, numbers, rest))
        if found is None:
            found = self._standings[spelling, numbers, rest] = self._counted(spelling, numbers, rest)
        return found

    def _counted(self, spelling: str, numbers: tuple[str, ...], rest: frozenset[str]) -> SpellingSupport:
        counting = self._counting(spelling, numbers, rest)
        surfaces: Counter[str] = Counter()
        for other in counting:
            surfaces.update({word.text: other.weight for word in other.words if word.key == spelling})
        # The register votes once, even if several of its names have the word.
        listed = any(other.key is None for other in counting)
        votes = sum(other.weight for other in counting if other.key is not None) + (_REGISTER if listed else 0)
        surface = max(surfaces.items(), key=lambda item: (item[1], item[0]), default=(spelling, 0))[0]
        return SpellingSupport(
            spelling,
            surface,
            votes,
            members=frozenset(one.key for one in counting if one.key is not None),
            company=frozenset().union(*(one.telling for one in counting)),
        )


def as_read(ballot: Ballot, value: str, is_telling: Callable[[str], bool]) -> Ballot:
    """Return a ballot with its value written differently."""
    return _ballot(ballot.key, ballot.file, value, ballot.weight, is_telling, ballot.considered)


def _ballot(
    key: str | None,
    file: str,
    value: str,
    weight: int,
    is_telling: Callable[[str], bool],
    considered: tuple[str, ...] = (),
) -> Ballot:
    words = tuple(value_words(value))
    numbers = tuple(digits for word in words if (digits := "".join(filter(str.isdigit, word.text))))
    telling = frozenset(word.key for word in words if word.key and is_telling(word.text))
    return Ballot(key, file, words, numbers, weight, telling, considered)
